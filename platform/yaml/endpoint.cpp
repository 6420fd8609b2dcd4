#include "platform/yaml/endpoint.hpp"

#include <fmt/format.h>

#include "platform/text/quote.hpp"
#include "platform/yaml/expression_parser.hpp"

namespace heddle {
namespace {

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class endpoint_reader final {
 public:
  endpoint_reader(std::string_view text, const variables& known) : text_(text), known_(known) {}

  endpoint_path read() {
    endpoint_path path;
    do {
      path.segments.push_back(read_segment());
    } while (accept('.'));
    if (at_ < text_.size()) {
      throw expression_error(at_, "expected '.' or '[', got " + quoted(text_.substr(at_, 1)));
    }
    return path;
  }

 private:
  bool accept(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  endpoint_segment read_segment() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    if (at_ == begin) throw expression_error(at_, "a name is missing");
    endpoint_segment segment{std::string(text_.substr(begin, at_ - begin)), {}};
    while (accept('[')) segment.indices.push_back(read_index(segment.name));
    return segment;
  }

  std::int64_t read_index(const std::string& name) {
    const std::size_t begin = at_;
    expression_parser parser(text_, at_, known_);
    const expression_value value = parser.read();
    parser.expect(']');
    at_ = parser.offset();
    const auto* const index = std::get_if<std::int64_t>(&value);
    if (index != nullptr && *index >= 0) return *index;
    throw expression_error(begin, fmt::format("index {} of '{}' is not {}", value_text(value), name,
                                              index == nullptr ? "an integer" : "0 or more"));
  }

  std::string_view text_;
  const variables& known_;
  std::size_t at_ = 0;
};

}  // namespace

std::string endpoint_path::text() const {
  std::string result;
  for (const endpoint_segment& segment : segments) {
    if (!result.empty()) result += '.';
    result += segment.name;
    for (const std::int64_t index : segment.indices) result += fmt::format("[{}]", index);
  }
  return result;
}

endpoint_path parse_endpoint(std::string_view text, const variables& known) {
  return endpoint_reader(text, known).read();
}

}  // namespace heddle
