// What a source offers: a share of its link's rate, or bytes a second.
#pragma once

#include <string>

#include "platform/unit/parameter.hpp"

namespace heddle {

struct offered_load {
  double share = 0;  // counts unless there is a rate
  bandwidth rate;

  // The load as a share of a link of that rate; above 1 where the link is too slow.
  double share_of(const bandwidth& link) const;
  std::string text() const;
};

class load_parameter final : public parameter_base {
 public:
  load_parameter(parameter_set& owner, const char* name, double share, const char* meaning,
                 const char* source)
      : parameter_base(owner, name, meaning, source), value_{share, bandwidth()} {}

  const offered_load& operator()() const { return value_; }

  std::string kind() const override { return "load"; }
  std::string range() const override { return "0..1 of the link, or bytes a second"; }
  std::string text() const override { return value_.text(); }

 protected:
  void parse(const yaml_node& node) override;

 private:
  offered_load value_;
};

}  // namespace heddle
