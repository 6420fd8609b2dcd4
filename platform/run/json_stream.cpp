#include "platform/run/json_stream.hpp"

namespace heddle {

json_stream::json_stream(output_file& file) : file_(file), is_empty_{true} {
  file_.write("{");
}

void json_stream::start(const std::string& key) {
  file_.write(is_empty_.back() ? "\n" : ",\n");
  is_empty_.back() = false;
  file_.write(indent() + nlohmann::ordered_json(key).dump() + ": ");
}

// Texts within have no line breaks: JSON escapes them.
void json_stream::member(const std::string& key, const nlohmann::ordered_json& value) {
  start(key);
  const std::string text = value.dump(1);
  std::size_t written = 0;
  for (std::size_t end; (end = text.find('\n', written)) != std::string::npos; written = end + 1) {
    file_.write(std::string_view(text).substr(written, end + 1 - written));
    file_.write(indent());
  }
  file_.write(std::string_view(text).substr(written));
}

void json_stream::begin(const std::string& key) {
  start(key);
  file_.write("{");
  is_empty_.push_back(true);
}

void json_stream::end() {
  const bool was_empty = is_empty_.back();
  is_empty_.pop_back();
  file_.write(was_empty ? "}" : "\n" + indent() + "}");
}

}  // namespace heddle
