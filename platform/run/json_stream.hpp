// Writes a JSON object to a file member by member, so that large results are never in memory as a
// whole. Looks as if all of it had been written by `dump(1)`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/trace/output_file.hpp"

namespace heddle {

class json_stream {
 public:
  explicit json_stream(output_file& file);

  // Keys are all different; nobody checks that.
  void member(const std::string& key, const nlohmann::ordered_json& value);
  void begin(const std::string& key);  // a member that is an object; end() ends it
  void end();                          // of the object in turn, at last of the whole

 private:
  void start(const std::string& key);
  std::string indent() const { return std::string(is_empty_.size(), ' '); }

  output_file& file_;
  std::vector<bool> is_empty_;  // of the objects that are open
};

}  // namespace heddle
