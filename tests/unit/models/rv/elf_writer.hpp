// ELF files made by hand: one segment, some symbols.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct elf_writer {
  int xlen = 64;
  std::uint64_t entry = 0x80000000, address = 0x80000000, zeros = 0;
  std::vector<std::uint32_t> words;
  std::vector<std::pair<std::string, std::uint64_t>> functions;

  std::vector<std::byte> bytes() const {
    return xlen == 64 ? made<Elf64_Ehdr, Elf64_Phdr, Elf64_Shdr, Elf64_Sym>()
                      : made<Elf32_Ehdr, Elf32_Phdr, Elf32_Shdr, Elf32_Sym>();
  }
  void write(const std::string& file) const {
    const std::vector<std::byte> content = bytes();
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()),
               static_cast<std::streamsize>(content.size()));
  }

 private:
  template <class Header, class Program, class Section, class Symbol>
  std::vector<std::byte> made() const {
    std::string names(1, '\0');
    std::vector<Symbol> symbols(1);
    for (const auto& [name, where] : functions) {
      Symbol symbol{};
      symbol.st_name = static_cast<Elf32_Word>(names.size());
      symbol.st_value = static_cast<decltype(symbol.st_value)>(where);
      symbol.st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC);
      symbol.st_shndx = SHN_ABS;
      symbols.push_back(symbol);
      names += name + '\0';
    }
    Header header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = xlen == 64 ? ELFCLASS64 : ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_version = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_RISCV;
    header.e_entry = static_cast<decltype(header.e_entry)>(entry);
    header.e_ehsize = sizeof(Header);
    header.e_phoff = sizeof(Header);
    header.e_phentsize = sizeof(Program);
    header.e_phnum = 1;
    header.e_shentsize = sizeof(Section);
    header.e_shnum = 3;
    header.e_shstrndx = 2;
    Program program{};
    program.p_type = PT_LOAD;
    program.p_flags = PF_R | PF_W | PF_X;
    program.p_offset = sizeof(Header) + sizeof(Program);
    program.p_paddr = program.p_vaddr = static_cast<decltype(program.p_paddr)>(address);
    program.p_filesz = static_cast<decltype(program.p_filesz)>(4 * words.size());
    program.p_memsz = static_cast<decltype(program.p_memsz)>(program.p_filesz + zeros);
    Section sections[3] = {};
    const auto symbols_at = program.p_offset + program.p_filesz;
    sections[1].sh_type = SHT_SYMTAB;
    sections[1].sh_offset = symbols_at;
    sections[1].sh_size =
        static_cast<decltype(sections[1].sh_size)>(symbols.size() * sizeof(Symbol));
    sections[1].sh_entsize = sizeof(Symbol);
    sections[1].sh_link = 2;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = symbols_at + sections[1].sh_size;
    sections[2].sh_size = static_cast<decltype(sections[2].sh_size)>(names.size());
    header.e_shoff = sections[2].sh_offset + sections[2].sh_size;

    std::vector<std::byte> content;
    append(content, &header, sizeof header);
    append(content, &program, sizeof program);
    append(content, words.data(), 4 * words.size());
    append(content, symbols.data(), symbols.size() * sizeof(Symbol));
    append(content, names.data(), names.size());
    append(content, sections, sizeof sections);
    return content;
  }
  static void append(std::vector<std::byte>& to, const void* from, std::size_t count) {
    const auto* first = static_cast<const std::byte*>(from);
    to.insert(to.end(), first, first + count);
  }
};

}  // namespace heddle
