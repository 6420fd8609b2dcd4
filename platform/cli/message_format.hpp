// How messages begin: "warning: ", "error: ", "fatal: ", as a netlist names severities.
#pragma once

#include <spdlog/pattern_formatter.h>

#include <memory>

namespace heddle {

class severity_flag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& to) override {
    const bool is_fatal = message.level == spdlog::level::critical;
    const spdlog::string_view_t name =
        is_fatal ? spdlog::string_view_t("fatal") : spdlog::level::to_string_view(message.level);
    to.append(name.data(), name.data() + name.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<severity_flag>();
  }
};

inline std::unique_ptr<spdlog::formatter> message_format() {
  auto made = std::make_unique<spdlog::pattern_formatter>();
  made->add_flag<severity_flag>('*').set_pattern("%*: %v");
  return made;
}

}  // namespace heddle
