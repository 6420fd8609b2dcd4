#include "models/cpu/elf/symbol_table.hpp"

#include <elfutils/libdw.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "models/cpu/elf/open_elf.hpp"

namespace heddle {
namespace {

// The last element whose address is not above; end() when there is none.
template <class Rows>
typename Rows::const_iterator at_or_before(const Rows& rows, std::uint64_t address) {
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), address,
                       [](std::uint64_t wanted, const auto& row) { return wanted < row.address; });
  return after == rows.begin() ? rows.end() : after - 1;
}

// The segments that are code, of program or shared object.
class code_segments {
 public:
  explicit code_segments(Elf* elf) {
    std::size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (gelf_getphdr(elf, static_cast<int>(i), &header) && header.p_type == PT_LOAD &&
          (header.p_flags & PF_X) != 0)
        segments_.push_back(header);
    }
  }
  // An end of code is the address behind it.
  bool hold(std::uint64_t address, bool is_end) const {
    return std::any_of(segments_.begin(), segments_.end(), [=](const GElf_Phdr& each) {
      return address - each.p_vaddr - (is_end ? 1 : 0) < each.p_memsz;
    });
  }

 private:
  std::vector<GElf_Phdr> segments_;
};

// Gives every source file a number, its index in a list of names. Successive rows mostly belong to
// one file, whose name they point to, so that a row whose pointer did not change needs no search.
class file_numbers {
 public:
  explicit file_numbers(std::vector<std::string>& files) : files_(files) {}

  std::uint32_t of(const char* name) {
    if (name == last_name_) return last_;
    last_name_ = name;
    std::string_view path(name);
    if (path.substr(0, 2) == "./") path.remove_prefix(2);
    const auto [found, is_new] =
        numbers_.try_emplace(std::string(path), static_cast<std::uint32_t>(files_.size()));
    if (is_new) files_.emplace_back(path);
    return last_ = found->second;
  }

 private:
  std::vector<std::string>& files_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  const char* last_name_ = nullptr;
  std::uint32_t last_ = 0;
};

struct close_dwarf {
  void operator()(Dwarf* open) const { dwarf_end(open); }
};

}  // namespace

symbol_table::symbol_table(const std::vector<std::byte>& content,
                           const std::vector<elf_symbol>& symbols) {
  read_functions(symbols);
  read_lines(content);
}

// Assembly labels are functions too, unless they lie inside one.
void symbol_table::read_functions(const std::vector<elf_symbol>& symbols) {
  std::vector<elf_symbol> found;
  for (const elf_symbol& each : symbols)
    if (each.is_function) found.push_back(each);
  std::stable_sort(found.begin(), found.end(), [](const elf_symbol& a, const elf_symbol& b) {
    return a.address != b.address ? a.address < b.address : a.bytes > b.bytes;
  });
  std::uint64_t end = 0;  // of the function before
  for (elf_symbol& each : found) {
    if (each.bytes == 0 && each.address < end) continue;
    end = std::max(end, each.address + each.bytes);
    functions_.push_back(std::move(each));
  }
}

// A thread of its own reads the rows. The library takes more stack for a large program than threads
// of firmware have left, and it is during their accesses that the first line is asked for.
void symbol_table::read_lines(const std::vector<std::byte>& content) {
  if (content.empty()) return;
  try {
    std::thread([&] { read_rows(content); }).join();
  } catch (const std::system_error&) {  // the system gives none
    read_rows(content);
  }
}

// Of functions that the linker has discarded, lines are left, at addresses near 0.
void symbol_table::read_rows(const std::vector<std::byte>& content) {
  const open_elf elf = open_elf_bytes(content);
  if (!elf) return;
  const std::unique_ptr<Dwarf, close_dwarf> dwarf(
      dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr));
  if (!dwarf) return;
  const code_segments code(elf.get());
  file_numbers files(files_);
  Dwarf_Off at = 0, next = 0;
  std::size_t header_bytes = 0;
  while (dwarf_nextcu(dwarf.get(), at, &next, &header_bytes, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    Dwarf_Lines* rows = nullptr;
    std::size_t count = 0;
    if (dwarf_offdie(dwarf.get(), at + header_bytes, &unit) &&
        dwarf_getsrclines(&unit, &rows, &count) == 0) {
      for (std::size_t i = 0; i < count; ++i) {
        Dwarf_Line* row = dwarf_onesrcline(rows, i);
        Dwarf_Addr address = 0;
        int line = 0;
        bool is_end = false;
        const char* file = dwarf_linesrc(row, nullptr, nullptr);
        if (!file || dwarf_lineaddr(row, &address) != 0 || dwarf_lineno(row, &line) != 0 ||
            dwarf_lineendsequence(row, &is_end) != 0 || !code.hold(address, is_end))
          continue;
        lines_.push_back({address, files.of(file), is_end ? 0 : line});
      }
    }
    at = next;
  }
  // Where one sequence ends another may begin: its row comes last.
  std::stable_sort(lines_.begin(), lines_.end(), [](const line_row& a, const line_row& b) {
    return a.address != b.address ? a.address < b.address : a.line == 0 && b.line != 0;
  });
}

std::string symbol_table::function_at(std::uint64_t address) const {
  const auto found = at_or_before(functions_, address);
  if (found == functions_.end()) return {};
  const bool is_inside = found->bytes == 0 || address - found->address < found->bytes;
  return is_inside ? found->name : std::string();
}

function_range symbol_table::range_at(std::uint64_t address) const {
  function_range range;
  const auto found = at_or_before(functions_, address);
  const auto next = found == functions_.end() ? functions_.begin() : found + 1;
  if (next != functions_.end()) range.end = next->address;
  if (found == functions_.end()) return range;
  range.first = found->address;
  if (found->bytes != 0 && address - found->address >= found->bytes) {
    range.first += found->bytes;
    return range;
  }
  range.index = static_cast<std::size_t>(found - functions_.begin());
  if (found->bytes != 0) range.end = std::min(range.end, found->address + found->bytes);
  return range;
}

source_line symbol_table::line_at(std::uint64_t address) const {
  const auto found = at_or_before(lines_, address);
  if (found == lines_.end() || found->line == 0) return {};
  return {files_[found->file], found->line};
}

std::string symbol_table::describe(std::uint64_t address) const {
  std::string text = fmt::format("{:#x}", address);
  const std::string function = function_at(address);
  if (!function.empty()) text += " in " + function;
  const source_line line = line_at(address);
  if (!line.file.empty()) text += fmt::format(" ({}:{})", line.file, line.line);
  return text;
}

}  // namespace heddle
