#include "platform/time/team_choice.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

void team_choice::end_spell() {
  end();
  begin();
  const std::chrono::duration<double> lasted = std::exchange(lasted_, {});
  note(std::max(lasted.count(), least) / static_cast<double>(std::exchange(evaluated_, 0)));
  const way other = other_way();
  if (usual_[other] == unknown)
    way_ = other;
  else if (usual_[other] < usual_[way_])
    keep(other);
  else if (until_trial_ > 0)
    --until_trial_;
  else
    try_other();
}

// One slow spell is no rule yet: something else may have had the processor.
void team_choice::note(double cost) {
  double& usual = usual_[way_];
  latest_[way_] = cost;
  const bool is_better = usual == unknown || cost < usual;
  usual = is_better ? cost : usual + (cost - usual) / 4;
}

void team_choice::try_other() {
  keep(way_);
  way_ = other_way();
}

// Until the next trial, so many spells that a trial as slow as the last one takes its share.
void team_choice::keep(way faster) {
  way_ = faster;
  const double slower = latest_[other_way()] / usual_[faster];
  until_trial_ =
      std::clamp(static_cast<std::size_t>(slower / share_of_trials), fewest_between, most_between);
}

}  // namespace heddle
