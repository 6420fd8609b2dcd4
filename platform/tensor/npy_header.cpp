#include "platform/tensor/npy_header.hpp"

#include <cstring>
#include <limits>
#include <string_view>

namespace heddle {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t version_at = 6;
constexpr std::size_t length_at = 8;
constexpr std::size_t longest_dictionary = 65536;

std::size_t little_endian(const std::byte* bytes, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value |= std::to_integer<std::size_t>(bytes[i]) << (8 * i);
  }
  return value;
}

// The subset of Python literals that NumPy writes: {'key': value, ...} with each key once.
class dictionary_parser final {
 public:
  dictionary_parser(std::string_view text, std::size_t text_at, const std::string& name)
      : text_(text), text_at_(text_at), name_(name) {}

  void parse_into(npy_header& header) {
    expect('{');
    while (peek() != '}') {
      parse_entry(header);
      if (peek() == ',') {
        ++next_;
      } else if (peek() != '}') {
        fail("expected ',' or '}'");
      }
    }
    ++next_;
    if (header.descr_at == 0) fail("the header has no 'descr'");
    if (header.fortran_order_at == 0) fail("the header has no 'fortran_order'");
    if (header.shape_at == 0) fail("the header has no 'shape'");
    if (peek() != end_of_text) fail("text after the header's dictionary");
  }

 private:
  static constexpr char end_of_text = '\0';  // a NUL in the file is an error like any other

  [[noreturn]] void fail(const std::string& message) const {
    throw npy_error(name_, at(), message);
  }

  std::size_t at() const { return text_at_ + next_; }

  // The next character that is not white space.
  char peek() {
    while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\n')) ++next_;
    if (next_ == text_.size()) return end_of_text;
    if (text_[next_] == end_of_text) fail("a NUL in the header");
    return text_[next_];
  }

  void expect(char wanted) {
    if (peek() != wanted) fail(std::string("expected '") + wanted + "'");
    ++next_;
  }

  void parse_entry(npy_header& header) {
    if (peek() != '\'' && peek() != '"') fail("expected a key or '}'");
    const std::size_t key_at = at();
    const std::string key = parse_string();
    expect(':');
    peek();
    if (key == "descr") {
      first_time(header.descr_at, key);
      if (peek() == '[') fail("structured types are not supported");
      header.descr = parse_string();
    } else if (key == "fortran_order") {
      first_time(header.fortran_order_at, key);
      header.fortran_order = parse_bool();
    } else if (key == "shape") {
      first_time(header.shape_at, key);
      header.shape = parse_shape();
    } else {
      throw npy_error(
          name_, key_at,
          "unknown key " + npy_quoted(key) + " (only 'descr', 'fortran_order' and 'shape')");
    }
  }

  void first_time(std::size_t& place, const std::string& key) const {
    if (place != 0) fail("'" + key + "' appears twice");
    place = at();
  }

  std::string parse_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("expected a string");
    const std::size_t end = text_.find(quote, next_ + 1);
    if (end == std::string_view::npos) fail("the string does not end");
    const std::string_view content = text_.substr(next_ + 1, end - next_ - 1);
    if (content.find('\\') != std::string_view::npos) fail("escapes are not supported");
    next_ = end + 1;
    return std::string(content);
  }

  bool parse_bool() {
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(next_, word.size()) == word) {
        next_ += word.size();
        return value;
      }
    }
    fail("expected True or False");
  }

  // Python's tuples: (), (3,), (3, 4) or (3, 4,); (3) is a number.
  std::vector<std::size_t> parse_shape() {
    std::vector<std::size_t> shape;
    expect('(');
    while (peek() != ')') {
      if (shape.size() == npy_max_dimensions) fail("more than 64 dimensions");
      shape.push_back(parse_size());
      if (peek() == ',') {
        ++next_;
      } else if (peek() != ')' || shape.size() == 1) {
        fail("expected ','");
      }
    }
    ++next_;
    return shape;
  }

  std::size_t parse_size() {
    if (peek() == '-') fail("a dimension is negative");
    const std::size_t first = next_;
    std::size_t value = 0;
    while (next_ < text_.size() && text_[next_] >= '0' && text_[next_] <= '9') {
      const auto digit = static_cast<std::size_t>(text_[next_] - '0');
      if (value > (std::numeric_limits<std::size_t>::max() - digit) / 10) {
        fail("a dimension is too large");
      }
      value = value * 10 + digit;
      ++next_;
    }
    if (next_ == first) fail("expected a dimension or ')'");
    if (text_[first] == '0' && next_ - first > 1) fail("a dimension has leading zeros");
    return value;
  }

  std::string_view text_;
  std::size_t text_at_;
  const std::string& name_;
  std::size_t next_ = 0;
};

}  // namespace

npy_header parse_npy_header(const std::byte* bytes, std::size_t size, const std::string& name) {
  if (size < magic.size() || std::memcmp(bytes, magic.data(), magic.size()) != 0) {
    throw npy_error(name, 0, "not an .npy file (those begin with \\x93NUMPY)");
  }
  if (size < length_at) throw npy_error(name, size, "the file ends before its version");
  const auto major = std::to_integer<unsigned>(bytes[version_at]);
  const auto minor = std::to_integer<unsigned>(bytes[version_at + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw npy_error(name, version_at,
                    "version " + std::to_string(major) + "." + std::to_string(minor) +
                        " is unknown (1.0, 2.0 and 3.0 are known)");
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t text_at = length_at + length_bytes;
  if (size < text_at) throw npy_error(name, size, "the file ends before its header");
  const std::size_t length = little_endian(bytes + length_at, length_bytes);
  if (length > longest_dictionary || length > size - text_at) {
    throw npy_error(name, length_at,
                    "header says " + std::to_string(length) + " bytes, but " +
                        std::to_string(size - text_at) + " follow and " +
                        std::to_string(longest_dictionary) + " are allowed");
  }
  npy_header header;
  const auto* text = reinterpret_cast<const char*>(bytes + text_at);
  dictionary_parser(std::string_view(text, length), text_at, name).parse_into(header);
  header.data_at = text_at + length;
  return header;
}

user_error npy_error(const std::string& name, std::size_t at, const std::string& message) {
  return {source_place{name, 0, 0}, "byte " + std::to_string(at) + ": " + message};
}

std::string npy_quoted(const std::string& text) {
  constexpr std::size_t longest = 32;
  std::string quoted = "'";
  for (const char c : text.substr(0, longest)) quoted += c >= ' ' && c <= '~' ? c : '?';
  return quoted + (text.size() > longest ? "...'" : "'");
}

}  // namespace heddle
