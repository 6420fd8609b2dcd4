// Rows of `heddle moe`: what the laws say of one model with one topk on a number of GPUs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/workloads/moe/moe_laws.hpp"

namespace heddle {

struct moe_study_row {
  std::string model;
  moe_shape shape;
  double distinct = 0;  // mean remote GPUs of a token
  double leaving = 1;   // share of the tokens that have a remote expert
};

// One of the two laws of a layer's time.
using moe_time_formula = double (*)(const moe_schedule&, const moe_shape&, double distinct,
                                    const moe_machine&);
// The time of each schedule over that of `dysharp`.
double gain_over(const moe_study_row& row, const moe_schedule& schedule, moe_time_formula law);
// Transfers over transfers and compute, where nothing overlaps.
double communication_share(const moe_study_row& row);

void print_moe_rows(const std::vector<moe_study_row>& rows);
void print_efficiency_table();
nlohmann::ordered_json moe_study_json(const std::vector<moe_study_row>& rows);

}  // namespace heddle
