#include "models/cpu/rv/hart.hpp"

#include <algorithm>
#include <cstring>

#include "models/cpu/rv/block_builder.hpp"

namespace heddle::rv {

namespace {

// The handler of the trap that was taken last begins here.
template <class X>
bool is_handler(const csr_file<X>& csrs, X pc) {
  X mtvec = 0, mcause = 0;
  csrs.read(static_cast<unsigned>(csr::mtvec), {}, mtvec);
  csrs.read(static_cast<unsigned>(csr::mcause), {}, mcause);
  const X base = mtvec & ~X{3};
  const bool is_interrupt = (mcause >> (csr_file<X>::xlen - 1)) != 0;
  const bool is_vectored = (mtvec & 3) == 1 && is_interrupt;
  return pc == base + (is_vectored ? static_cast<X>(4 * mcause) : 0);
}

// An exception at the first instruction of the handler of exceptions, which no machine state
// changes: it would be taken again and again. Loads and stores are left out, a device may answer
// later.
template <class X>
bool traps_for_ever(const csr_file<X>& csrs, trap_cause cause, X pc) {
  if (cause != trap_cause::illegal_instruction && cause != trap_cause::breakpoint) return false;
  X mtvec = 0, mepc = 0;
  csrs.read(static_cast<unsigned>(csr::mtvec), {}, mtvec);
  csrs.read(static_cast<unsigned>(csr::mepc), {}, mepc);
  return pc == (mtvec & ~X{3}) && mepc != 0;
}

bool is_time(unsigned number) {
  switch (static_cast<csr>(number)) {
    case csr::cycle:
    case csr::cycleh:
    case csr::time:
    case csr::timeh:
    case csr::mcycle:
    case csr::mcycleh:
      return true;
    default:
      return false;
  }
}

}  // namespace

// While this lives, the counters are as they stand at an instruction inside the block.
template <class X>
class hart<X>::precise_counters {
 public:
  precise_counters(hart& h, const operation<X>* at)
      : hart_(h), index_(h.index(at)), cycles_(h.detail(at).cycles_before) {
    hart_.cycles_ += cycles_;
    hart_.instructions_ += index_;
    hart_.calling_ = at;
  }
  ~precise_counters() {
    hart_.cycles_ -= cycles_;
    hart_.instructions_ -= index_;
    hart_.calling_ = nullptr;
    hart_.is_shown_as_done_ = false;
  }
  precise_counters(const precise_counters&) = delete;
  precise_counters& operator=(const precise_counters&) = delete;

