// Wave regulation (SCIN 3.4): wave controllers cut instructions into waves and ask for operands
// only where the wave tables have reserved room; waves whose operands are complete go through the
// accumulator, and their results out to the members.
//
// An accumulator takes `bytes_per_cycle` of every operand at once and gives the result `latency`
// later; a table entry is free again when its last byte was taken. It waits while the write queue
// of any destination is full. Several accumulators belong to one group of neighboring ports each,
// and take the waves whose first source is in their group.
//
// Limitations: the requests of a wave wait in the ports' queues, all at once; a wave stays in one
// accumulator, however many groups its members are in.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "models/inc/isa/isa_transport.hpp"
#include "models/inc/isa/wave_table.hpp"
#include "platform/pool/object_pool.hpp"
#include "platform/tensor/quantized_sum.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/trace/trace_scope.hpp"
#include "transactors/packet/step_counter.hpp"

namespace heddle {

enum class wave_state { idle, waiting, ready, reduce, write };

struct wave {
  isa_instruction* instruction = nullptr;
  std::uint32_t offset = 0, bytes = 0;  // of each operand
  std::uint32_t scale_bytes = 0;
  member_mask waiting = 0;                           // sources whose entry is not READY
  std::array<std::uint8_t, most_members> entries{};  // by source
  std::vector<std::uint8_t> missing;  // by packet: sources that owe it, see `readout`
  std::uint32_t taken = 0;            // bytes that the accumulator has
  std::uint32_t computed = 0;         // bytes whose writes were sent, or never will be
  std::uint32_t writes_left = 0;      // pieces without response
  int line = 0;                       // of the waves' life lines
  std::uint16_t step = 0;             // number of the wave
  cause issued;                       // it could be issued
  cause why;                          // it is complete; then: the accumulator could take it
  void clear() { *this = wave{}; }
};

// What goes through the accumulator at once: a wave, or as much of one as a packet brings.
struct portion {
  wave* of = nullptr;
  std::uint32_t offset = 0, bytes = 0;  // in the wave
  std::uint32_t scale_bytes = 0;
  payload_slice result, scales;
  cause why;
};

// Where instructions come from and go back to.
class instruction_source {
 public:
  // The next one that may start, or nullptr.
  virtual isa_instruction* next_instruction() = 0;
  // All of its results are in memory, or it has failed and nothing of it is under way.
  virtual void instruction_ended(isa_instruction& ended) = 0;

 protected:
  ~instruction_source() = default;
};

class wave_engine {
 public:
  wave_engine(unit& owner, instruction_source& source, isa_transport& transport,
              isa_counters& counters, const isa_parameters& p);

  void start(int ports);
  // Only while no wave is under way.
  void set_wave_bytes(std::uint32_t bytes);
  std::uint32_t table_bytes() const { return table_bytes_; }
  bool is_idle() const { return waves_.in_use() == 0; }
  bool holds_a_wave() const { return entries_ > 0; }  // its tables
  // Data bytes of its waves but the last; 0 when a wave does not even hold a block with its scale.
  std::uint32_t longest_wave(const isa_instruction& instruction) const;
  // Why waves of such elements hold no block with its scale, in a sentence; "" where they do.
  std::string obstacle_to(const quantization& quant) const;

  // Makes waves of whatever may start and has room; called when either has changed.
  void issue();
  void fail(isa_instruction& failed, isa_error error, member_mask culprit);

  void take_read_response(int member, packet& response);
  void take_write_response(int member, packet& response);
  void note_room(const cause& why) { room_why_ = why; }
  void reduce_ready();  // starts the accumulator on what is ready and has room to leave

  // "" or what it waits for.
  std::string waiting_for() const;
  // Which parameter lets more of the last instruction be under way, in a sentence.
  std::string more_waves() const;

 private:
  struct controller {
    isa_instruction* current = nullptr;
    fs_t stalled_since = fs_never;
    fs_t free_at = 0;
  };
  struct accumulator {
    fs_t free_at = 0;
    cause why;  // it is free when it is
    trace_signal<bool> trace;
  };

  void warn_of_trains() const;
  bool step(controller& stepped);
  bool has_free_entries(member_mask sources) const;
  std::uint32_t longest_quantized_wave(const quantization& quant) const;
  void issue_wave(isa_instruction& instruction, std::uint32_t bytes, const cause& why);
  void request_operand(wave& w, int member);
  accumulator& accumulator_of(const portion& p);
  bool has_room(const portion& p) const;
  fs_t latency_of(const isa_instruction& instruction) const;
  void make_ready(portion ready);
  void reduce(portion& p);
  void compute(portion& p);
  cause slot_of(const wave& taken) const;
  void explain_start(portion& p, accumulator& taker, fs_t now, fs_t taking);
  void release_taken();
  void write_computed();
  void write_result(portion& p);
  std::uint32_t write_in_pieces(wave& w, int member, std::uint64_t address,
                                const payload_slice& bytes, std::uint32_t count, fs_t first_ready);
  void end_if_done(wave& w);
  wave& take_wave();
  void give_back(wave& ended);
  void show(wave& w, wave_state state, fs_t when, fs_t now);
  void show_table(int member);

  unit& owner_;
  instruction_source& source_;
  isa_transport& transport_;
  isa_counters& counters_;
  const std::uint32_t table_bytes_, scale_table_bytes_, write_queue_;
  const bandwidth rate_;  // of each operand into the accumulator
  const bool streams_packets_;
  const fs_t issue_, latency_, quantized_latency_;
  const bool carries_data_;

  std::uint32_t wave_bytes_;
  std::optional<quantization> last_quant_;  // of the last wave; none: its elements were whole
  int entries_ = 0;                         // of each table
  std::vector<wave_table> tables_;          // by member
  std::vector<controller> controllers_;
  bool is_issuing_ = false;
  timed_call controller_free_;
  std::deque<portion> ready_;  // in the order in which they became ready
  fs_t write_wait_since_ = fs_never;
  std::vector<accumulator> accumulators_;
  timed_call accumulator_free_;
  cause slot_why_;                 // entries became free last
  cause room_why_;                 // a write queue had room last
  timed_queue<portion> taken_;     // due when the accumulator has their last byte
  timed_queue<portion> computed_;  // due when their first result comes out

  std::vector<const std::byte*> operands_;  // of the wave in the accumulator, by member
  std::vector<quantized_view> quantized_operands_;
  object_pool<wave> waves_;
  std::vector<wave*> writes_;  // by tag, nullptr when free
  std::vector<std::uint32_t> free_writes_;
  step_counter steps_;  // waves

  std::uint64_t free_lines_ = ~std::uint64_t{0};
  std::vector<trace_signal<wave_state>> lines_;
  std::vector<trace_signal<std::uint64_t>> occupancy_;
};

}  // namespace heddle
