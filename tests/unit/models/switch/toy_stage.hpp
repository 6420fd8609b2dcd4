// A stage for tests: does what it is told with what is addressed to endpoint `wanted`, and records
// when it was asked.
#pragma once

#include <functional>
#include <vector>

#include "platform/unit/registry.hpp"
#include "transactors/stages/timed_stage.hpp"

namespace heddle {

using toy_parameters = stage_parameters;

class toy_stage final : public unit, private timed_stage {
 public:
  using parameters = toy_parameters;
  struct counters : statistic_set {};
  static std::vector<port_description> port_descriptions() {
    return {{"switch", "in-network device", "the switch that it is a stage of"}};
  }

  toy_stage(const unit_context& context, const parameters& p)
      : unit(context), timed_stage(*this, p) {}

  struct asked {
    fs_t when = 0;
    stage_visit visit;
    std::uint32_t tag = 0;
  };
  std::vector<asked> visits;
  endpoint_id wanted = 0xffff;  // nothing, unless it is told
  bool picks_line_by_input = false;
  std::function<stage_verdict(const stage_visit&, packet&)> act;
  std::vector<fs_t> transmissions;

  stage_port& port() { return switch_port(); }

 private:
  bool wants(const packet& p) const override { return p.destination == wanted; }
  stage_verdict handle(const stage_visit& visit, packet& p) override {
    visits.push_back({now_fs(), visit, p.tag});
    return act ? act(visit, p) : stage_verdict::pass;
  }
  int line_of(const stage_visit& visit, const packet& p) const override {
    return picks_line_by_input ? visit.input % 2 : timed_stage::line_of(visit, p);
  }
  void transmitted(int, packet_kind, std::uint32_t) override { transmissions.push_back(now_fs()); }
};

}  // namespace heddle
