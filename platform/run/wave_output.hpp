// The wave of a run: the VCD file and, beside it, a GTKWave save file that opens on the collective.
#pragma once

#include <memory>
#include <string>

#include "platform/trace/gtkw.hpp"
#include "platform/trace/vcd_writer.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_result.hpp"

namespace heddle {

class wave_output {
 public:
  // Before any unit is built. An empty path writes nothing.
  wave_output(simulation& sim, const std::string& path);

  // After everything is built: user_error if a pattern of the user selects nothing.
  void check_signals() const;
  void mark(const workload_result& result);
  void finish(fs_t end);  // throws user_error

 private:
  simulation& sim_;
  std::string path_;
  std::unique_ptr<vcd_writer> writer_;
  gtkw_options options_;
};

}  // namespace heddle
