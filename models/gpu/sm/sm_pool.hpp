// The streaming multiprocessors of a GPU as a pool that works on thread blocks.
//
// SMs belong to groups, each with a queue of batches: blocks of equal work that share operands. An
// SM takes a block of its own group's queue; where that is empty, one of the other groups that it
// may help, in their order. A block takes its multiply-adds at the peak rate of one SM times
// `efficiency`, but its SM is not free before the operands of its batch (weights) are there: they
// come from HBM at its rate, one batch after another, unless a batch before has left them in L2.
// Of a queue the batches whose operands are there go first.
//
// Nothing here knows what is computed: any unit may own such a pool, and is told when all blocks of
// a batch are done.
//
// Limitations: activations stay on chip and cost no HBM bandwidth; one block an SM at a time; L2 is
// a list of the operands that were used last.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <vector>

#include "platform/time/bandwidth.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/time/timed_queue.hpp"

namespace heddle {

struct sm_rates {
  double flops_of_sm = 0;  // multiply-adds count twice
  bandwidth hbm;
  fs_t hbm_latency = 0;
  std::uint64_t l2_bytes = 0;
};

struct sm_batch {
  std::uint32_t tag = 0;  // of the owner
  std::uint32_t blocks = 1;
  double block_flops = 0;
  fs_t block_time = 0;         // of a block, where the owner knows it; 0: by its multiply-adds
  std::uint64_t operands = 0;  // which ones it needs: equal numbers are equal operands
  std::uint64_t operand_bytes = 0;
};

class sm_pool {
 public:
  class listener {
   public:
    // The operands of its first blocks are there at `operands_at`.
    virtual void batch_begins(int /*group*/, const sm_batch&, fs_t /*operands_at*/) {}
    virtual void batch_done(int group, const sm_batch& batch) = 0;

   protected:
    ~listener() = default;
  };

  sm_pool(listener& told, const sm_rates& rates);

  // Before the first batch. `helps`: groups whose queues it takes from when its own is empty.
  int add_group(std::uint32_t sms, std::vector<int> helps = {});
  void clear();  // groups are gone; nothing is under way
  void submit(int group, const sm_batch& batch);

  fs_t block_time(const sm_batch& batch) const;
  fs_t busy() const { return busy_; }  // summed over SMs
  std::uint64_t operand_misses() const { return misses_; }

 private:
  struct open_batch {
    sm_batch what;
    int group = 0;
    std::uint32_t waiting = 0, running = 0;
    fs_t operands_at = 0;
    bool has_begun = false;
  };
  struct work_group {
    std::uint32_t idle = 0;
    std::vector<int> helps;
    std::deque<std::uint32_t> queue;  // open batches with blocks that nobody has taken
  };
  struct finished {
    std::uint32_t batch = 0;
    std::uint32_t blocks = 0;
    int sms_of = 0;  // group
  };

  void start_all();
  bool start_some(int sms_of, int from);
  std::size_t choose(const work_group& from) const;
  bool is_in_l2(std::uint64_t operands) const;
  void begin(open_batch& batch);
  void finish();
  std::uint32_t take_batch();

  listener& listener_;
  const sm_rates rates_;
  std::vector<work_group> groups_;
  std::vector<open_batch> batches_;
  std::vector<std::uint32_t> free_batches_;
  timed_queue<finished> finished_;
  fs_t hbm_free_at_ = 0;
  struct resident {
    std::uint64_t operands;
    std::uint64_t bytes;
    fs_t there_at;
  };
  std::list<resident> l2_;  // the most recently used first
  std::uint64_t l2_used_ = 0;
  fs_t busy_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace heddle
