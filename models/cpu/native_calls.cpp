#include "models/cpu/native_calls.hpp"

#include <algorithm>

#include "models/cpu/elf/native_program.hpp"

namespace heddle {

std::unique_ptr<native_calls> native_calls::make(simulation& sim, const std::string& core,
                                                 trace_signal<std::string_view> function) {
  profile_directory& profiles = sim.service<profile_directory>();
  const bool is_profiled = profiles.wants(core);
  if (!is_profiled && !function.enabled()) return nullptr;
  std::unique_ptr<native_calls> made(new native_calls(core, function));
  if (is_profiled) profiles.sources.push_back(made.get());
  return made;
}

// One row a function, whatever the number of its calls in the source.
std::size_t native_calls::row_of(std::uint64_t call_site) {
  const auto [known_site, is_new] = row_of_site_.try_emplace(call_site, 0);
  if (!is_new) return known_site->second;
  const std::string function = native_program::instance().calling_function(call_site);
  const std::string name = function.empty() ? "(no symbol)" : function;
  const auto known = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const function_row& each) { return each.name == name; });
  known_site->second = static_cast<std::size_t>(known - rows_.begin());
  if (known == rows_.end()) {
    rows_.emplace_back();
    rows_.back().name = name;
  }
  return known_site->second;
}

void native_calls::begin(std::uint64_t call_site, fs_t at) {
  const std::size_t row = row_of(call_site);
  begun_at_ = at;
  if (row != row_ || rows_[row].calls == 0) function_.set(rows_[row].name, at, now_fs());
  row_ = row;
  ++rows_[row].calls;
}

void native_calls::add_accesses(std::uint64_t count, fs_t time) {
  rows_[row_].accesses += count;
  rows_[row_].access_time += time;
}

}  // namespace heddle
