// Who sends to whom, by a file: rows of `from,to,weight` with the names of terminals or globs; the
// weight may be missing for all, which makes them equal. A terminal to which no row belongs sends
// nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/traffic/terminal_selection.hpp"

namespace heddle {

class destination_table {
 public:
  // Throws user_error.
  explicit destination_table(const std::string& file);

  struct sender {
    std::string name;  // or a glob
    source_place place;
  };
  const std::vector<sender>& senders() const { return senders_; }  // each name once

  // What the terminal of that path may address, with weights; no globs when it sends nothing.
  terminal_selection destinations_of(const std::string& terminal) const;

 private:
  std::string file_;
  std::vector<sender> senders_;
  std::vector<weighted_glob> to_;                          // by row
  std::map<std::string, std::vector<std::size_t>> named_;  // rows, by the name of who sends
  std::vector<std::pair<std::string, std::size_t>> globs_;
};

// Every file is read once.
class destination_tables {
 public:
  const destination_table& of(const std::string& file);

 private:
  std::map<std::string, destination_table> known_;
};

}  // namespace heddle