 private:
  hart& hart_;
  const std::uint64_t index_, cycles_;
};

template <class X>
hart<X>::hart(hart_bus& bus, const cycle_costs& costs, bool serves_misaligned)
    : bus_(bus), costs_(costs), serves_misaligned_(serves_misaligned) {}

template <class X>
hart<X>::~hart() = default;

template <class X>
stop_reason hart<X>::run(std::uint64_t cycle_limit) {
  cycle_limit_ = cycle_limit;
  stop_ = stop_reason::cycles;
  is_stopped_ = false;
  if (is_one_wanted_ || is_at_breakpoint_ || is_at_watch_) {
    if (is_one_wanted_ && is_at_handler_) return end_step();
    execute_one();
    if (is_one_wanted_ && stop_ == stop_reason::wait) return end_step();  // WFI may end at once
    if (is_stopped_) return stop_;
    if (is_one_wanted_) return end_step();
    if (is_due()) return stop_;
  }
  return observer_ ? run_blocks<true>() : run_blocks<false>();
}

template <class X>
template <bool is_observed>
stop_reason hart<X>::run_blocks() {
  block<X>* at = find(pc_);
  for (;;) {
    current_ = at;
    const operation<X>* first = at->operations.data();
    block_exit<X>* way = first->run(*this, first);
    cycles_ += way->cycles;
    instructions_ += way->instructions;
    if constexpr (is_observed) tell_observer(way);
    at = way->to;
    if (!at) {
      pc_ = way->pc;
      if (is_stopped_) return stop_;
      if (is_one_wanted_) return end_step();
      at = find(pc_);
      if (is_rejoining_) {
        is_rejoining_ = false;
        continue;
      }
      if (way != &detour_) way->to = at;
    }
    if (cycles_ >= cycle_limit_) {
      pc_ = at->pc;
      return stop_;
    }
  }
}

template <class X>
block<X>* hart<X>::find(X pc) {
  if (is_code_stale_) {
    is_code_stale_ = false;
    known_.fill({});
    blocks_.clear();
    current_ = nullptr;
  }
  known_block& known = known_[index_of(pc)];
  if (known.pc == pc) return known.code;
  auto& code = blocks_[pc];
  if (!code) code = build_block<X>(pc, bus_, costs_, breakpoints_, traces_instructions_);
  known = {pc, code.get()};
  return known.code;
}

template <class X>
std::uint64_t hart<X>::current_pc() const {
  if (!calling_) return pc_;
  const operation_detail& here = detail(calling_);
  const unsigned done = is_shown_as_done_ ? here.source.bytes : 0;
  return static_cast<X>(current_->pc + here.pc_offset + done);
}

template <class X>
void hart<X>::forget_direct_pages() {
  readable_.clear();
  writable_.clear();
}

template <class X>
void hart<X>::watch_stores(std::uint64_t address) {
  if (is_store_watched(static_cast<X>(address))) return;
  watched_pages_.push_back(static_cast<X>(address) / hart_bus::page_bytes);
  writable_.clear();
}

template <class X>
bool hart<X>::is_store_watched(X address) const {
  const X page = address / hart_bus::page_bytes;
  return std::find(watched_pages_.begin(), watched_pages_.end(), page) != watched_pages_.end();
}

template <class X>
bool hart<X>::load_slowly(const operation<X>* at, X address, unsigned bytes, std::uint64_t& value) {
  if (stop_before_access(at, address, bytes, true, false)) return false;
  if (address % bytes != 0) {
    if (serves_misaligned_) return load_parts(at, address, bytes, value);
    take_trap(at, trap_cause::load_misaligned, address);
    return false;
  }
  if (read(at, address, bytes, value)) return true;
  take_trap(at, trap_cause::load_access, address);
  return false;
}

template <class X>
bool hart<X>::store_slowly(const operation<X>* at, X address, unsigned bytes, std::uint64_t value) {
  if (stop_before_access(at, address, bytes, false, true)) return false;
  if (address % bytes != 0) {
    if (serves_misaligned_) return store_parts(at, address, bytes, value);
    take_trap(at, trap_cause::store_misaligned, address);
    return false;
  }
  if (write(at, address, bytes, value)) return true;
  take_trap(at, trap_cause::store_access, address);
  return false;
}

template <class X>
bool hart<X>::read(const operation<X>* at, X address, unsigned bytes, std::uint64_t& value) {
  value = 0;
  if (unsigned char* page = bus_.direct_page(address)) {
    if (!is_on_watched_page(address)) readable_.add(address, page);
    std::memcpy(&value, page + address % hart_bus::page_bytes, bytes);
    return true;
  }
  const precise_counters precise(*this, at);
  return bus_.load(address, bytes, value);
}

template <class X>
bool hart<X>::write(const operation<X>* at, X address, unsigned bytes, std::uint64_t value) {
  if (unsigned char* page = is_store_watched(address) ? nullptr : bus_.direct_page(address)) {
    if (!is_on_watched_page(address)) writable_.add(address, page);
    std::memcpy(page + address % hart_bus::page_bytes, &value, bytes);
    return true;
  }
  const precise_counters precise(*this, at);
  return bus_.store(address, bytes, value);
}

template <class X>
bool hart<X>::modify_on_bus(const operation<X>* at, const atomic_access& access,
                            std::uint64_t& before) {
  const bool is_waited_for = access.operation == atomic_operation::compare_and_swap ||
                             at->rd != sink || acquires(detail(at).source);
  const precise_counters precise(*this, at);
  return is_waited_for ? bus_.modify(access, before) : bus_.post_modify(access);
}

// Byte by byte; the trap, if there is one, names the byte that nobody has.
template <class X>
bool hart<X>::load_parts(const operation<X>* at, X address, unsigned bytes, std::uint64_t& value) {
  value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    std::uint64_t part = 0;
    if (!load_slowly(at, address + i, 1, part)) return false;
    value |= (part & 0xff) << (8 * i);
  }
  return true;
}

