// Console: what firmware writes to it appears on standard output, line by line.
//
// Limitations: output alone; a character takes no time.
#pragma once

#include <string>

#include "models/console/console_regs.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

struct console_parameters : parameter_set {};

struct console_counters : statistic_set {
  statistic characters{*this, "characters", quantity::count, "characters written"};
};

class console final : public unit {
 public:
  using parameters = console_parameters;
  using counters = console_counters;
  static std::vector<port_description> port_descriptions();

  console(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }

 private:
  void put(char c);
  void show_line();
  void end_line();

  console_counters counters_;
  console_registers regs_;
  register_socket socket_;
  std::string line_;
  bool is_line_open_ = false;  // it has characters, and perhaps some that are shown already
};

}  // namespace heddle
