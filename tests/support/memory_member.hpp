// A stimulus of the packet plane: an accelerator with real bytes, as an in-switch accelerator sees
// it. Serves what arrives after times that the test decides, fails where it says so, arrives at
// counters, and writes to other members as ordinary traffic.
#pragma once

#include <cstring>
#include <functional>
#include <vector>

#include "platform/time/timed_queue.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/packet_format.hpp"
#include "transactors/packet/packet_response.hpp"
#include "transactors/packet/transmit_queue.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {

class memory_member final : public unit, private packet_receiver {
 public:
  struct arrival {
    fs_t when = 0;  // its last byte
    packet_kind kind = packet_kind::none;
    bool is_inc = false;
    bool is_error = false;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    std::uint64_t word = 0;  // the operand of an atomic addition, or what its response brings
  };

  memory_member(const unit_context& context, std::uint64_t first_address, std::uint32_t size,
                const packet_format& sizes = {128, 16, 16})
      : unit(context),
        base(first_address),
        memory(size),
        id(sim().service<fabric>().add_endpoint(*this, first_address, size)),
        port(*this, *this, "port", 0),
        format_(sizes),
        arrive_(timed_call::to<memory_member, &memory_member::take_arrivals>(*this)),
        wake_(timed_call::to<memory_member, &memory_member::transmit>(*this)),
        released_(timed_queue<packet*>::to<memory_member, &memory_member::release_held>(*this)),
        answers_(timed_queue<packet*>::to<memory_member, &memory_member::answer>(*this)) {}

  // Adds to a word of a device in the network.
  void add(std::uint64_t address, std::uint64_t count) {
    packet& p = request(packet_kind::atomic_request, address, sizeof count);
    p.is_inc = true;
    p.vc = inc_vc_of(p.kind);
    p.payload = payload_slice::allocate(sizeof count);
    std::memcpy(p.payload.data(), &count, sizeof count);
    send(p);
  }
  // Ordinary traffic: a packet into the memory of another member.
  void write(std::uint64_t address, const std::byte* bytes, std::uint32_t count) {
    packet& p = request(packet_kind::write_request, address, count);
    p.payload = payload_slice::allocate(count);
    std::memcpy(p.payload.data(), bytes, count);
    send(p);
  }

  std::byte* at(std::uint64_t offset) { return memory.data() + offset; }
  std::uint32_t word(std::uint64_t offset) const {
    std::uint32_t value = 0;
    std::memcpy(&value, memory.data() + offset, sizeof value);
    return value;
  }
  std::size_t count_of_arrivals(packet_kind kind) const {
    std::size_t count = 0;
    for (const arrival& each : arrivals) count += each.kind == kind ? 1 : 0;
    return count;
  }

  const std::uint64_t base;
  std::vector<std::byte> memory;
  const endpoint_id id;
  packet_port port;
  std::vector<arrival> arrivals;
  bool keeps_arrivals = true;  // false: only the counters below, for long runs
  std::uint64_t responses = 0, errors = 0;
  std::uint64_t asked_bytes = 0, most_asked_bytes = 0;  // of in-network reads, not yet answered
  // From a request's last byte until its response may leave; and until its buffer is free.
  std::function<fs_t(const packet&)> delay = [](const packet&) { return fs_t{0}; };
  std::function<fs_t(const packet&)> hold = [](const packet&) { return fs_t{0}; };
  std::function<bool(const packet&)> fails = [](const packet&) { return false; };
  std::function<void(std::uint64_t offset)> on_added = [](std::uint64_t) {};

 private:
  packet& request(packet_kind kind, std::uint64_t address, std::uint32_t bytes) {
    packet& p = *take_packet();
    p.kind = kind;
    p.source = id;
    p.destination = sim().service<fabric>().find_window(address)->endpoint;
    p.address = address;
    p.payload_bytes = bytes;
    p.train = static_cast<std::uint16_t>(format_.packets(bytes));
    p.wire_bytes = format_.wire_bytes(bytes, p.train);
    p.tag = next_tag_++;
    return p;
  }

