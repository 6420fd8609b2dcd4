// Declares the signals of one unit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "platform/trace/trace_signal.hpp"
#include "platform/trace/trace_stream.hpp"

namespace heddle {

class trace_scope {
 public:
  trace_scope() = default;  // its signals are never traced
  trace_scope(trace_stream& stream, std::string path) : stream_(&stream), path_(std::move(path)) {}

  trace_scope child(std::string_view name) const {
    trace_scope scope = *this;
    scope.path_.append(".").append(name);
    return scope;
  }

  trace_signal<bool> bit(std::string_view leaf) const {
    return trace_signal<bool>(declare(leaf, trace_kind::bit, 1));
  }
  trace_signal<std::uint64_t> vector(std::string_view leaf, int width) const {
    return trace_signal<std::uint64_t>(declare(leaf, trace_kind::vector, width));
  }
  trace_signal<std::int64_t> integer(std::string_view leaf) const {
    return trace_signal<std::int64_t>(declare(leaf, trace_kind::integer, 64));
  }
  trace_signal<double> real(std::string_view leaf) const {
    return trace_signal<double>(declare(leaf, trace_kind::real, 64));
  }
  // Enumerators count from 0 in the order of the names.
  template <class Enum>
  trace_signal<Enum> state(std::string_view leaf, const trace_states& states) const {
    static_assert(std::is_enum_v<Enum>);
    return trace_signal<Enum>(declare(leaf, trace_kind::state, 64, states));
  }
  // Looks every value up in a table and keeps each different one: not for hot paths.
  trace_signal<std::string_view> text(std::string_view leaf) const {
    return trace_signal<std::string_view>(declare(leaf, trace_kind::text, 64));
  }
  // What says more about another signal (trace_declaration::is_label).
  trace_signal<std::string_view> text_label(std::string_view leaf) const {
    return trace_signal<std::string_view>(declare(leaf, trace_kind::text, 64, {}, true));
  }
  trace_signal<std::uint64_t> number_label(std::string_view leaf, int width) const {
    return trace_signal<std::uint64_t>(declare(leaf, trace_kind::vector, width, {}, true));
  }

 private:
  trace_channel* declare(std::string_view leaf, trace_kind kind, int width,
                         const trace_states& states = {}, bool is_label = false) const {
    if (stream_ == nullptr) return nullptr;
    return stream_->declare({path_, std::string(leaf), kind, width, states, is_label});
  }

  trace_stream* stream_ = nullptr;
  std::string path_;
};

}  // namespace heddle
