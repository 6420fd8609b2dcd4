// Headers that a protocol adds to its packets: typed, pooled, counted in the packet's wire bytes,
// and there also with `data: off`. A packet holds at most one; those that hold none pay a pointer.
//
//   struct target_list final : pooled_header<target_list> {
//     std::vector<std::uint16_t> targets;
//     std::uint32_t wire_bytes() const override { return 16 * ((targets.size() + 7) / 8); }
//     void clear() { targets.clear(); }  // before it waits for its next packet
//   };
//   p.header.attach<target_list>().targets = {3, 5};
//   if (auto* list = p.header.as<target_list>()) ...
#pragma once

#include <cstdint>
#include <utility>

#include "platform/pool/object_pool.hpp"

namespace heddle {

class packet_header {
 public:
  // On the wire, of the whole train; part of packet::wire_bytes.
  virtual std::uint32_t wire_bytes() const = 0;
  virtual packet_header& clone() const = 0;
  virtual void give_back() = 0;  // to the pool of its type
  bool is_of(const void* type) const { return type_ == type; }

 protected:
  explicit packet_header(const void* type) : type_(type) {}
  packet_header(const packet_header&) = default;
  packet_header& operator=(const packet_header&) = default;
  ~packet_header() = default;

 private:
  const void* type_;
};

template <class Header>
class pooled_header : public packet_header {
 public:
  static Header& take() { return shared_pool<Header>().take(); }
  static std::size_t in_use() { return shared_pool<Header>().in_use(); }

  packet_header& clone() const final {
    Header& copy = take();
    copy = static_cast<const Header&>(*this);
    return copy;
  }
  void give_back() final { shared_pool<Header>().give_back(static_cast<Header&>(*this)); }

  static const void* type() {
    static const char unique = 0;
    return &unique;
  }

 protected:
  pooled_header() : packet_header(type()) {}
  ~pooled_header() = default;
};

// A packet's header. A copy has a header of its own, as each copy of a multicast does.
class header_handle {
 public:
  header_handle() = default;
  header_handle(const header_handle& other)
      : held_(other.held_ ? &other.held_->clone() : nullptr) {}
  header_handle(header_handle&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  header_handle& operator=(header_handle other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~header_handle() {
    if (held_) held_->give_back();
  }

  explicit operator bool() const { return held_ != nullptr; }
  const void* address() const { return held_; }  // to prefetch it
  std::uint32_t wire_bytes() const { return held_ ? held_->wire_bytes() : 0; }

  // A fresh header, in place of what was there.
  template <class Header>
  Header& attach() {
    Header& fresh = Header::take();
    reset();
    held_ = &fresh;
    return fresh;
  }
  // nullptr when there is none, or one of another type.
  template <class Header>
  Header* as() const {
    return held_ && held_->is_of(Header::type()) ? static_cast<Header*>(held_) : nullptr;
  }
  void reset() {
    if (held_) std::exchange(held_, nullptr)->give_back();
  }

 private:
  packet_header* held_ = nullptr;
};

}  // namespace heddle
