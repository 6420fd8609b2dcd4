// The sections of a report that are text: readable without JavaScript, each figure marked with its
// path in stats.json.
#pragma once

#include <string>
#include <vector>

#include "platform/report/report_run.hpp"

namespace heddle {

std::string job_name_html(const nlohmann::ordered_json& row);  // "allreduce by scin"
std::string verdict_html(const report_run& run);
std::string cards_html(const report_run& run);
std::string jobs_html(const report_run& run);
std::string critical_path_html(const report_run& run);
std::string latency_html(const report_run& run);
std::string links_html(const report_run& run);
std::string registers_html(const report_run& run);
// Lines that the configuration of another run has not are marked.
std::string configuration_html(const report_run& run, const std::vector<report_run>& all);

// Times, rates and parts of the critical path of several runs, each against the first.
std::string comparison_html(const std::vector<report_run>& runs);

}  // namespace heddle
