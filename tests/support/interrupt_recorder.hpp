// Sees an interrupt line go up and down.
#pragma once

#include <utility>
#include <vector>

#include "platform/unit/unit.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class interrupt_recorder final : public unit, private interrupt_sink {
 public:
  explicit interrupt_recorder(const unit_context& context)
      : unit(context), port_(*this, "irq", *this, 0) {}

  std::vector<std::pair<fs_t, bool>> changes;

 private:
  void set_interrupt(int, bool is_up) override { changes.emplace_back(now_fs(), is_up); }

  interrupt_input_port port_;
};

}  // namespace heddle
