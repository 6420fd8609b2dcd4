// What a claim comes to: a row for every case, and one verdict of all rows.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/claims/claim.hpp"

namespace heddle {

struct claim_row {
  const claim* of = nullptr;
  const claim_case* one = nullptr;
  double ours = 0;

  // Relative to the source; where the source has 0, our figure itself.
  double error() const;
  // How far outside of the tolerance, relative; negative inside.
  double excess() const;
  bool is_ok() const { return excess() <= 0; }
  std::string verdict() const;  // "ok", "off", or why it is not counted
};

struct claim_verdict {
  const claim* of = nullptr;
  std::vector<claim_row> rows;  // by case; none where it is not built

  std::size_t counted() const;  // rows that are
  std::size_t ok() const;       // among those
  std::string text() const;     // "ok", "partly", "off", "analytic", "not built"
  // The row that is farthest outside, those that are not counted last. There is one.
  const claim_row& worst() const;
};

// Of the case, or else of the claim; "" where nothing is off.
const std::string& reason_of(const claim& of, const claim_case& one);

// How far ours may be from the source: on both sides, or on one where the source states a bound.
std::string tolerance_text(const claim& of);

// Keys of `reproduce --json`.
nlohmann::ordered_json json_of(const claim_row& row);
nlohmann::ordered_json json_of_missing(const claim& of);

}  // namespace heddle
