// How a model names its registers: regs.channel[3].status.state.set(...). Handles are pointers with
// types, copied freely; they live no longer than the register_file.
//
// A model sees and sets the stored bits whatever the access kind says: that binds the bus alone.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "platform/registers/register_cell.hpp"

namespace heddle {

// T: std::uint32_t or std::uint64_t, as wide as the register.
template <class T>
class register_handle {
 public:
  explicit register_handle(register_cell& cell) : cell_(&cell) {}

  T value() const { return static_cast<T>(cell_->value); }
  void set(T value) const {
    assert((value & ~cell_->known_bits()) == 0 && "sets bits outside the fields");
    cell_->value = value;
    cell_->note_cause();
    cell_->show();
  }
  // Counters run freely: beyond the width of the register they start from zero again.
  void add(T more) const { set(static_cast<T>(value() + more)); }

  const register_cell& cell() const { return *cell_; }

  // callback(T before, T now) runs after each write from the bus that changed the stored bits as
  // the access kinds say, also when it left them as they were.
  template <class Callback>
  void on_write(Callback callback) const {
    register_hooks& hooks = cell_->wanted_hooks();
    assert(!hooks.after_write && "a register has one write callback");
    hooks.after_write = [callback = std::move(callback)](std::uint64_t before,
                                                         std::uint64_t now) mutable {
      callback(static_cast<T>(before), static_cast<T>(now));
    };
  }

  // T callback() says what the register holds, and has no side effects: it is asked by reads, by
  // debuggers, by contract rules and before a write of some of the bytes.
  template <class Callback>
  void computed_by(Callback callback) const {
    on_read(std::move(callback));
    cell_->is_computed = true;
  }

  // T callback() runs before each read from the bus; what it returns is stored, then read. It may
  // have side effects, so a debugger does not see what a read would find.
  template <class Callback>
  void on_read(Callback callback) const {
    register_hooks& hooks = cell_->wanted_hooks();
    assert(!hooks.before_read && "a register has one read callback");
    hooks.before_read = [callback = std::move(callback)]() mutable -> std::uint64_t {
      return static_cast<T>(callback());
    };
  }

 private:
  template <class Value, class Storage, unsigned low, unsigned width>
  friend class register_field;

  register_cell* cell_;
};

// Value: the field's enumeration, or T where its values have no names. The bus can write values
// that no enumerator has: a switch over get() needs its default.
template <class Value, class T, unsigned low, unsigned width>
class register_field {
 public:
  explicit register_field(const register_handle<T>& owner) : cell_(owner.cell_) {}

  Value get() const { return static_cast<Value>((cell_->value >> low) & mask); }
  void set(Value value) const {
    const auto bits = static_cast<std::uint64_t>(value);
    assert((bits & ~mask) == 0 && "the value is wider than the field");
    cell_->value = (cell_->value & ~(mask << low)) | (bits << low);
    cell_->note_cause();
    cell_->show();
  }

 private:
  static constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);

  register_cell* cell_;
};

// Base of the generated groups of registers that an array repeats.
class register_element {
 public:
  explicit register_element(register_cell* first) : first_(first) {}

 protected:
  register_cell& cell(std::size_t index) const { return first_[index]; }

 private:
  register_cell* first_;
};

// Makes the handles of an element when asked; the compiler keeps the one that is used.
template <class Element, std::size_t count, std::size_t registers_per_element>
class register_array {
 public:
  explicit register_array(register_cell& first) : first_(&first) {}

  Element operator[](std::size_t index) const {
    assert(index < count);
    return Element(first_ + index * registers_per_element);
  }
  static constexpr std::size_t size() { return count; }

 private:
  register_cell* first_;
};

}  // namespace heddle
