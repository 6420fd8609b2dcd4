#include "models/console/console.hpp"

#include <cstdio>

#include "platform/services/end_of_run.hpp"
#include "platform/unit/simulation.hpp"

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
  regs_.data.on_write([this](std::uint32_t, std::uint32_t now) {
    ++counters_.characters;
    put(static_cast<char>(now));
  });
  sim().service<end_of_run>().actions.emplace_back([this] { end_line(); });
}

// A last line that firmware has not ended is ended here: results begin on a line of their own.
void console::end_line() {
  if (is_line_open_) put('\n');
}

void console::put(char c) {
  constexpr std::size_t longest = 4096;
  line_ += c;
  is_line_open_ = c != '\n';
  if (!is_line_open_ || line_.size() == longest) show_line();
}

void console::show_line() {
  std::fwrite(line_.data(), 1, line_.size(), stdout);
  std::fflush(stdout);
  line_.clear();
}

}  // namespace heddle
