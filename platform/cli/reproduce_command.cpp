#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "platform/claims/claim_ledger.hpp"
#include "platform/cli/chosen_names.hpp"
#include "platform/cli/claim_table.hpp"
#include "platform/cli/command_registry.hpp"
#include "platform/cli/commands.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/wanted_file.hpp"

// Claims of the literature, and what the simulated systems do.
namespace heddle {
namespace {

struct reproduce_options {
  std::vector<std::string> globs = {"*"};
  bool shows_rows = false;
  std::size_t jobs = 1;              // runs at a time
  std::string json, markdown, html;  // files to write, too; "": none
};

// A glob without claims is a mistake, also beside others that have some.
void check_globs(const std::vector<std::string>& globs, const std::vector<claim>& claims) {
  std::vector<std::string> ids;
  for (const claim& each : claims) ids.push_back(each.id);
  require_matches("claim", globs, ids);
}

void check_study(const claim_run& run) {
  const std::vector<std::string> known = command_registry::instance().studies();
  if (!run.study.empty() && std::find(known.begin(), known.end(), run.study) == known.end())
    throw user_error(run.study_place,
                     "no command '" + run.study + "'" + did_you_mean(run.study, known));
}

void check_studies(const std::vector<claim>& claims) {
  for (const claim& each : claims)
    for (const claim_case& one : each.cases) {
      check_study(one.run);
      if (one.over) check_study(*one.over);
    }
}

claim_book claims_of(const std::vector<std::string>& globs) {
  claim_book book = read_claims();
  check_studies(book.claims);
  check_globs(globs, book.claims);
  const auto nobody_asks_for = [&](const claim& each) { return !matches_any(globs, each.id); };
  book.claims.erase(std::remove_if(book.claims.begin(), book.claims.end(), nobody_asks_for),
                    book.claims.end());
  return book;
}

claim_verdict reproduce(const claim& of, claim_runs& runs) {
  claim_verdict verdict{&of, {}};
  for (const claim_case& one : of.cases)
    verdict.rows.push_back({&of, &one, runs.figure_of(of, one)});
  return verdict;
}

nlohmann::ordered_json rows_of(const std::vector<ledger_entry>& entries) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ledger_entry& each : entries) {
    for (const claim_row& row : each.verdict.rows) rows.push_back(json_of(row));
    if (each.verdict.rows.empty()) rows.push_back(json_of_missing(*each.verdict.of));
  }
  return rows;
}

// After the table: these are many times the runs behind the figures.
void add_sensitivities(std::vector<ledger_entry>& entries, const std::vector<free_parameter>& free,
                       claim_runs& runs) {
  const std::size_t before = runs.begun();
  for (const ledger_entry& each : entries) begin_sensitivities(each.verdict, free, runs);
  if (runs.begun() > before)
    std::fprintf(stderr, "ledger: %zu more runs, with free parameters a fifth below and above\n",
                 runs.begun() - before);
  for (ledger_entry& each : entries)
    each.sensitivities = sensitivities_of(each.verdict, free, runs);
}

int reproduce(const reproduce_options& options) {
  const claim_book book = claims_of(options.globs);
  check_named_outputs(
      {}, {{"--json", options.json}, {"--markdown", options.markdown}, {"--html", options.html}});
  wanted_file json(options.json), markdown(options.markdown), html(options.html);
  const bool writes_ledger = markdown || html;
  claim_runs runs(options.jobs);
  for (const claim& each : book.claims) runs.begin(each);
  claim_table table(book.claims, options.shows_rows);
  std::vector<ledger_entry> entries;
  for (const claim& each : book.claims) {
    entries.push_back({reproduce(each, runs), {}});
    table.add(entries.back().verdict);
  }
  table.finish();
  if (json) json.write(rows_of(entries).dump(1) + "\n");
  if (!writes_ledger) return 0;
  add_sensitivities(entries, book.free, runs);
  const text_document ledger = ledger_of(entries);
  if (markdown) markdown.write(ledger.markdown());
  if (html) html.write(ledger.html("Claims of the literature, and ours"));
  return 0;
}

}  // namespace

command_action declare_reproduce(CLI::App& command) {
  const auto options = std::make_shared<reproduce_options>();
  command.add_option("GLOB", options->globs, "which ones, any number");
  command.add_flag("--rows", options->shows_rows, "every row of a claim");
  command.add_option("--jobs", options->jobs, "runs at a time")->check(CLI::Range(1, 1024));
  command.add_option("--json", options->json, "also write the rows to this file");
  command.add_option("--markdown", options->markdown,
                     "also write a ledger: with commands, mechanisms, and how far each free "
                     "parameter moves each claim");
  command.add_option("--html", options->html, "the ledger as a page of HTML");
  return [options] { return reproduce(*options); };
}

}  // namespace heddle
