#include "transactors/fabric/route_lengths.hpp"

#include <algorithm>

#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

class walk {
 public:
  walk(const topology& net, const destination_group& to, const hops_by_switch& hops)
      : net_(net), hops_(hops), length_(net.switches(), topology::none), state_(net.switches()) {
    for (const topology::index each : to.homes) {
      length_[each] = 0;
      state_[each] = done;
    }
  }

  std::vector<topology::index> lengths() {
    for (topology::index at = 0; at < net_.switches(); ++at)
      if (state_[at] == unseen) follow(at);
    return std::move(length_);
  }

 private:
  enum state : std::uint8_t { unseen, on_path, done };
  struct step {
    topology::index at;
    std::size_t next;  // hop that was not tried yet
  };

  void follow(topology::index from) {
    path_.push_back({from, 0});
    state_[from] = on_path;
    while (!path_.empty()) {
      const topology::index at = path_.back().at;
      if (path_.back().next == hops_[at].size()) {
        state_[at] = done;
        path_.pop_back();
        if (!path_.empty()) lengthen(path_.back().at, at);
        continue;
      }
      const topology::index next = net_.arc_at(hops_[at][path_.back().next++].arc).to;
      if (state_[next] == on_path) refuse(next);
      if (state_[next] == done) {
        lengthen(at, next);
        continue;
      }
      state_[next] = on_path;
      path_.push_back({next, 0});
    }
  }

  void lengthen(topology::index at, topology::index next) {
    if (length_[next] != topology::none) length_[at] = std::min(length_[at], length_[next] + 1);
  }

  [[noreturn]] void refuse(topology::index closing) const {
    std::string text;
    bool is_inside = false;
    for (const step& each : path_) {
      is_inside = is_inside || each.at == closing;
      if (is_inside) text += net_.name_of(each.at) + " -> ";
    }
    throw user_error("routes lead in a circle: " + text + net_.name_of(closing));
  }

  const topology& net_;
  const hops_by_switch& hops_;
  std::vector<topology::index> length_;
  std::vector<state> state_;
  std::vector<step> path_;
};

}  // namespace

std::vector<topology::index> path_lengths(const topology& net, const destination_group& to,
                                          const hops_by_switch& hops) {
  return walk(net, to, hops).lengths();
}

}  // namespace heddle
