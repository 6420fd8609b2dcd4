// The registers of one unit behind a TLM-2.0 target socket that the model owns.
//
// An access is one naturally aligned 32- or 64-bit word of one register:
//  - a 64-bit register may also be accessed in two 32-bit halves (nothing latches the other half);
//  - one access never spans two registers, so no driver depends on an order within it;
//  - byte enables select the bytes that are read, written, set or cleared; hooks do not run for an
//    access that enables none.
// Bits that can not be read, and bits outside the fields, read as 0; bits that can not be written
// ignore what is written.
//
// Whatever is refused changes nothing, is counted and recorded, and answers
//  - burst error: a length other than 4 and 8, streaming, or more than one register;
//  - address error: not aligned, or no register at this offset;
//  - byte enable error: a byte enable other than 0x00 and 0xff, or none at all;
//  - command error: a write to a register without writable bits, a read without readable ones, or
//    a command that is neither;
//  - generic error: no data pointer, or a write that a rule of the register forbids now.
//
// Firmware, which sends an access_origin along, is also held to the contracts of the registers: the
// rules of register_rule, no ones in reserved bits, no value that an enumerated field does not
// have. Such an access is performed all the same, as hardware would; what becomes of the run is the
// netlist's choice: contract_severity.
//
// Limitations: no DMI. The payload's address is the offset in the block.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "platform/contracts/access_origin.hpp"
#include "platform/contracts/contract_settings.hpp"
#include "platform/contracts/register_audit.hpp"
#include "platform/registers/access_history.hpp"
#include "platform/registers/known_blocks.hpp"
#include "platform/registers/register_description.hpp"
#include "platform/registers/register_handle.hpp"
#include "platform/registers/register_polls.hpp"

namespace heddle {

class simulation;
class trace_stream;
struct poll_question;
struct unit_context;

class register_file {
 public:
  // Both references must outlive the object.
  register_file(const register_file_description& description, std::string path,
                register_audit_log& audit);
  // With the unit's path and the audit log of the run.
  register_file(const register_file_description& description, const unit_context& context);
  register_file(const register_file&) = delete;
  register_file& operator=(const register_file&) = delete;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  // For debuggers: the bits that are stored or computed, without rules, access kinds or records,
  // and without hooks that have side effects. Reads cover the whole block, 0 where there is no
  // register; writes end at the first such byte and before what is computed, with a warning.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  // A debugger cannot see what the register holds: reading it has side effects.
  bool is_told_by_reads_alone(std::uint64_t offset) const;

  // For the model: what it was told through this register makes no sense. Recorded like an access
  // that was refused.
  template <class T>
  void report(const register_handle<T>& about, const std::string& reason) {
    report(about.cell(), reason);
  }

  // From now on, registers whose name, "gpu[0].dma.channel[3].status", a glob matches are signals
  // below "gpu[0].dma.registers". False: none is.
  bool trace(trace_stream& stream, const std::vector<std::string>& patterns);

  const register_file_description& description() const { return description_; }
  const std::string& path() const { return path_; }
  const register_cell* find(std::uint64_t offset) const;  // nullptr where there is no register
  // "channel[3].doorbell" for each of its bytes, "" where there is no register.
  std::string register_name(std::uint64_t offset) const;

  const std::vector<register_cell>& cells() const { return cells_; }
  // "channel[3].doorbell"
  static std::string name_of(const register_cell& cell);

 protected:
  register_cell& cell(std::size_t index) { return cells_[index]; }

 private:
  enum class refusal {
    command,
    length,
    streaming,
    data_pointer,
    alignment,
    no_register,
    several_registers,
    byte_enable,
    read_only,
    write_only,
    rule,
    contract
  };
  // Which contract a write breaks; without a rule the bits themselves are wrong.
  struct breach {
    bool is_broken = false;
    const register_rule* rule = nullptr;
    const register_cell* half_written = nullptr;  // which is the mistake
  };

