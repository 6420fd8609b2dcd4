#include "platform/unit/energy_book.hpp"

#include <algorithm>

namespace heddle {
namespace {

energy_share& share_of(energy_shares& shares, const energy_entry& entry) {
  const auto found = std::find_if(shares.begin(), shares.end(), [&](const energy_share& each) {
    return each.primitive == entry.primitive;
  });
  if (found != shares.end()) return *found;
  shares.push_back({entry.primitive, entry.what, 0, 0});
  return shares.back();
}

}  // namespace

double total_joules(const energy_shares& shares) {
  double sum = 0;
  for (const energy_share& each : shares) sum += each.joules;
  return sum;
}

energy_shares difference(const energy_shares& now, const energy_shares& before) {
  energy_shares more = now;
  for (std::size_t i = 0; i < before.size(); ++i) {
    more[i].count -= before[i].count;
    more[i].joules -= before[i].joules;
  }
  return more;
}

energy_shares energy_book::shares() const {
  energy_shares all;
  for (const energy_entry& each : entries_) {
    energy_share& share = share_of(all, each);
    share.count += each.count->raw() * each.each;
    share.joules += each.joules();
  }
  return all;
}

}  // namespace heddle
