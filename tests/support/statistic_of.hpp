// A statistic of a unit, by its name.
#pragma once

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

#include "platform/unit/statistic.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

// The test fails where the unit has none of that name.
inline std::uint64_t statistic_of(const unit& owner, const std::string& name) {
  for (const statistic* each : owner.statistics()->all())
    if (each->name() == name) return each->raw();
  FAIL(owner.path() << " has no statistic " << name);
  return 0;
}

}  // namespace heddle
