// Natively built firmware by name. heddle_add_firmware() (tools/cmake/firmware.cmake) generates the
// call that registers an app; the netlist names it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle {

class firmware_registry final {
 public:
  // The app's main. Cores of all ranks run the same one: it keeps no state outside its stack.
  using entry_point = int (*)();

  static firmware_registry& instance();

  // std::logic_error when the name is taken.
  void add(const std::string& name, entry_point entry);

  entry_point find(const std::string& name) const;  // nullptr when there is none
  std::vector<std::string> names() const;           // sorted

 private:
  std::map<std::string, entry_point> entries_;
};

}  // namespace heddle