template <class X>
bool hart<X>::store_parts(const operation<X>* at, X address, unsigned bytes, std::uint64_t value) {
  for (unsigned i = 0; i < bytes; ++i)
    if (!store_slowly(at, address + i, 1, value >> (8 * i) & 0xff)) return false;
  return true;
}

template <class X>
void hart<X>::fence(const operation<X>* at) {
  const precise_counters precise(*this, at);
  bus_.fence(true);
}

// Posted stores are all that may still be under way, so only a fence with writes to memory or
// device output in its predecessor set waits. PAUSE is a fence with an empty successor set.
template <class X>
void hart<X>::fence_as_encoded(const operation<X>* at) {
  constexpr std::uint32_t write = 1, output = 4;
  const std::uint32_t before = detail(at).source.bits >> 24, after = detail(at).source.bits >> 20;
  if ((before & (write | output)) == 0 || (after & 0xf) == 0) return;
  const precise_counters precise(*this, at);
  bus_.fence((before & write) != 0 && (after & output) != 0);
}

template <class X>
block_exit<X>* hart<X>::leave(const operation<X>* at, X pc, bool is_executed) {
  const operation_detail& here = detail(at);
  detour_.pc = pc;
  detour_.cycles = here.cycles_before + (is_executed ? costs_[class_of(here.source.op)] : 0);
  detour_.instructions = static_cast<std::uint32_t>(index(at)) + (is_executed ? 1 : 0);
  return &detour_;
}

template <class X>
void hart<X>::take_trap(const operation<X>* at, trap_cause cause, X value) {
  const X pc = current_->pc + static_cast<X>(detail(at).pc_offset);
  is_leaving_ = is_inside_block_ = false;
  const bool is_lost = (cause == trap_cause::fetch_access && is_handler(csrs_, pc)) ||
                       traps_for_ever(csrs_, cause, pc);
  if (!csrs_.has_handler() || is_lost) {  // a handler that is not there would trap for ever
    unhandled_ = {cause, pc, value};
    stop_ = stop_reason::unhandled;
    is_stopped_ = true;
    leave(at, pc, false);
    return;
  }
  leave(at, csrs_.enter_trap(pc, static_cast<X>(cause), value), false);
  if (observer_) observer_->traps(pc, detour_.pc, cycles_ + detour_.cycles);
  detour_.cycles += costs_.trap;
}

template <class X>
block_exit<X>* hart<X>::trap(const operation<X>* at, trap_cause cause, X value) {
  take_trap(at, cause, value);
  return &detour_;
}

template <class X>
block_exit<X>* hart<X>::refuse_instruction(const operation<X>* at) {
  return trap(at, trap_cause::illegal_instruction, static_cast<X>(detail(at).source.bits));
}

template <class X>
bool hart<X>::take_interrupt() {
  if (!csrs_.is_interrupted()) return false;
  const X pc = pc_;
  pc_ = csrs_.enter_trap(pc, csrs_.interrupt_cause(), 0);
  is_at_handler_ = is_one_wanted_;
  if (observer_) observer_->traps(pc, pc_, cycles_);
  cycles_ += costs_.trap;
  return true;
}

