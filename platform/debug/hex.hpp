// Numbers and bytes as remote debuggers write them: hexadecimal, without prefix.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::hex {

int digit(char c);  // -1: it is none
// Two digits a byte.
std::string from_bytes(std::string_view bytes);
// nullopt where it is not whole bytes of digits.
std::optional<std::string> to_bytes(std::string_view text);
// 1 to 16 digits at the front are read and taken away; nullopt without any, or with more.
std::optional<std::uint64_t> take_number(std::string_view& text);
// The same for all of the text.
std::optional<std::uint64_t> number(std::string_view text);

}  // namespace heddle::hex
