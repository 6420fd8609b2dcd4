// What a router says of members that are late or do not agree.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/mesh/axi_channel.hpp"
#include "models/mesh/collective/collective_router.hpp"
#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// Members of two reductions have somebody in common.
bool overlap(const flit& a, const flit& b) {
  const mesh_position any = {static_cast<std::uint8_t>(a.mask.x | b.mask.x),
                             static_cast<std::uint8_t>(a.mask.y | b.mask.y)};
  return is_member(a.source, b.source, any);
}

}  // namespace

// "tile[2]" where an interface has said that it is there, else its coordinates.
std::string collective_router::node_name(mesh_position node) const {
  const auto* found = sim().service<flit_network>().endpoint_at(*this, node);
  if (!found) return text_of(node);
  const std::string& path = found->endpoint->owner().path();
  return path.substr(0, path.rfind('.'));
}

// "FP64 add to tile[0] at 0x10000000", as members know it. Their tag holds the address without its
// highest bits, which are those of the destination.
std::string collective_router::reduction_name(const flit& header) const {
  std::string name = fmt::format("{} to {}", name_of(header.op), node_name(header.destination));
  const auto* to = sim().service<flit_network>().endpoint_at(*this, header.destination);
  const std::uint32_t transaction = axi_tag::transaction(header.tag);
  if (!to || !axi_tag::is_reduction(transaction)) return name;
  const std::uint64_t low = axi_tag::low_address(transaction), first = to->first_address;
  std::uint64_t address = (first & ~axi_tag::low_address_mask) | low;
  if (address < first) address += axi_tag::low_address_mask + 1;
  return fmt::format("{} at {:#x}", name, address);
}

// Rejects a contribution of another destination or set of members than what waits here.
void collective_router::check_crossing(const flit& contribution) {
  const flit& first = waiting_.entries().front().header;
  if (first.destination == contribution.destination && first.mask == contribution.mask &&
      is_member(contribution.source, first.source, first.mask))
    return;
  is_rejected_ = true;
  if (first.tag == contribution.tag && first.mask != contribution.mask &&
      overlap(first, contribution))
    return sim().service<run_control>().fail(fmt::format(
        "{}: members of a {} do not agree who they are: {} says the mask {}, while what waits came "
        "from {} and says {}: the members overlap, but their masks differ",
        path(), reduction_name(contribution), node_name(contribution.source),
        text_of(contribution.mask), node_name(first.source), text_of(first.mask)));
  sim().service<run_control>().fail(fmt::format(
      "{}: a {} of members {} mask {} comes while one to {} of members {} mask {} waits: "
      "reductions do not cross here (`crossing: false`); let a barrier keep them apart",
      path(), reduction_name(contribution), node_name(contribution.source),
      text_of(contribution.mask), node_name(first.destination), node_name(first.source),
      text_of(first.mask)));
}

void collective_router::check_ends(const reduction_entry& entry, const flit& contribution,
                                   int from) {
  if (entry.header.is_head() == contribution.is_head() &&
      entry.header.is_tail() == contribution.is_tail())
    return;
  is_rejected_ = true;
  sim().service<run_control>().fail(fmt::format(
      "{}: the members of a {} sent packets of different lengths: what came in at {} {} where the "
      "others {}",
      path(), reduction_name(contribution), mesh_port_names[from],
      contribution.is_tail() ? "ends" : "goes on", entry.header.is_tail() ? "end" : "go on"));
}

// The inputs that are missing, with the members whose contributions come in there.
std::string collective_router::missing_in(const reduction_entry& entry) const {
  std::string text;
  for (port_mask left = entry.expected & ~entry.arrived; left; left &= left - 1) {
    const int input = __builtin_ctz(left);
    text += fmt::format("{}{}", text.empty() ? "" : " and ", mesh_port_names[input]);
    if (input != local) text += fmt::format(" ({})", members_behind(input, entry.header));
  }
  return text;
}

std::string collective_router::members_behind(int input, const flit& header) const {
  constexpr int most_named = 4;
  int count = 0;
  std::string text;
  for (int y = 0; y <= UINT8_MAX; ++y)
    for (int x = 0; x <= UINT8_MAX; ++x) {
      const mesh_position each{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
      if (!is_member(each, header.source, header.mask) || !comes_in_at(here_, input, each))
        continue;
      if (++count <= most_named) text += (count > 1 ? ", " : "") + node_name(each);
    }
  return count > most_named ? fmt::format("{} and {} more", text, count - most_named) : text;
}

// Flits of a reduction that lack the same inputs are one line with their number, the oldest first.
std::string collective_router::late_members() const {
  std::vector<std::pair<const reduction_entry*, int>> groups;
  for (const reduction_entry& each : waiting_.entries()) {
    if (each.is_complete()) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return is_same_reduction(group.first->header, each.header) &&
             group.first->arrived == each.arrived;
    });
    if (same == groups.end())
      groups.emplace_back(&each, 1);
    else
      ++same->second;
  }
  std::string text;
  for (const auto& [first, flits] : groups) {
    const bool is_own = (first->expected & ~first->arrived) == 1U << local;
    text += fmt::format("{}{} {} of {}a {}", text.empty() ? "" : ", ",
                        is_own ? "member " + node_name(here_) + " at" : "contributions from the",
                        missing_in(*first), flits > 1 ? fmt::format("{} flits of ", flits) : "",
                        reduction_name(first->header));
  }
  return text;
}

std::string collective_router::waiting_for() const {
  std::string text = late_members();
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (int from = 0; from < mesh_directions; ++from) {
    const input_fifo& in = inputs_[from];
    for (port_mask left = in.is_known ? in.outputs : 0; left; left &= left - 1) {
      const int to = __builtin_ctz(left);
      const port* far = ports_[to].peer();
      add(fmt::format("{} to take a {} from the {}", far ? far->path() : "an open port",
                      name_of(head_of(from).op), mesh_port_names[from]));
    }
    if (!in.is_known && in.flits > 0)
      add(fmt::format("room for a {} from the {}", name_of(head_of(from).op),
                      mesh_port_names[from]));
  }
  if (!wide_.empty())
    add(fmt::format("{} results of {}", wide_.in_flight(),
                    offload_.peer() ? offload_.peer()->path() : "nobody"));
  return text;
}

}  // namespace heddle
