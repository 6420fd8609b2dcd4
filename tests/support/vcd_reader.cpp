#include "tests/support/vcd_reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace heddle {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      plain.push_back(text[i]);
    } else if (i + 1 < text.size() && text[i + 1] == '\\') {
      plain.push_back(text[++i]);
    } else if (i + 3 < text.size()) {
      plain.push_back(static_cast<char>(std::stoi(std::string(text.substr(i + 1, 3)), nullptr, 8)));
      i += 3;
    }
  }
  return plain;
}

class vcd_parser {
 public:
  explicit vcd_parser(std::string_view text) : text_(text) {}

  vcd_wave parse() {
    while (!header_done_) declaration(expect_token("a declaration"));
    for (std::string token = next(); !token.empty(); token = next()) command(token);
    if (origin_ != vcd_origin::change) fail("the file ends inside a dump");
    return std::move(wave_);
  }

 private:
  struct declared {
    std::size_t variable;
    std::string last;
    bool has_value = false;
    std::uint64_t changed_at = 0;
    bool changed = false;
    bool dumped = false;
  };

  [[noreturn]] void fail(const std::string& message) const { throw vcd_error(line_, message); }

  // Words apart from blanks; "" at the end.
  std::string next() {
    while (place_ < text_.size() && is_blank(text_[place_])) {
      if (text_[place_++] == '\n') ++line_;
    }
    const std::size_t start = place_;
    while (place_ < text_.size() && !is_blank(text_[place_])) ++place_;
    return std::string(text_.substr(start, place_ - start));
  }

  std::string expect_token(const std::string& what) {
    std::string token = next();
    if (token.empty()) fail("the file ends where " + what + " should be");
    return token;
  }

  void expect_end() {
    if (expect_token("$end") != "$end") fail("$end expected");
  }

  std::string words_to_end() {
    std::string words;
    for (std::string token = expect_token("$end"); token != "$end"; token = expect_token("$end")) {
      words += (words.empty() ? "" : " ") + token;
    }
    return words;
  }

  void declaration(const std::string& keyword) {
    if (keyword == "$version") {
      wave_.version = words_to_end();
    } else if (keyword == "$timescale") {
      wave_.timescale = words_to_end();
    } else if (keyword == "$scope") {
      if (expect_token("'module'") != "module") fail("only modules are expected as scopes");
      scopes_.push_back(expect_token("a scope name"));
      expect_end();
    } else if (keyword == "$upscope") {
      if (scopes_.empty()) fail("$upscope without a scope");
      scopes_.pop_back();
      expect_end();
    } else if (keyword == "$var") {
      variable();
    } else if (keyword == "$enddefinitions") {
      expect_end();
      finish_header();
    } else {
      fail("unknown declaration '" + keyword + "'");
    }
  }

  void variable() {
    vcd_variable added;
    added.type = expect_token("a type");
    added.width = std::atoi(expect_token("a width").c_str());
    const std::string identifier = expect_token("an identifier");
    for (const std::string& scope : scopes_) added.name += scope + ".";
    added.name += expect_token("a name");
    expect_end();

    static const std::set<std::string> types = {"wire", "integer", "real", "string"};
    if (types.count(added.type) == 0) fail("unknown type '" + added.type + "'");
    if (added.width < 1 || added.width > 64) fail("'" + added.name + "' has a bad width");
    if (!names_.insert(added.name).second) fail("'" + added.name + "' is declared twice");
    if (!variables_.emplace(identifier, declared{wave_.variables.size(), ""}).second) {
      fail("identifier '" + identifier + "' is declared twice");
    }
    wave_.variables.push_back(added);
  }

  void finish_header() {
    if (!scopes_.empty()) fail("scope '" + scopes_.back() + "' is not closed");
    if (wave_.timescale.empty()) fail("no $timescale");
    header_done_ = true;
  }

  void command(const std::string& token) {
    switch (token.front()) {
      case '#':
        return time(token);
      case '$':
        return dump(token);
      case 'b':
      case 'r':
      case 's': {
        // An empty string is a lone 's', so the identifier is always the next word.
        return value(token.front(), token.substr(1), expect_token("an identifier"));
      }
      case '0':
      case '1':
      case 'x':
      case 'z':
        return value('1', token.substr(0, 1), token.substr(1));
      default:
        fail("'" + token + "' is neither a time, a value nor a dump");
    }
  }

  void time(const std::string& token) {
    if (origin_ != vcd_origin::change) fail("a time inside a dump");
    char* end = nullptr;
    const std::uint64_t when = std::strtoull(token.c_str() + 1, &end, 10);
    if (token.size() < 2 || *end != '\0') fail("bad time '" + token + "'");
    if (timed_ && when <= wave_.end) fail("time " + token + " does not grow");
    timed_ = true;
    wave_.end = when;
  }

  void dump(const std::string& token) {
    if (token == "$end") {
      if (origin_ == vcd_origin::change) fail("$end without a dump");
      for (const auto& [identifier, entry] : variables_) {
        if (!entry.dumped) fail("the dump misses '" + wave_.variables[entry.variable].name + "'");
      }
      origin_ = vcd_origin::change;
      return;
    }
    if (origin_ != vcd_origin::change || !timed_) fail("'" + token + "' is out of place");
    if (token == "$dumpvars") {
      origin_ = vcd_origin::dumpvars;
    } else if (token == "$dumpoff") {
      origin_ = vcd_origin::dumpoff;
    } else if (token == "$dumpon") {
      origin_ = vcd_origin::dumpon;
    } else {
      fail("unknown command '" + token + "'");
    }
    if ((origin_ == vcd_origin::dumpvars) == dumped_) fail("'" + token + "' is out of place");
    dumped_ = true;
    for (auto& [identifier, entry] : variables_) entry.dumped = false;
  }