  void receive(packet_port&, packet& p) override {
    arriving_.push(p, p.tail);
    arrive_.at(p.tail);
  }
  void take_arrivals() {
    const fs_t now = now_fs();
    while (arriving_.is_due(now)) take(arriving_.pop(), now);
    if (!arriving_.empty()) arrive_.at(arriving_.next_due());
  }
  void take(packet& p, fs_t now) {
    if (keeps_arrivals) note(p, now);
    if (is_response(p.kind)) {
      ++responses;
      errors += p.is_error ? 1 : 0;
      port.release(p, now);
      return give_back(&p);
    }
    const fs_t held = hold(p);
    if (held == 0) return serve(p, now);
    released_.push(now + held, &p);
  }
  void release_held() {
    for (packet* due = nullptr; released_.pop_due(now_fs(), due);) serve(*due, now_fs());
  }
  void note(const packet& p, fs_t now) {
    arrival seen{now, p.kind, p.is_inc, p.is_error, p.address, p.payload_bytes, 0};
    const bool has_word =
        p.kind == packet_kind::atomic_request || p.kind == packet_kind::atomic_response;
    if (has_word) std::memcpy(&seen.word, p.payload.data(), sizeof seen.word);
    arrivals.push_back(seen);
  }

  void serve(packet& p, fs_t now) {
    port.release(p, now);
    const std::uint64_t offset = p.address - base;
    p.is_error = fails(p) || p.address < base || offset + p.payload_bytes > memory.size();
    const fs_t done = now + delay(p);
    if (p.kind == packet_kind::read_request) read(p, offset);
    if (p.kind == packet_kind::write_request) overwrite(p, offset);
    if (p.kind == packet_kind::atomic_request) add_here(p, offset);
    turn_into_response(p, format_);
    if (!p.is_inc) p.vc = vc_partition(port.vcs()).first(p.kind);
    p.tail = done;
    answers_.push(done, &p);
  }
  void read(packet& p, std::uint64_t offset) {
    asked_bytes += p.payload_bytes;
    most_asked_bytes = std::max(most_asked_bytes, asked_bytes);
    if (!p.carries_data) return;
    p.payload = payload_slice::allocate(p.payload_bytes);
    if (!p.is_error) std::memcpy(p.payload.data(), at(offset), p.payload_bytes);
  }
  void overwrite(packet& p, std::uint64_t offset) {
    if (!p.is_error && p.carries_data) std::memcpy(at(offset), p.payload.data(), p.payload_bytes);
  }
  void add_here(packet& p, std::uint64_t offset) {
    if (p.is_error) return;
    std::uint64_t before = 0, operand = 0;
    std::memcpy(&before, at(offset), sizeof before);
    std::memcpy(&operand, p.payload.data(), sizeof operand);
    const std::uint64_t after = before + operand;
    std::memcpy(at(offset), &after, sizeof after);
    p.payload = payload_slice::allocate(sizeof before);
    std::memcpy(p.payload.data(), &before, sizeof before);
    on_added(offset);
  }
  void answer() {
    for (packet* due = nullptr; answers_.pop_due(now_fs(), due);) {
      if (due->kind == packet_kind::read_response) asked_bytes -= due->payload_bytes;
      send(*due);
    }
  }

  void send(packet& p) {
    waiting_.push(p);
    transmit();
  }
  void credits_returned(packet_port&) override { transmit(); }
  void transmit() {
    const fs_t now = now_fs();
    if (waiting_.empty()) return;
    if (port.free_at() > now) return wake_.at(port.free_at());
    packet* next = waiting_.pop_sendable(port, now);
    if (!next) return;
    port.send(*next, now, now);
    if (!waiting_.empty()) wake_.at(port.free_at());
  }

  const packet_format format_;
  std::uint32_t next_tag_ = 0;
  arrival_queue arriving_;
  transmit_queue waiting_;
  timed_call arrive_, wake_;
  timed_queue<packet*> released_, answers_;
};

}  // namespace heddle
