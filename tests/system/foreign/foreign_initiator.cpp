// An initiator as somebody else would write it: blocking accesses, and non-blocking ones with a
// memory manager that ends responses by a call of its own. It writes patterns and reads them back,
// at an address beside it and at one far away.
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <vector>

#include "platform/services/run_control.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {
namespace {

constexpr unsigned block = 500, blocks = 3;

struct foreign_initiator_parameters : parameter_set {
  parameter<address> near{*this, "near", address{0}, "scratch beside it", "a test"};
  parameter<address> far{*this, "far", address{0}, "scratch far away", "a test"};
};

class foreign_initiator final : public unit, private tlm::tlm_mm_interface {
 public:
  using parameters = foreign_initiator_parameters;
  using counters = statistic_set;
  static std::vector<port_description> port_descriptions() {
    return {{"bus", "memory initiator", "every access"}};
  }
  foreign_initiator(const unit_context& context, const parameters& p)
      : unit(context),
        near_(p.near().value),
        far_(p.far().value),
        socket_("bus"),
        port_(*this, "bus", socket_),
        answered_(
            timed_queue<tlm::tlm_generic_payload*>::to<foreign_initiator,
                                                       &foreign_initiator::end_responses>(*this)) {
    socket_.register_nb_transport_bw(this, &foreign_initiator::nb_transport_bw);
    sim().service<run_control>().core_starts();
    sc_core::sc_spawn([this] { run(); });
  }

 private:
  void run() {
    for (const std::uint64_t at : {near_, far_}) {
      check_blocking(at);
      check_nonblocking(at);
      check_debug(at);
      check_nothing(at);
    }
    sim().service<run_control>().core_finishes();
  }

  static void set(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t at,
                  unsigned char* data, unsigned bytes) {
    payload.set_command(command);
    payload.set_address(at);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  void expect(bool is_right, const std::string& what) {
    if (!is_right) sim().service<run_control>().fail(path() + ": " + what);
  }
  void fill(unsigned char seed) {
    for (unsigned i = 0; i < written_.size(); ++i)
      written_[i] = static_cast<unsigned char>(seed + 7 * i);
    read_.fill(0);
  }
  void access(tlm::tlm_command command, std::uint64_t at, unsigned char* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    set(payload, command, at, data, bytes);
    sc_core::sc_time delay(3, sc_core::SC_NS);
    socket_->b_transport(payload, delay);
    expect(payload.is_response_ok(), "blocking: " + payload.get_response_string());
    sc_core::wait(delay);
  }

  void check_blocking(std::uint64_t at) {
    fill(1);
    access(tlm::TLM_WRITE_COMMAND, at, written_.data(), block * blocks);
    access(tlm::TLM_READ_COMMAND, at, read_.data(), block * blocks);
    expect(read_ == written_, "blocking: other bytes are read than were written");
  }

  void check_nonblocking(std::uint64_t at) {
    fill(2);
    send(tlm::TLM_WRITE_COMMAND, at, written_.data());
    send(tlm::TLM_READ_COMMAND, at, read_.data());
    expect(read_ == written_, "non-blocking: other bytes are read than were written");
  }

  // Several at once; each is given back before this returns.
  void send(tlm::tlm_command command, std::uint64_t at, unsigned char* data) {
    for (unsigned i = 0; i < blocks; ++i) {
      auto* payload = new tlm::tlm_generic_payload(this);
      set(*payload, command, at + i * block, data + i * block, block);
      payload->acquire();
      ++open_;
      requesting_ = payload;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay(2, sc_core::SC_NS);
      const auto result = socket_->nb_transport_fw(*payload, phase, delay);
      if (result == tlm::TLM_COMPLETED) {
        requesting_ = nullptr;
        sc_core::wait(delay);
        end(*payload);
      } else if (result == tlm::TLM_UPDATED) {
        requesting_ = nullptr;
        if (phase == tlm::BEGIN_RESP) answered_.push(now_fs() + to_fs(delay), payload);
      }
      while (requesting_) sc_core::wait(changed_);
    }
    while (open_ > 0) sc_core::wait(changed_);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (&payload == requesting_) requesting_ = nullptr;
    changed_.notify(sc_core::SC_ZERO_TIME);
    expect(responding_ == nullptr || phase != tlm::BEGIN_RESP, "two responses at a time");
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    responding_ = &payload;
    answered_.push(now_fs() + to_fs(delay) + 4 * fs_per_ns, &payload);
    return tlm::TLM_ACCEPTED;
  }

  void end_responses() {
    for (tlm::tlm_generic_payload* due = nullptr; answered_.pop_due(now_fs(), due);) {
      responding_ = nullptr;
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time delay;
      due->acquire();
      socket_->nb_transport_fw(*due, phase, delay);
      due->release();
      end(*due);
    }
  }

  void end(tlm::tlm_generic_payload& payload) {
    expect(payload.is_response_ok(), "non-blocking: " + payload.get_response_string());
    payload.release();
    --open_;
    changed_.notify(sc_core::SC_ZERO_TIME);
  }

  void check_debug(std::uint64_t at) {
    tlm::tlm_generic_payload payload;
    read_.fill(0);
    set(payload, tlm::TLM_READ_COMMAND, at, read_.data(), block * blocks);
    expect(socket_->transport_dbg(payload) == block * blocks && read_ == written_,
           "debug: not the bytes that were written");
  }

  void check_nothing(std::uint64_t at) { access(tlm::TLM_IGNORE_COMMAND, at, read_.data(), 8); }

  void free(tlm::tlm_generic_payload* payload) override { delete payload; }

  const std::uint64_t near_, far_;
  tlm_utils::simple_initiator_socket<foreign_initiator> socket_;
  memory_initiator_port port_;
  timed_queue<tlm::tlm_generic_payload*> answered_;
  std::array<unsigned char, block * blocks> written_{}, read_{};
  const tlm::tlm_generic_payload* requesting_ = nullptr;
  const tlm::tlm_generic_payload* responding_ = nullptr;
  int open_ = 0;
  sc_core::sc_event changed_;
};

HEDDLE_REGISTER_UNIT(foreign_initiator,
                     describe_unit<foreign_initiator>("foreign_initiator", "a test's"));

}  // namespace
}  // namespace heddle
