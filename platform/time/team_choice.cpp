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
  const way faster = usual_[other] < usual_[way_] ? other : way_;
  if (faster == way_ && until_trial_ > 0) {
    --until_trial_;
    return;
  }
  if (usual_[other] != unknown) until_trial_ = spells_between_trials(faster);
  way_ = other;
}

// A single slow spell changes little: another program may have had the processor for once.
void team_choice::note(double cost) {
  double& usual = usual_[way_];
  latest_[way_] = cost;
  const bool is_better = usual == unknown || cost < usual;
  usual = is_better ? cost : usual + (cost - usual) / 4;
}

// While that way is kept: so many that a trial as slow as the last one takes its share.
std::size_t team_choice::spells_between_trials(way kept) const {
  const double slower = latest_[kept == together ? alone : together] / usual_[kept];
  return std::clamp(static_cast<std::size_t>(slower / share_of_trials), fewest_between,
                    most_between);
}

}  // namespace heddle
