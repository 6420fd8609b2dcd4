// A bracket of several indices in a name pattern: "[0..3]", "[7..0]", "[0,2,4..6]".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle {

class index_set {
 public:
  // The one at the front of the text; nothing when the bracket there holds anything else, or one
  // index alone.
  static std::optional<index_set> at_front(std::string_view text);

  std::size_t length() const { return length_; }  // characters, brackets included
  // How many indices stand before this one; nothing when it is not among them.
  std::optional<std::size_t> position_of(std::uint32_t index) const;

 private:
  struct range {
    std::uint32_t first, last;  // last < first counts down
  };
  std::vector<range> ranges_;
  std::size_t length_ = 0;
};

// "[12]" at the front of a name: the index and how many characters that takes.
struct name_index {
  std::uint32_t value = 0;
  std::size_t length = 0;
};
std::optional<name_index> index_at_front(std::string_view name);

}  // namespace heddle
