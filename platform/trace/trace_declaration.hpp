// What a sink knows of a signal before the first change.
#pragma once

#include <cstdint>
#include <string>

#include "platform/trace/trace_states.hpp"

namespace heddle {

enum class trace_kind : std::uint8_t {
  bit,
  vector,   // unsigned, 1 to 64 bits
  integer,  // signed, 64 bits
  real,
  state,  // one of a table of names
  text,   // any string
};

struct trace_declaration {
  std::string path;  // of the unit: "gpu[0].dma"
  std::string leaf;  // of the signal in it: "state"
  trace_kind kind = trace_kind::bit;
  int width = 1;        // bits, for vectors
  trace_states states;  // for states
  // It says more about another signal of the unit, as the bytes of the packet on a wire do: it is
  // written out, never drawn as a curve.
  bool is_label = false;

  std::string name() const { return path + "." + leaf; }
  // Whether its values are words.
  bool has_names() const { return kind == trace_kind::state || kind == trace_kind::text; }
};

}  // namespace heddle
