// How a run ends: every core's firmware has finished, or something in the simulated system failed.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace heddle {

class run_control {
 public:
  // The simulated system failed (exit code 1). Stops the simulation; the first failure counts,
  // later ones are kept.
  void fail(const std::string& what);
  const std::vector<std::string>& failures() const { return failures_; }

  // The user's input turned out to be wrong (exit code 2). Processes call this, because the kernel
  // lets no exception of theirs through.
  void reject(std::exception_ptr error);
  void rethrow_rejection() const {
    if (rejection_) std::rethrow_exception(rejection_);
  }

  void core_starts() { ++running_; }
  // Stops the simulation when it was the last one, and nobody holds it.
  void core_finishes();
  // Keeps the run from ending with the last core: it also waits for as many releases as holds.
  void hold() { ++holds_; }
  void release();
  int running_cores() const { return running_; }

  // Adds a check for the moment when no event is left and nobody has stopped the run: what is still
  // owed then never comes.
  void when_starved(std::function<void()> check) { starved_.push_back(std::move(check)); }
  void starve() const {
    for (const auto& check : starved_) check();
  }

  void stop();

 private:
  std::vector<std::string> failures_;
  std::vector<std::function<void()>> starved_;
  std::exception_ptr rejection_;
  int running_ = 0;
  int holds_ = 0;
};

}  // namespace heddle