  void add_registers(const constant_list<register_description>& registers, std::uint32_t offset,
                     const register_array_description* array, std::uint32_t element);
  template <bool is_firmware>
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, access_origin* origin);
  void transport_of(access_origin& origin, tlm::tlm_generic_payload& payload,
                    sc_core::sc_time& delay);
  template <bool is_firmware>
  void perform(register_cell& cell, unsigned shift, tlm::tlm_generic_payload& payload,
               sc_core::sc_time& delay, access_origin* origin);
  void read(register_cell& from, unsigned shift, std::uint64_t enabled,
            tlm::tlm_generic_payload& payload);
  void write(register_cell& to, unsigned shift, std::uint64_t enabled,
             tlm::tlm_generic_payload& payload);

  void answer(poll_question& question, std::uint64_t offset, unsigned bytes);
  bool holds(const register_cell& ruled, const register_rule& rule) const;
  bool allows_write(const register_cell& ruled) const;

  // Contracts: `data` and `enabled` in their place in the register
  void meet(access_origin& origin, const tlm::tlm_generic_payload& payload,
            const sc_core::sc_time& delay) const;
  bool admit(register_cell& to, unsigned shift, std::uint64_t enabled,
             tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay,
             const access_origin& origin);
  void remember(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay,
                const access_origin& origin);
  bool keeps(const register_cell& ruled, const register_rule& rule, std::uint64_t data,
             const access_origin& origin) const;
  const register_cell* half_written(const register_cell& ruled, const register_rule& rule) const;
  breach find_breach(const register_cell& ruled, std::uint64_t data, std::uint64_t enabled,
                     const access_origin& origin) const;
  std::string breach_text(const register_cell& ruled, const breach& broken, std::uint64_t data,
                          std::uint64_t enabled, const access_origin& origin) const;
  std::string rule_text(const register_cell& ruled, const register_rule& rule, std::uint64_t data,
                        const access_origin& origin) const;
  std::string wrong_bits(const register_cell& written, std::uint64_t data,
                         std::uint64_t enabled) const;
  const register_cell& other(const register_cell& ruled, const register_rule& rule,
                             std::size_t which = 0) const;
  std::vector<std::string> history_text();
  // Keeps the record; ends the run where the netlist wants that.
  void add_record(register_audit record);

  void report(const register_cell& about, const std::string& reason);
  // Answers with an error and records it.
  void refuse(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay, refusal why,
              const register_cell* cell);
  audit_outcome outcome_of(refusal why, bool is_firmware) const;
  void set_response(tlm::tlm_generic_payload& payload, refusal why) const;
  std::string reason(const tlm::tlm_generic_payload& payload, refusal why,
                     const register_cell* cell) const;
  std::string rule_reason(const register_cell& ruled) const;

  const register_file_description& description_;
  std::string path_;
  register_audit_log& audit_;
  std::vector<std::uint32_t> cell_of_word_;  // by offset / 4
  std::vector<register_cell> cells_;         // never resized after construction: handles point here
  const sc_core::sc_time* write_delay_ = nullptr;  // of the write whose hook runs
  std::uint64_t writes_ = 0;
  std::string broken_;                     // what the report of refusal::contract says
  const register_cell* blamed_ = nullptr;  // whose last write the report is about, if not this one
  contract_severity severity_ = contract_severity::error;
  simulation* sim_ = nullptr;  // nullptr outside runs
  access_history history_;
  std::unique_ptr<register_polls> polls_;  // once a core has slept here
  std::vector<cell_coverage> coverage_;    // by cell, where asked for
};

// A block whose description is a constant: base of the generated ones.
template <const register_file_description& block>
class described_register_file : public register_file {
 public:
  described_register_file(std::string path, register_audit_log& audit)
      : register_file(block, std::move(path), audit) {
    static_cast<void>(is_known);
  }
  explicit described_register_file(const unit_context& context) : register_file(block, context) {
    static_cast<void>(is_known);
  }

 private:
  inline static const bool is_known = known_blocks::add(block);
};

}  // namespace heddle
