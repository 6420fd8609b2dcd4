// Every access of every core of a run, written to a file as it happens: `heddle run --mmio-log`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tlm>
#include <utility>

#include "platform/contracts/access_origin.hpp"
#include "platform/run/mmio_record.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {

class simulation;

class mmio_log {
 public:
  // nullptr where nobody has opened one: cores then do not call add().
  static mmio_log* of(simulation& sim);

  void open(const std::string& file);  // user_error if it cannot be created
  // An access that is over. `made_at`: when the core made it. `atomic`: what it does to the word,
  // if it does not just read or write.
  void add(fs_t made_at, const tlm::tlm_generic_payload& payload, const access_origin& origin,
           const atomic_update* atomic);
  void commit();

 private:
  using point_key = std::pair<const access_initiator*, std::pair<std::uint64_t, std::uint64_t>>;

  const code_line& line_at(const access_origin& origin);

  std::unique_ptr<output_file> file_;
  bool is_csv_ = false;
  bool is_first_ = true;
  std::map<point_key, code_line> lines_;
};

}  // namespace heddle
