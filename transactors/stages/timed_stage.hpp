// Base for devices of users that look at whole packets one after another. (The devices of this tree
// keep times of their own and derive from `stage`.) It picks the packets that it wants; the others
// go by and pay nothing. A packet that it wants goes through the line of its port or pipe
// (stage_line.hpp), which takes the stated time; at the end the device says what becomes of it.
//
// Limitations: at egress every packet of the port pays latency and rate, wanted or not, and the
// device is asked when the output has chosen the packet, in front of the latency.
#pragma once

#include <memory>

#include "platform/unit/unit.hpp"
#include "transactors/stages/stage_line.hpp"
#include "transactors/stages/stage_parameters.hpp"
#include "transactors/stages/stage_port.hpp"

namespace heddle {

enum class stage_verdict {
  pass,     // it goes on
  consume,  // it ends here: the stage host takes it back
  hold,     // it is the device's until resume(), consume(), or release() and emit()
};

class timed_stage : public stage, private stage_line::listener {
 public:
  stage_sheet sheet() const final { return sheet_; }

 protected:
  timed_stage(unit& owner, const stage_parameters& p);
  ~timed_stage() = default;

  virtual bool wants(const packet& p) const = 0;
  // The packet is through the line; visit.first is now. A packet that passes keeps its wire_bytes:
  // what becomes longer or shorter is released and emitted.
  virtual stage_verdict handle(const stage_visit& visit, packet& p) = 0;
  // Whose line it takes. A middle stage may choose the pipe by `input` instead of `output`.
  virtual int line_of(const stage_visit& visit, const packet& p) const;
  // How long it keeps the entrance of the line busy.
  virtual fs_t occupancy(const packet& p) const { return timing_.rate.duration(p.wire_bytes); }

  stage_port& switch_port() { return port_; }  // by which a device emits, resumes and releases

 private:
  bool intercept(const stage_visit& visit, packet& p) final;
  void on_attached() final;
  void leave(int line, const stage_visit& visit, packet& p) final;

  unit& owner_;
  const stage_sheet sheet_;
  const stage_timing timing_;
  stage_port port_;
  std::vector<std::unique_ptr<stage_line>> lines_;  // by port or pipe
};

}  // namespace heddle
