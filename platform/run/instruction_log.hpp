// One line for each instruction that chosen cores execute: `heddle run --trace-insn`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "platform/time/fs_time.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {

class simulation;

struct instruction_log_options {
  std::string file;         // "": nobody asks; "*": instructions.txt in the run directory
  std::string cores = "*";  // glob over their paths
  fs_t from = 0, to = fs_never;
};

class instruction_log {
 public:
  // nullptr where nobody wants to see this core's instructions. Whoever asks executes some.
  static instruction_log* of(simulation& sim, const std::string& core);

  void open(const instruction_log_options& options);  // user_error if it cannot be created
  // When instructions begin that are wanted.
  fs_t from() const { return options_.from; }
  fs_t to() const { return options_.to; }
  void write(std::string_view line) { file_->write(line); }
  void check_cores() const;  // once all are built: user_error if none is chosen
  void commit();

 private:
  instruction_log_options options_;
  std::unique_ptr<output_file> file_;
  bool has_cores_ = false;
};

}  // namespace heddle
