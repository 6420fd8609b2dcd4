#include "models/cpu/elf/elf_image.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/cpu/elf/open_elf.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/input_file.hpp"

namespace heddle {
namespace {

class parser {
 public:
  parser(const std::vector<std::byte>& content, std::string name)
      : content_(content), name_(std::move(name)) {
    if (content.empty()) refuse("the file is empty");
    elf_ = open_elf_bytes(content);
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) refuse("not an ELF file");
    if (!gelf_getehdr(elf_.get(), &header_)) refuse("the header is cut off");
    if (header_.e_ident[EI_DATA] != ELFDATA2LSB) refuse("not for little-endian RISC-V");
    check_tables();
  }

  int xlen() const {
    if (header_.e_machine != EM_RISCV)
      refuse(fmt::format("not for little-endian RISC-V (machine {})", header_.e_machine));
    check_abi();
    if (header_.e_type != ET_EXEC)
      refuse("not linked to fixed addresses (link with -static, without -pie)");
    return gelf_getclass(elf_.get()) == ELFCLASS64 ? 64 : 32;
  }
  // Inside a segment that is code.
  std::uint64_t entry() const {
    const std::uint64_t entry = header_.e_entry;
    if (entry % 2 != 0) refuse(fmt::format("its entry point {:#x} is odd", entry));
    for (const GElf_Phdr& each : loaded())
      if (is_code(each) && entry - each.p_vaddr < each.p_memsz) return entry;
    refuse(fmt::format("its entry point {:#x} lies in no executable segment", entry));
  }

  // What is odd about the program, which is loaded all the same.
  std::vector<std::string> warnings() const {
    std::vector<std::string> found;
    const std::vector<GElf_Phdr> all = loaded();
    if (std::any_of(all.begin(), all.end(), [](const auto& each) { return each.p_flags == 0; }))
      found.emplace_back("has segments without flags, which are taken as code and data");
    return found;
  }

  std::vector<elf_segment> segments() const {
    std::size_t count = 0;
    if (elf_getphdrnum(elf_.get(), &count) != 0) refuse("the program headers are cut off");
    std::vector<elf_segment> found;
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (!gelf_getphdr(elf_.get(), static_cast<int>(i), &header))
        refuse(fmt::format("program header {} is cut off", i));
      if (header.p_type == PT_LOAD && header.p_memsz > 0) found.push_back(segment(header, i));
    }
    if (found.empty()) refuse("nothing in it is to be loaded");
    return found;
  }

