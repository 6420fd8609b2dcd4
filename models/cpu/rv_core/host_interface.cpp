#include "models/cpu/rv_core/host_interface.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <utility>

namespace heddle {
namespace {

constexpr std::uint64_t put_character = 0x0101;
constexpr unsigned whole_bytes = 8, half_bytes = whole_bytes / 2;

}  // namespace

void host_interface::connect() {
  tohost_ = program_.address_of("tohost");
  fromhost_ = program_.address_of("fromhost");
}

bool host_interface::holds(std::uint64_t address) const {
  if (!tohost_) return false;
  return address == *tohost_ || (hart_.xlen() == 32 && address == *tohost_ + half_bytes);
}

void host_interface::store(std::uint64_t address, unsigned bytes, std::uint64_t value) {
  if (hart_.xlen() == 64 || bytes == whole_bytes) return write(value);
  if (address == *tohost_) {
    lower_ = static_cast<std::uint32_t>(value);
    if (upper_ != 0) return finish();
    hart_.set_limit(0);  // the end of the block is the end of the wait
  } else {
    upper_ = static_cast<std::uint32_t>(value);
    if (lower_) finish();
  }
}

void host_interface::finish() {
  if (!lower_) return;
  const std::uint64_t value = std::uint64_t{std::exchange(upper_, 0)} << 32 | *lower_;
  lower_.reset();
  write(value);
}

void host_interface::write(std::uint64_t value) {
  if (value == 0) return;
  clock_.synchronize();
  if (value >> 48 == put_character) return write_console(static_cast<char>(value));
  if ((value & 1) == 0) return serve(value);
  end_.exit(static_cast<int>(static_cast<std::uint32_t>(value) >> 1));
}

void host_interface::answer(std::uint64_t value) {
  if (fromhost_) write_memory(*fromhost_, &value, sizeof value);
}

void host_interface::write_memory(std::uint64_t address, const void* from, std::uint64_t bytes) {
  if (bus_.try_access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), bytes)) return;
  end_.fail(
      fmt::format("program '{}' wants an answer at {}", program_.name(), bus_.described(address)));
}

void host_interface::write_console(char character) {
  std::fputc(character, stdout);
  std::fflush(stdout);
  answer(put_character << 48);
}

void host_interface::serve(std::uint64_t request) {
  constexpr std::uint64_t write_service = 64, most_bytes = 1 << 20;
  constexpr std::uint64_t standard_output = 1, standard_error = 2;
  std::array<std::uint64_t, 4> words{};
  const bool is_read = bus_.try_read(request, words.data(), sizeof words);
  const auto [service, file, address, bytes] = words;
  std::string text(is_read && bytes <= most_bytes ? bytes : 0, '\0');
  const bool is_open = file == standard_output || file == standard_error;
  if (!is_read || service != write_service || !is_open || !fromhost_ || text.size() != bytes ||
      !bus_.try_read(address, text.data(), bytes))
    end_.fail(fmt::format("program '{}' asks tohost for what there is not ({:#x})", program_.name(),
                          request));
  std::FILE* const to = file == standard_error ? stderr : stdout;
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
  write_memory(request, &bytes, sizeof bytes);
  answer(1);
}

}  // namespace heddle
