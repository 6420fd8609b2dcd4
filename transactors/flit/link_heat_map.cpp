#include "transactors/flit/link_heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

constexpr int pitch = 56, tile = 30, margin = 28, heading = 64, footing = 30;
constexpr int bar = 7;     // width of a link
constexpr int offset = 5;  // of the two directions from the middle
constexpr int legend = 300;
constexpr std::size_t most_listed = 10;
constexpr int to_tile = 4;  // of a router's ports
constexpr std::array<const char*, flit_router::ports> ways = {
    "to the north", "to the east", "to the south", "to the west", "to the tile"};

struct color {
  int red, green, blue;
};

// Idle is nearly white, half a load orange, a full link dark red.
std::string color_of(double share) {
  constexpr std::array<color, 5> stops = {
      {{238, 238, 238}, {254, 224, 139}, {253, 141, 60}, {214, 47, 39}, {103, 0, 31}}};
  const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double part = at - static_cast<double>(below);
  const auto mixed = [&](int color::*channel) {
    return static_cast<int>(
        std::lround(stops[below].*channel * (1 - part) + stops[below + 1].*channel * part));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(&color::red), mixed(&color::green),
                     mixed(&color::blue));
}

// Routers that links join, one of the physical networks of a mesh.
struct network {
  std::string name;
  std::vector<const flit_router*> routers;
  int columns = 0, rows = 0, first_x = 255, first_y = 255;
};

struct hot_link {
  double share;
  std::string name;
};

// "tile[3].routers.wide" is called wide, "router[3]" router.
std::string short_name(const std::string& path) {
  const std::string last = path.substr(path.rfind('.') + 1);
  return last.substr(0, last.find('['));
}

std::vector<network> networks_of(const std::vector<const flit_router*>& routers) {
  std::vector<network> networks;
  for (const auto& joined : joined_routers(routers)) {
    network& found = networks.emplace_back();
    found.name = short_name(joined.front()->as_unit().path());
    found.routers = joined;
    for (const flit_router* each : found.routers) {
      found.first_x = std::min<int>(found.first_x, each->position().x);
      found.first_y = std::min<int>(found.first_y, each->position().y);
      found.columns = std::max<int>(found.columns, each->position().x + 1);
      found.rows = std::max<int>(found.rows, each->position().y + 1);
    }
    found.columns -= found.first_x;
    found.rows -= found.first_y;
  }
  return networks;
}

class drawing {
 public:
  explicit drawing(const std::vector<busy_share>& shares) {
    for (const busy_share& each : shares)
      if (each.is_wire) share_of_[each.name] = each.share;
  }

  // Returns the panel's width.
  int add(const network& drawn, int left, int most_rows) {
    text(left + margin, heading - 14, 13, drawn.name);
    for (const flit_router* each : drawn.routers) add(drawn, *each, left, most_rows);
    return 2 * margin + drawn.columns * pitch - (pitch - tile);
  }

  void add_legend(int left) {
    constexpr int steps = 20, width = 220;
    text(left, heading - 14, 13, "share of the time with a flit on the link");
    for (int i = 0; i < steps; ++i)
      rectangle(left + i * width / steps, heading, width / steps, 14, color_of((i + 0.5) / steps));
    for (int percent = 0; percent <= 100; percent += 25)
      text(left + percent * width / 100 - 6, heading + 28, 10, fmt::format("{} %", percent));
    std::sort(hot_.begin(), hot_.end(), [](const hot_link& a, const hot_link& b) {
      return a.share != b.share ? a.share > b.share : a.name < b.name;
    });
    int y = heading + 58;
    text(left, y, 13, hot_.empty() ? "all links were idle" : "busiest links");
    for (std::size_t i = 0; i < std::min(most_listed, hot_.size()); ++i) {
      y += 18;
      rectangle(left, y - 10, 12, 12, color_of(hot_[i].share));
      text(left + 20, y, 11, fmt::format("{:5.1f} %  {}", 100 * hot_[i].share, hot_[i].name));
    }
  }

  std::string svg(int width, int height, const std::string& title) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"24\" font-size=\"16\">{3}</text>\n{4}</svg>\n",
        width, height, margin, title, body_);
  }

 private:
  void add(const network& drawn, const flit_router& router, int left, int most_rows) {
    const mesh_position at = router.position();
    const int x = left + margin + (at.x - drawn.first_x) * pitch;
    const int y = heading + (most_rows - 1 - (at.y - drawn.first_y)) * pitch;
    body_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"white\" stroke=\"#555\"/>\n", x,
        y, tile, tile);
    text(x + 2, y + 9, 7, fmt::format("{}, {}", at.x, at.y));
    for (int port = 0; port < flit_router::ports; ++port) {
      const flit_port& out = router.port_at(port);
      if (!out.is_bound()) continue;
      const auto name = fmt::format("{} ({}, {})", drawn.name, at.x, at.y);
      add_link(port, x, y, color_of(share_of(out, name + " " + ways[port])));
      const auto* from_tile = dynamic_cast<const flit_port*>(out.peer());
      if (port != to_tile || !from_tile) continue;
      rectangle(x + 3, y + 13, 11, 13, color_of(share_of(*from_tile, name + " from the tile")));
    }
  }

  // Beside the way back; what goes to the tile, on the right inside it.
  void add_link(int port, int x, int y, const std::string& fill) {
    constexpr int gap = pitch - tile, up = tile / 2 + offset - bar / 2,
                  down = tile / 2 - offset - bar / 2;
    if (port == 0) rectangle(x + up, y - gap, bar, gap, fill);
    if (port == 1) rectangle(x + tile, y + up, gap, bar, fill);
    if (port == 2) rectangle(x + down, y + tile, bar, gap, fill);
    if (port == 3) rectangle(x - gap, y + down, gap, bar, fill);
    if (port == to_tile) rectangle(x + 16, y + 13, 11, 13, fill);
  }

  double share_of(const flit_port& from, const std::string& name) {
    const auto found = share_of_.find(from.path() + " -> " + from.peer()->path());
    if (found == share_of_.end() || found->second == 0) return 0;
    hot_.push_back({found->second, name});
    return found->second;
  }

  void rectangle(int x, int y, int width, int height, const std::string& fill) {
    body_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#999\" "
        "stroke-width=\"0.4\"/>\n",
        x, y, width, height, fill);
  }

  void text(int x, int y, int size, const std::string& what) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>\n", x, y, size, what);
  }

  std::map<std::string, double> share_of_;  // by "from -> to"
  std::vector<hot_link> hot_;
  std::string body_;
};

}  // namespace

std::string link_heat_map(const std::vector<const flit_router*>& routers,
                          const std::vector<busy_share>& shares, const std::string& title) {
  const std::vector<network> networks = networks_of(routers);
  drawing drawn(shares);
  int rows = 0, width = 0;
  for (const network& each : networks) rows = std::max(rows, each.rows);
  for (const network& each : networks) width += drawn.add(each, width, rows);
  drawn.add_legend(width + margin);
  const int needed = heading + 58 + 18 * static_cast<int>(most_listed) + footing;
  const int height = std::max(heading + rows * pitch + footing, needed);
  return drawn.svg(width + margin + legend, height, title);
}

}  // namespace heddle