  void value(char kind, const std::string& text, const std::string& identifier) {
    const auto found = variables_.find(identifier);
    if (found == variables_.end()) fail("identifier '" + identifier + "' is not declared");
    if (!timed_ || !dumped_) fail("a value before the first time and $dumpvars");
    declared& entry = found->second;
    const vcd_variable& variable = wave_.variables[entry.variable];
    const std::string read = checked(kind, text, variable);
    if (origin_ == vcd_origin::change) {
      if (entry.changed && entry.changed_at == wave_.end) fail("second value of " + variable.name);
      if (entry.has_value && entry.last == read) fail("'" + variable.name + "' does not change");
      entry.changed = true;
      entry.changed_at = wave_.end;
    } else {
      if (entry.dumped) fail("'" + variable.name + "' is dumped twice");
      entry.dumped = true;
    }
    entry.has_value = true;
    entry.last = read;
    wave_.values.push_back({wave_.end, variable.name, read, origin_});
  }

  std::string checked(char kind, const std::string& text, const vcd_variable& variable) const {
    const char expected = variable.type == "string" ? 's'
                          : variable.type == "real" ? 'r'
                          : variable.width > 1      ? 'b'
                                                    : kind;
    if (kind != expected || ((kind == 's' || kind == 'r') && variable.type == "wire")) {
      fail("'" + variable.name + "' is a " + variable.type + " of " +
           std::to_string(variable.width) + ", not '" + kind + text + "'");
    }
    if (kind == 's') return unescaped(text);
    if (kind == 'r') {
      char* end = nullptr;
      std::strtod(text.c_str(), &end);
      if (text.empty() || *end != '\0') fail("bad real '" + text + "'");
      return text;
    }
    if (text.empty() || text.find_first_not_of("01xz") != std::string::npos) {
      fail("bad digits '" + text + "'");
    }
    if (text.size() > static_cast<std::size_t>(variable.width)) {
      fail("'" + variable.name + "' has " + std::to_string(variable.width) + " bits, not '" + text +
           "'");
    }
    const std::size_t first = text.find_first_not_of('0');
    return first == std::string::npos ? "0" : text.substr(first);
  }

  std::string_view text_;
  std::size_t place_ = 0;
  int line_ = 1;
  vcd_wave wave_;
  std::vector<std::string> scopes_;
  std::set<std::string> names_;
  std::map<std::string, declared> variables_;  // by identifier
  bool header_done_ = false;
  bool timed_ = false;
  bool dumped_ = false;
  vcd_origin origin_ = vcd_origin::change;  // of the values that come now
};

std::string described(const vcd_value& value) {
  return value.name + " = '" + value.value + "' at " + std::to_string(value.when) + " fs";
}

std::vector<vcd_value> in_comparable_order(std::vector<vcd_value> values) {
  std::stable_sort(values.begin(), values.end(), [](const vcd_value& a, const vcd_value& b) {
    return std::tie(a.when, a.origin, a.name) < std::tie(b.when, b.origin, b.name);
  });
  return values;
}

std::vector<vcd_variable> in_comparable_order(std::vector<vcd_variable> variables) {
  std::sort(variables.begin(), variables.end(),
            [](const vcd_variable& a, const vcd_variable& b) { return a.name < b.name; });
  return variables;
}

}  // namespace

vcd_error::vcd_error(int line, const std::string& message)
    : std::runtime_error("line " + std::to_string(line) + ": " + message) {}

bool vcd_variable::operator==(const vcd_variable& other) const {
  return name == other.name && type == other.type && width == other.width;
}

bool vcd_value::operator==(const vcd_value& other) const {
  return when == other.when && name == other.name && value == other.value && origin == other.origin;
}

vcd_wave parse_vcd(std::string_view text) {
  return vcd_parser(text).parse();
}

vcd_wave read_vcd(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_vcd(text);
}

std::string first_difference(const vcd_wave& expected, const vcd_wave& actual) {
  if (expected.timescale != actual.timescale) return "timescale is " + actual.timescale;

  const auto variables = in_comparable_order(expected.variables);
  const auto other_variables = in_comparable_order(actual.variables);
  const auto variable = std::mismatch(variables.begin(), variables.end(), other_variables.begin(),
                                      other_variables.end());
  if (variable.first != variables.end()) return "variable " + variable.first->name + " differs";
  if (variable.second != other_variables.end()) return "new variable " + variable.second->name;

  const auto values = in_comparable_order(expected.values);
  const auto others = in_comparable_order(actual.values);
  const auto value = std::mismatch(values.begin(), values.end(), others.begin(), others.end());
  const bool missing = value.first != values.end();
  const bool added = value.second != others.end();
  if (missing && added) return described(*value.first) + ", but now " + described(*value.second);
  if (missing) return described(*value.first) + " is missing";
  if (added) return described(*value.second) + " is new";
  if (expected.end != actual.end) return "the wave ends at " + std::to_string(actual.end) + " fs";
  return "";
}

}  // namespace heddle
