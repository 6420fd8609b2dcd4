// Where a source sends its packets. A pattern is a function of the source's place among the
// destinations that it may address, or a random choice among them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/traffic/traffic_terminals.hpp"
#include "platform/unit/count_list.hpp"

namespace heddle {

// In the order of the names in destination_parameters.
enum class traffic_pattern {
  uniform,
  all2one,
  ring,
  shift,
  bit_complement,
  transpose,
  permutation,
  hotspot,
  next_group,
  in_turn,
  neighbor,
  tornado,
  table,
};

struct destination_settings {
  traffic_pattern pattern = traffic_pattern::uniform;
  std::string name;  // of the pattern
  std::string table;
  terminal_selection destinations, hot;
  bool itself = true;
  std::uint64_t shift = 1, group = 1;
  double hot_share = 0;
  std::vector<std::uint64_t> sides;
};

// A part of the parameters of a terminal, which are the owner.
struct destination_parameters {
  explicit destination_parameters(parameter_set& owner) : set(owner) {}

  parameter_set& set;
  choice_parameter pattern{
      set, "pattern",
      one_of("uniform", "all2one", "ring", "shift", "bit_complement", "transpose", "permutation",
             "hotspot", "next_group", "in_turn", "neighbor", "tornado", "table"),
      "of terminal i of n: any by weight; the first of `hot`; i + 1; i + `shift`; n - 1 - i; row "
      "and column of a square swapped; one for each, drawn by the seed; `hot` with `hot_share`, "
      "else any; any of the next `group`; all, one after the other; one "
      "step up in every dimension of a grid of `sides`, around the end; just below half way "
      "round in every dimension; what `table` says",
      "Dally and Towles 2004, 3.2; next_group is the worst case of Kim et al., ISCA 2008"};
  terminals_parameter destinations{
      set, "destinations",
      "terminals that may be addressed, in this order: names or globs, with weights as in "
      "`node[*], node[3]:9`; empty: all",
      "all terminals"};
  parameter<std::string> table{set, "table", "",
                               "`table`: CSV file of `from,to,weight` with names or globs of "
                               "terminals; one that sends to nobody has no row",
                               "a netlist says"};
  parameter<bool> itself{set, "itself", false,
                         "whether a terminal sends to itself where the pattern says so",
                         "traffic to oneself needs no network"};
  parameter<std::uint64_t> shift{
      set, "shift", 1, within(0, 65535), "`shift`: how many terminals further", "the neighbor"};
  parameter<std::uint64_t> group{
      set,
      "group",
      1,
      within(1, 65535),
      "`next_group`: terminals of a group, which all address the group behind their own",
      "a netlist says"};
  count_list_parameter sides{set,
                             "sides",
                             {1},
                             within<std::uint64_t>(1, 65'535),
                             6,
                             "`neighbor` and `tornado`: sides of the grid in which destinations "
                             "stand, the last coordinate fastest",
                             "a netlist says"};
  terminals_parameter hot{set, "hot", "`hotspot` and `all2one`: names with weights",
                          "a netlist says"};
  parameter<double> hot_share{set,
                              "hot_share",
                              0.2,
                              within(0.0, 1.0),
                              "`hotspot`: share of the packets that goes to `hot`",
                              "Pfister and Norton 1985 use up to a third"};

  destination_settings settings() const;
};

class destination_pattern {
 public:
  explicit destination_pattern(destination_settings settings);

  // The terminals are known when everything is connected. Throws user_error when the pattern does
  // not fit them.
  void start(traffic_terminals& terminals, packet_granularity granularity, endpoint_id self,
             std::uint64_t seed);
  // all2one without `hot`: to the terminal of that number.
  bool sends_all_to_one() const { return settings_.pattern == traffic_pattern::all2one && !hot_; }
  void send_all_to(std::size_t place, const std::string& whose);

  // False before start(), and after it where the pattern leads to the terminal itself.
  bool has_destination() const { return has_destination_; }
  endpoint_id next(random_stream& random);
  // All destinations that may be drawn.
  std::vector<endpoint_id> addressed() const;

 private:
  void always_send_to(endpoint_id only);
  std::size_t fixed_place(std::uint64_t seed) const;
  std::size_t place_in_grid() const;
  void check_group() const;
  [[noreturn]] void refuse(const std::string& why) const;
  bool is_alone(const destination_set& among) const;
  endpoint_id draw_hot_or_any(random_stream& random) const;
  endpoint_id draw_other(const destination_set& among, random_stream& random) const;
  endpoint_id draw_in_group(random_stream& random) const;
  endpoint_id take_turn();

  const destination_settings settings_;
  endpoint_id self_ = 0;
  std::size_t place_ = destination_set::absent;  // of this terminal among the destinations
  std::shared_ptr<const destination_set> all_, hot_;
  std::size_t turn_ = 0;  // in_turn: the place that comes next
  endpoint_id fixed_ = 0;
  bool is_fixed_ = false;
  bool has_destination_ = false;
};

}  // namespace heddle
