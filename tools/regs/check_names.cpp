#include "tools/regs/check_names.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "tools/regs/naming.hpp"

namespace heddle::regs {
namespace {

using word_set = std::set<std::string>;

word_set words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

const word_set keywords = words_of(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t"
    " char32_t char8_t class co_await co_return co_yield compl concept const const_cast"
    " consteval constexpr constinit continue decltype default delete do double dynamic_cast"
    " else enum explicit export extern false float for friend goto if inline int long mutable"
    " namespace new noexcept not not_eq nullptr operator or or_eq private protected public"
    " register reinterpret_cast requires restrict return short signed sizeof static"
    " static_assert static_cast struct switch template this thread_local throw true try"
    " typedef typeid typename union unsigned using virtual void volatile wchar_t while xor"
    " xor_eq");

// Members of register_file, register_element and register_handle, which generated ones would hide.
// Likewise their types, which the generated classes name.
const word_set block_members = words_of(
    "b_transport transport_dbg is_told_by_reads_alone report trace description path find"
    " register_name cells name_of cell register_handle register_array");
const word_set handle_members =
    words_of("value set add cell on_write computed_by on_read register_field");
// Macros of the headers that generated code includes, as far as their names may be those of parts
// of a block: names of errors, limits, orders of bytes.
const word_set library_macros = words_of(
    "errno"
    " BIG_ENDIAN BUFSIZ BYTE_ORDER CHAR_BIT CHAR_MAX CHAR_MIN EOF EXIT_FAILURE EXIT_SUCCESS"
    " FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL INFINITY INT_MAX INT_MIN"
    " LITTLE_ENDIAN LONG_MAX LONG_MIN NAN NULL PDP_ENDIAN RAND_MAX SEEK_CUR SEEK_END SEEK_SET"
    " SIZE_MAX TMP_MAX UINT_MAX ULONG_MAX WEOF E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV"
    " EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT"
    " EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK"
    " EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH"
    " EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED"
    " EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX"
    " ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL"
    " ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT"
    " ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC"
    " ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK"
    " ENOTSUP ENOTTY ENOTUNIQ ENXIO EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE"
    " EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL"
    " EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT"
    " ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL");

void check_word(const std::string& name, const word_set& taken, const source_place& place) {
  if (keywords.count(name) != 0) {
    throw user_error(place, fmt::format("name '{}' is a word of the C++ language", name));
  }
  if (taken.count(name) != 0) {
    throw user_error(place, fmt::format("name '{}' is taken by the generated code", name));
  }
  if (library_macros.count(name) != 0) {
    throw user_error(place, fmt::format("name '{}' is a macro of the C library", name));
  }
}

// Remembers who has a name first.
class ledger {
 public:
  explicit ledger(std::string message) : message_(std::move(message)) {}

  void claim(const std::string& name, const source_place& place) {
    const auto [first, is_new] = first_.emplace(name, place);
    if (is_new) return;
    throw user_error(
        place, fmt::format("{} '{}'; the first is in line {}", message_, name, first->second.line));
  }

 private:
  std::string message_;
  std::map<std::string, source_place> first_;
};

void check_registers(const std::vector<reg>& registers, ledger& names) {
  for (const reg& one : registers) {
    check_word(one.name, block_members, one.place);
    names.claim(one.name, one.place);
    ledger fields("second field");
    for (const field& part : one.fields) {
      check_word(part.name, handle_members, part.place);
      fields.claim(part.name, part.place);
      for (const named_value& value : part.values) check_word(value.name, {}, value.place);
    }
  }
}

// "a_b" with field "c" and "a" with field "b_c" differ in the block, but not in C.
void check_macros(const block& checked) {
  ledger macros("two things get the name");
  macros.claim(macro(checked, "block_size"), checked.place);
  macros.claim(macro(checked, "block_id"), checked.place);
  for (const reg_array& array : checked.arrays) {
    macros.claim(macro(checked, array.name + "_count"), array.place);
    macros.claim(macro(checked, array.name + "_stride"), array.place);
  }
  for_each_register(checked, [&](const reg& one, const reg_array* array) {
    const std::string front = macro(checked, stem(one, array));
    macros.claim(front, one.place);
    macros.claim(front + "_RESET_VALUE", one.place);
    for (const field& part : one.fields) {
      const std::string name = front + "_" + upper_case(part.name);
      for (const char* end : {"_MASK", "_POS", "_WIDTH"}) macros.claim(name + end, part.place);
      for (const named_value& value : part.values) {
        macros.claim(name + "_" + value.name, value.place);
      }
    }
  });
}

// What dma_regs declares, apart from constants that end in _offset.
void check_types(const block& checked) {
  ledger types("two things get the name");
  for (const char* own : {"block_size", "markdown", "description", "tables"}) {
    types.claim(own, checked.place);
  }
  for (const reg_array& array : checked.arrays) {
    types.claim(array.name + "_count", array.place);
    types.claim(array.name + "_element", array.place);
  }
  for_each_register(checked, [&](const reg& one, const reg_array* array) {
    const std::string name = stem(one, array);
    types.claim(name + "_offset", one.place);
    if (!one.fields.empty()) types.claim(name + "_register", one.place);
    for (const field& part : one.fields) {
      if (part.values.empty()) continue;
      types.claim(name + "_" + part.name, part.place);
      types.claim(name + "_" + part.name + "_names", part.place);
    }
  });
}

}  // namespace

void check_names(const block& checked) {
  check_word(checked.name, {}, checked.place);
  ledger outside("second register or array");
  check_registers(checked.registers, outside);
  for (const reg_array& array : checked.arrays) {
    check_word(array.name, block_members, array.place);
    outside.claim(array.name, array.place);
    ledger inside("second register");
    check_registers(array.registers, inside);
  }
  check_macros(checked);
  check_types(checked);
}

}  // namespace heddle::regs
