// Where a stage sits and how fast it is: the part of a data sheet that every stage shares.
#pragma once

#include <string>

#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"
#include "platform/unit/self_describing.hpp"
#include "transactors/stages/stage_line.hpp"

namespace heddle {

struct stage_parameters : parameter_set, self_describing {
  choice_parameter place{*this, "place", one_of("ingress", "middle", "egress"),
                         "where in the switch's pipeline the stage sits",
                         "a device of the network sees what comes in"};
  parameter<std::string> at{*this, "at", "all",
                            "ports at which it sits, at the middle: pipes; \"all\", or numbers and "
                            "ranges such as \"0..3, 6\"",
                            "every port alike"};
  parameter<duration> latency{
      *this,           "latency", 0_ns, within(0_ns, 1_ms), "first byte in to first byte out",
      "a netlist says"};
  parameter<bandwidth> rate{*this, "rate", bandwidth(1'000'000'000'000'000),
                            "bytes per second that one port or pipe of it takes",
                            "faster than any link"};

  stage_sheet sheet() const;  // throws user_error unless `at` is well-formed
  stage_timing timing() const { return {latency().fs, rate(), false}; }
  // "middle of pipes 0..3, latency 2 ns, rate 50 GB/s"
  std::string summary() const override;
};

}  // namespace heddle
