#include "platform/cli/help_format.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "platform/cli/exit_codes.hpp"

namespace heddle {
namespace {

// A list without its brackets; "": there is none.
std::string default_of(const CLI::Option& option) {
  std::string text = option.get_default_str();
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
    text = text.substr(1, text.size() - 2);
  return text;
}

class help_format final : public CLI::Formatter {
 public:
  // The base class has the default behind the type, as in "INT:INT in [1 - 99]=1".
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = Formatter::make_option_opts(option);
    const std::string shown = "=" + option->get_default_str();
    const std::size_t at = text.find(shown);
    if (shown.size() > 1 && at != std::string::npos) text.erase(at, shown.size());
    return text;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return option_text(*option);
  }
};

}  // namespace

std::string option_text(const CLI::Option& option) {
  const std::string value = default_of(option);
  return option.get_description() + (value.empty() ? "" : " (default: " + value + ")");
}

void set_up_help(CLI::App& program) {
  program.option_defaults()->always_capture_default();
  program.formatter(std::make_shared<help_format>());
  program.footer(std::string("Exit codes: ") + exit_codes);
}

}  // namespace heddle
