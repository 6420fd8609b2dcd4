// Text that many objects hold, such as the name of a netlist's file: equal texts are one copy,
// which stays until the process ends. Safe to use in several threads.
#pragma once

#include <string>

namespace heddle {

class shared_text {
 public:
  shared_text();  // ""
  shared_text(const std::string& text);
  shared_text(const char* text) : shared_text(std::string(text)) {}

  const std::string& str() const { return *text_; }
  operator const std::string&() const { return *text_; }
  bool empty() const { return text_->empty(); }

  friend bool operator==(const shared_text& a, const shared_text& b) { return a.text_ == b.text_; }
  friend bool operator!=(const shared_text& a, const shared_text& b) { return !(a == b); }
  friend bool operator==(const shared_text& a, const char* b) { return *a.text_ == b; }
  friend bool operator!=(const shared_text& a, const char* b) { return !(a == b); }

 private:
  const std::string* text_;
};

}  // namespace heddle