template <class X>
block_exit<X>* hart<X>::return_from_trap(const operation<X>* at) {
  is_reserved_ = false;
  leave(at, csrs_.leave_trap(), true);
  set_limit(0);  // an interrupt may be pending
  return &detour_;
}

template <class X>
block_exit<X>* hart<X>::wait_for_interrupt(const operation<X>* at) {
  const operation_detail& here = detail(at);
  is_in_idle_loop_ = here.source.op == opcode::jal;
  stop_ = stop_reason::wait;
  is_stopped_ = true;
  const X pc = current_->pc + static_cast<X>(here.pc_offset);
  return leave(at, is_in_idle_loop_ ? pc : pc + here.source.bytes, true);
}

// The hart's own stores come before what it fetches from now on. The block ends here anyway, so a
// debugger that has asked meanwhile for it to be left needs nothing more.
template <class X>
block_exit<X>* hart<X>::synchronize_code(const operation<X>* at) {
  const operation_detail& here = detail(at);
  {
    const precise_counters precise(*this, at);
    bus_.fence(false);
  }
  is_leaving_ = is_inside_block_ = false;
  forget_code();
  return leave(at, current_->pc + static_cast<X>(here.pc_offset) + here.source.bytes, true);
}

template <class X>
block_exit<X>* hart<X>::access_csr(const operation<X>* at) {
  const operation_detail here = detail(at);
  const instruction& i = here.source;
  const bool is_immediate = i.op >= opcode::csrrwi;
  const X operand = is_immediate ? X{i.rs1} : x[i.rs1];
  const bool is_swap = i.op == opcode::csrrw || i.op == opcode::csrrwi;
  const bool is_set = i.op == opcode::csrrs || i.op == opcode::csrrsi;
  const bool reads = !is_swap || i.rd != 0;
  const bool writes = is_swap || i.rs1 != 0;
  const auto number = static_cast<unsigned>(i.imm);
  const auto refused = [&] { return trap(at, trap_cause::illegal_instruction, i.bits); };

  counter_values counters;
  X before = 0;
  bool is_read = true;
  {
    const precise_counters precise(*this, at);
    counters = {cycles_, instructions_, bus_.time()};
    if (reads) is_read = csrs_.read(number, counters, before);
  }
  if (!is_read) return refused();
  if (is_time(number)) bus_.time_is_read();
  if (writes) {
    const X value = is_swap ? operand : is_set ? before | operand : before & ~operand;
    counter_values next = counters;
    ++next.instret;
    next.cycle += costs_[instruction_class::system];
    if (!csrs_.write(number, counters, next, value)) return refused();
    set_limit(0);  // an interrupt may be enabled now
  }
  if (i.rd != 0) x[i.rd] = before;
  return leave(at, current_->pc + static_cast<X>(here.pc_offset) + i.bytes, true);
}

template <class X>
bool hart<X>::read_csr(unsigned number, std::uint64_t& value) const {
  X found = 0;
  const bool exists = csrs_.read(number, {cycles_, instructions_, bus_.time()}, found) ||
                      csrs_.read_float(number, found);
  value = found;
  return exists;
}

template <class X>
bool hart<X>::write_csr(unsigned number, std::uint64_t value) {
  const counter_values now{cycles_, instructions_, bus_.time()};
  const auto written = static_cast<X>(value);
  return csrs_.write(number, now, now, written) || csrs_.write_float(number, written);
}

template class hart<std::uint32_t>;
template class hart<std::uint64_t>;

std::unique_ptr<any_hart> make_hart(int xlen, hart_bus& bus, const cycle_costs& costs,
                                    bool serves_misaligned) {
  if (xlen == 32) return std::make_unique<hart<std::uint32_t>>(bus, costs, serves_misaligned);
  return std::make_unique<hart<std::uint64_t>>(bus, costs, serves_misaligned);
}

}  // namespace heddle::rv
