#include "platform/run/instruction_log.hpp"

#include "platform/text/diagnostic.hpp"
#include "platform/trace/glob.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

instruction_log* instruction_log::of(simulation& sim, const std::string& core) {
  instruction_log& log = sim.service<instruction_log>();
  if (!log.file_ || !glob_match(log.options_.cores, core)) return nullptr;
  log.has_cores_ = true;
  return &log;
}

void instruction_log::open(const instruction_log_options& options) {
  options_ = options;
  file_ = std::make_unique<output_file>(options.file);
}

void instruction_log::commit() {
  if (file_) file_->commit();
}

void instruction_log::check_cores() const {
  if (file_ && !has_cores_)
    throw user_error("--trace-insn: no core that executes instructions matches '" + options_.cores +
                     "'; rv64_core and rv32_core do");
}

}  // namespace heddle