  std::vector<elf_symbol> symbols() const {
    std::vector<elf_symbol> found;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_entsize > 0)
        add_symbols(section, header, found);
    }
    return found;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw user_error(name_ + ": " + reason);
  }

  // What the psABI of RISC-V says in e_flags: floats in registers, or 16 registers alone.
  static constexpr std::uint32_t float_abi = 6, quad_float = 6, rve = 8;

  const char* base_abi() const {
    return gelf_getclass(elf_.get()) == ELFCLASS64 ? "lp64" : "ilp32";
  }
  void check_abi() const {
    if ((header_.e_flags & rve) != 0)
      refuse(fmt::format("built for {}e: the core has 32 registers (RVI, not RVE)", base_abi()));
    if ((header_.e_flags & float_abi) == quad_float)
      refuse(fmt::format("built for {}q: the core has no quadruple precision", base_abi()));
  }

  std::vector<GElf_Phdr> loaded() const {
    std::vector<GElf_Phdr> found;
    std::size_t count = 0;
    elf_getphdrnum(elf_.get(), &count);
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (gelf_getphdr(elf_.get(), static_cast<int>(i), &header) && header.p_type == PT_LOAD)
        found.push_back(header);
    }
    return found;
  }
  // Linker scripts of bare programs may leave the flags out.
  static bool is_code(const GElf_Phdr& segment) {
    return segment.p_flags == 0 || (segment.p_flags & PF_X) != 0;
  }

  // Where a table is broken, libelf finds less, and symbols would be missing without a word.
  void check_tables() const {
    const bool is_wide = gelf_getclass(elf_.get()) == ELFCLASS64;
    const std::size_t program = is_wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    const std::size_t section = is_wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    if (header_.e_phnum != 0 && header_.e_phentsize != program)
      refuse(fmt::format("a program header has {} bytes, not {} (e_phentsize)", header_.e_phentsize,
                         program));
    if (header_.e_shoff == 0) {
      if (header_.e_shnum != 0) refuse("there are sections, but no section headers (e_shoff)");
      return;
    }
    if (header_.e_shentsize != section)
      refuse(fmt::format("a section header has {} bytes, not {} (e_shentsize)", header_.e_shentsize,
                         section));
    if (header_.e_shoff > content_.size() ||
        header_.e_shnum > (content_.size() - header_.e_shoff) / section)
      refuse(fmt::format("the {} section headers at {:#x} reach beyond the end of the file",
                         header_.e_shnum, header_.e_shoff));
    if (header_.e_shnum != 0 && header_.e_shstrndx >= header_.e_shnum)
      refuse(fmt::format("there is no section {} with the names of sections (e_shstrndx)",
                         header_.e_shstrndx));
  }

  elf_segment segment(const GElf_Phdr& header, std::size_t number) const {
    const auto broken = [&](const std::string& what) {
      refuse(fmt::format("segment {} at {:#x} {}", number, header.p_paddr, what));
    };
    const std::uint64_t size = content_.size();
    if (header.p_offset > size || header.p_filesz > size - header.p_offset)
      broken("reaches beyond the end of the file");
    if (header.p_filesz > header.p_memsz) broken("is longer in the file than in memory");
    if (header.p_memsz > elf_image::most_segment_bytes) broken("is longer than 1 GiB");
    if (header.p_paddr > UINT64_MAX - header.p_memsz) broken("wraps around");
    const std::uint64_t skipped = header.p_offset == 0 ? headers_in(header) : 0;
    const auto first = content_.begin() + static_cast<std::ptrdiff_t>(header.p_offset);
    elf_segment made;
    made.address = header.p_paddr + skipped;
    made.bytes.assign(first + static_cast<std::ptrdiff_t>(skipped),
                      first + static_cast<std::ptrdiff_t>(header.p_filesz));
    made.zeros = header.p_memsz - header.p_filesz;
    made.is_constant_code = (header.p_flags & PF_X) != 0 && (header.p_flags & PF_W) == 0;
    return made;
  }

  // Bytes of the segment before its first section: some linkers put the file's own headers there,
  // in front of the memory that the program was linked to.
  std::uint64_t headers_in(const GElf_Phdr& segment) const {
    std::uint64_t skipped = segment.p_filesz;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header) || (header.sh_flags & SHF_ALLOC) == 0) continue;
      if (header.sh_addr >= segment.p_vaddr)
        skipped = std::min(skipped, header.sh_addr - segment.p_vaddr);
    }
    return skipped == segment.p_filesz ? 0 : skipped;
  }

  void add_symbols(Elf_Scn* section, const GElf_Shdr& header,
                   std::vector<elf_symbol>& found) const {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (!data) return;
    const auto count = static_cast<int>(data->d_size / header.sh_entsize);
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, i, &symbol)) return;
      const char* text = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
      const int type = GELF_ST_TYPE(symbol.st_info);
      const bool is_wanted = type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC;
      if (!text || *text == 0 || symbol.st_shndx == SHN_UNDEF || !is_wanted) continue;
      const bool is_label = type == STT_NOTYPE && *text != '.' && *text != '$' && is_code(symbol);
      found.push_back({text, symbol.st_value, symbol.st_size, type == STT_FUNC || is_label});
    }
  }

  bool is_code(const GElf_Sym& symbol) const {
    GElf_Shdr header;
    Elf_Scn* const section = elf_getscn(elf_.get(), symbol.st_shndx);
    return section && gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR) != 0;
  }

  const std::vector<std::byte>& content_;
  const std::string name_;
  open_elf elf_;
  GElf_Ehdr header_{};
};

}  // namespace

elf_image elf_image::parse(std::vector<std::byte> content, const std::string& name) {
  elf_image made;
  made.name_ = name;
  made.content_ = std::move(content);
  const parser parsed(made.content_, name);
  made.xlen_ = parsed.xlen();
  made.segments_ = parsed.segments();
  made.entry_ = parsed.entry();
  made.symbols_ = parsed.symbols();
  made.warnings_ = parsed.warnings();
  return made;
}

std::vector<std::byte> read_elf_file(const std::string& file) {
  std::ifstream in = open_input_file(file);
  std::vector<std::byte> content;
  constexpr std::size_t piece = 1 << 20;
  while (in) {
    const std::size_t before = content.size();
    content.resize(before + piece);
    in.read(reinterpret_cast<char*>(content.data() + before), piece);
    content.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw user_error(file + ": cannot be read");
  return content;
}

std::vector<elf_symbol> read_elf_symbols(const std::vector<std::byte>& content,
                                         const std::string& name) {
  return parser(content, name).symbols();
}

elf_image elf_image::read(const std::string& file) {
  return parse(read_elf_file(file), file);
}

const elf_symbol* elf_image::object_at(std::uint64_t address) const {
  for (const elf_symbol& each : symbols_)
    if (!each.is_function && address - each.address < each.bytes) return &each;
  return nullptr;
}

std::optional<std::uint64_t> elf_image::address_of(const std::string& symbol) const {
  for (const elf_symbol& each : symbols_)
    if (each.name == symbol) return each.address;
  return std::nullopt;
}

}  // namespace heddle
