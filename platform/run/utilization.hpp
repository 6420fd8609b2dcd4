// Where the time went in a window: how busy each wire, memory and engine was.
#pragma once

#include <string>
#include <vector>

#include "platform/explain/breakdown.hpp"
#include "platform/services/busy_share.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

// Remembers every statistic of kind quantity::busy, to tell later how much was added. A window that
// nobody opened began with the run.
class utilization_window {
 public:
  explicit utilization_window(simulation& sim) : sim_(sim) {}

  void open();
  // Shares of a window of that length, busiest first; names in natural order break ties.
  std::vector<busy_share> close(fs_t length);

 private:
  void find_meters();

  struct meter {
    const link_record* wire;  // or, of a unit:
    const unit* owner;
    const statistic* busy;
    fs_t at_open;

    std::string name() const;
    fs_t so_far() const;
  };

  simulation& sim_;
  std::vector<meter> meters_;
};

// A plain sentence that names what limits a collective, which reached that share of what the wires
// allow (0: unknown): what was busy nearly all the time, or else the largest part of the critical
// path (null: unknown). Where that was waiting for credits, it says which buffer would do; `remedy`
// is what remedy_for() says of the path.
std::string bottleneck_sentence(const std::vector<busy_share>& shares, double of_ceiling,
                                const breakdown* path, const link_directory& links,
                                const std::string& remedy);

// What the unit says that most of the largest part of the path was spent in; asked when the job has
// ended, before the unit does another. "" where it knows nothing.
std::string remedy_for(const breakdown& path, const simulation& sim);

// The same for a run without collectives: it only tells who worked most.
std::string busiest_sentence(const std::vector<busy_share>& shares);

}  // namespace heddle
