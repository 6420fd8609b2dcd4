#include "models/cpu/rv_core/loaded_program.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>
#include <vector>

#include "models/cpu/rv/hart_bus.hpp"
#include "models/cpu/rv_core/trap_text.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

constexpr unsigned ra = 1;

// Several cores may run one program: the service of a run that knows what has been said of it.
struct warned_programs {
  std::set<std::string> files;
};

bool is_of_hal(const std::string& function) {
  return function.rfind("hal_", 0) == 0;
}

}  // namespace

void loaded_program::read(const std::string& name, const std::string& file, std::uint64_t local) {
  name_ = name;
  image_ = elf_image::read(file);
  if (image_->xlen() != hart_.xlen())
    throw user_error(fmt::format("{}: {} has {} bits, {} has {}", core_.path(), image_->name(),
                                 image_->xlen(), core_.path(), hart_.xlen()));
  symbols_ = symbol_table(*image_);
  if (const auto linked = address_of("__moves_from")) moved_ = local - *linked;
  if (core_.sim().service<warned_programs>().files.insert(file).second)
    for (const std::string& each : image_->warnings()) spdlog::warn("{} {}", file, each);
  hart_.set_pc(image_->entry() + moved_);
}

void loaded_program::load(const bus_view& bus) const {
  for (const elf_segment& each : image_->segments()) load(each, bus);
  check_stack(bus);
}

// The start-up code of sw/start says where the stack begins to grow down.
void loaded_program::check_stack(const bus_view& bus) const {
  const auto linked = address_of("__stack_top");
  if (!linked) return;
  std::uint64_t last = 0;
  const std::uint64_t top = *linked + moved_;
  if (!bus.try_read(top - sizeof last, &last, sizeof last))
    throw user_error(fmt::format("{}: its stack begins at {:#x}, where no memory of {} ends",
                                 image_->name(), top, core_.path()));
}

void loaded_program::load(const elf_segment& segment, const bus_view& bus) const {
  static const std::vector<std::byte> zeros(std::size_t{1} << 16);
  const std::uint64_t bytes = segment.bytes.size() + segment.zeros,
                      begin = segment.address + moved_;
  const auto refuse = [&](const std::string& why) {
    throw user_error(
        fmt::format("{}: the segment of {} bytes at {:#x} {}", image_->name(), bytes, begin, why));
  };
  for (const std::uint64_t at : {begin, begin + bytes - 1})
    if (const std::string name = bus.register_name(at); !name.empty())
      refuse(fmt::format("lies over registers ({}), not memory of {}", name, core_.path()));
  const auto put = [&](std::uint64_t at, const std::byte* from, std::uint64_t count) {
    auto* const data = const_cast<std::byte*>(from);
    if (!bus.try_access(tlm::TLM_WRITE_COMMAND, at, data, count))
      refuse("does not lie in memory of " + core_.path());
  };
  put(begin, segment.bytes.data(), segment.bytes.size());
  for (std::uint64_t done = 0; done < segment.zeros;) {
    const std::uint64_t part = std::min<std::uint64_t>(segment.zeros - done, zeros.size());
    put(begin + segment.bytes.size() + done, zeros.data(), part);
    done += part;
  }
}

bool loaded_program::is_code(std::uint64_t address) const {
  const auto& all = image_->segments();
  return std::any_of(all.begin(), all.end(), [&](const elf_segment& each) {
    return each.is_constant_code && address - each.address - moved_ < each.bytes.size();
  });
}

void loaded_program::watch_code() const {
  constexpr std::uint64_t page = rv::hart_bus::page_bytes;
  for (const elf_segment& each : image_->segments()) {
    if (!each.is_constant_code) continue;
    const std::uint64_t begin = each.address + moved_;
    for (std::uint64_t at = begin / page * page; at < begin + each.bytes.size(); at += page)
      hart_.watch_stores(at);
  }
}

// For an address inside the HAL this is the line that called it, which tells a user more.
code_line loaded_program::line_at(const code_point& point) const {
  if (point.address == 0) return {};
  const bool is_hal = is_of_hal(symbols_.function_at(point.address - moved_));
  const std::uint64_t at = (is_hal ? point.caller - 2 : point.address) - moved_;
  const source_line line = symbols_.line_at(at);
  return {symbols_.function_at(at), line.file, line.line};
}

// Likewise of an address that lies in no known function.
std::string loaded_program::position() const {
  const std::uint64_t pc = hart_.current_pc() - moved_;  // as it was linked
  std::string text = "pc " + symbols_.describe(pc);
  const std::uint64_t call = hart_.reg(ra) - 2 - moved_;
  const std::string function = symbols_.function_at(pc);
  const bool is_lost = function.empty() && !is_handler_missing(hart_);
  if (is_of_hal(function) || (is_lost && !symbols_.function_at(call).empty()))
    text += ", called from " + symbols_.describe(call);
  return text;
}

}  // namespace heddle
