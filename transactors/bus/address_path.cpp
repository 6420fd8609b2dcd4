#include "transactors/bus/address_path.hpp"

#include <algorithm>
#include <cstddef>

namespace heddle {
namespace {

// Buses behind each other: far more than any system has.
constexpr std::size_t most_buses = 64;
// Pieces of address ranges to look at, for maps that cut each other to pieces at every turn.
constexpr std::size_t most_pieces = 1'000'000;

class path_search {
 public:
  explicit path_search(const address_forwarder& first) : path_{&first} {}

  bool is_endless(const address_forwarder& bus, const address_interval& addresses) {
    path_.push_back(&bus);
    if (path_.size() > most_buses) return true;
    for (const address_forwarder::way& each : bus.ways()) {
      const address_interval passing = {std::max(addresses.first, each.addresses.first),
                                        std::min(addresses.last, each.addresses.last)};
      if (passing.first > passing.last) continue;
      if (++pieces_ > most_pieces) break;
      if (is_endless(*each.next, {passing.first - each.taken_off, passing.last - each.taken_off}))
        return true;
    }
    path_.pop_back();
    return false;
  }

  // Back from the last bus to where it was passed before.
  std::string cycle() const {
    std::string text = path_.back()->forwarder_name();
    for (std::size_t i = path_.size() - 1; i-- > 0;) {
      text = path_[i]->forwarder_name() + " -> " + text;
      if (path_[i] == path_.back()) break;
    }
    return text;
  }

 private:
  std::vector<const address_forwarder*> path_;
  std::size_t pieces_ = 0;
};

}  // namespace

std::string endless_path(const address_forwarder& bus, const address_forwarder::way& from) {
  path_search search(bus);
  const address_interval passing = {from.addresses.first - from.taken_off,
                                    from.addresses.last - from.taken_off};
  return search.is_endless(*from.next, passing) ? search.cycle() : "";
}

}  // namespace heddle
