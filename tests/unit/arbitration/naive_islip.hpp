// One iteration of iSLIP written down plainly: a matrix of requests and two loops.
#pragma once

#include <vector>

namespace heddle {

struct naive_islip {
  struct pair {
    int requester, resource;
    bool operator==(const pair& o) const {
      return requester == o.requester && resource == o.resource;
    }
  };

  naive_islip(int requester_count, int resource_count)
      : requesters(requester_count),
        resources(resource_count),
        asks(requesters, std::vector<bool>(resources)),
        grant_next(resources),
        accept_next(requesters) {}

  std::vector<pair> match() {
    std::vector<int> granted(resources, -1);
    for (int r = 0; r < resources; ++r)
      for (int i = 0; i < requesters && granted[r] < 0; ++i)
        if (asks[(grant_next[r] + i) % requesters][r])
          granted[r] = (grant_next[r] + i) % requesters;
    std::vector<pair> matches;
    for (int q = 0; q < requesters; ++q) {
      for (int i = 0; i < resources; ++i) {
        const int r = (accept_next[q] + i) % resources;
        if (granted[r] != q) continue;
        grant_next[r] = (q + 1) % requesters;
        accept_next[q] = (r + 1) % resources;
        matches.push_back({q, r});
        break;
      }
      asks[q].assign(resources, false);
    }
    return matches;
  }

  int requesters, resources;
  std::vector<std::vector<bool>> asks;  // [requester][resource]
  std::vector<int> grant_next, accept_next;
};

}  // namespace heddle
