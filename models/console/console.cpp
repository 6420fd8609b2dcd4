#include "models/console/console.hpp"

#include <cstdio>

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(console,
                     describe_unit<console>("console", "characters from firmware to the terminal",
                                            console_regs::markdown));

}  // namespace

std::vector<port_description> console::port_descriptions() {
  return {{"registers", "memory target", "the register block"}};
}

console::console(const unit_context& context, const parameters&)
    : unit(context), regs_(context), socket_(*this, "registers", regs_) {
  regs_.data.on_write([this](std::uint32_t, std::uint32_t now) { put(static_cast<char>(now)); });
}

console::~console() {
  show_line();
}

void console::put(char c) {
  constexpr std::size_t longest = 4096;
  ++counters_.characters;
  line_ += c;
  if (c == '\n' || line_.size() == longest) show_line();
}

void console::show_line() {
  std::fwrite(line_.data(), 1, line_.size(), stdout);
  std::fflush(stdout);
  line_.clear();
}

}  // namespace heddle
