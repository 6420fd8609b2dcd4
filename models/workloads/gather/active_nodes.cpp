#include "models/workloads/gather/active_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "platform/text/markup.hpp"

namespace heddle {
namespace {

// Okabe and Ito: told apart with every color vision.
constexpr const char* colors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
constexpr double width = 860, left = 60, right = 20, top = 48, height = 260, line = 16;

// 1, 2 or 5 times a power of ten: about five of them up to `most`.
double step_for(double most) {
  if (most <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(most / 5)));
  for (const double factor : {1., 2., 5.})
    if (most / (factor * power) <= 6) return factor * power;
  return 10 * power;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     markup_escaped(text));
}

// From the lower left corner.
struct plot_area {
  double most_time, most_nodes;
  double x(double time) const { return left + (width - left - right) * time / most_time; }
  double y(double nodes) const { return top + height * (1 - nodes / most_nodes); }
};

std::string axes(const plot_area& area) {
  std::string text = "<g stroke=\"#E4E4E4\">\n";
  std::string labels;
  const double time_step = step_for(1e6 * area.most_time);
  for (int i = 0; i * time_step <= 1e6 * area.most_time; ++i) {
    const double x = area.x(1e-6 * i * time_step);
    text += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x, top, top + height);
    labels += text_at(x, top + height + line, "middle", fmt::format("{:g}", i * time_step));
  }
  const double node_step = std::max(1., step_for(area.most_nodes));
  for (int i = 0; i * node_step <= area.most_nodes; ++i) {
    const double y = area.y(i * node_step);
    text += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, y, width - right);
    labels += text_at(left - 8, y + 4, "end", fmt::format("{:g}", i * node_step));
  }
  return text + "</g>\n" + labels +
         text_at(width - right, top + height + 2 * line, "end", "time (us)") +
         text_at(left - 8, top - 10, "start", "active nodes");
}

std::string curve(const active_nodes& of, const plot_area& area, const char* color) {
  auto active = static_cast<double>(of.ends.size());
  std::string path = fmt::format("M{:.1f} {:.1f}", area.x(0), area.y(active));
  for (const double end : of.ends)
    path += fmt::format("H{:.1f}V{:.1f}", area.x(end), area.y(--active));
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path,
                     color);
}

}  // namespace

double active_nodes::mean() const {
  if (ends.empty()) return 0;
  return std::accumulate(ends.begin(), ends.end(), 0.) / static_cast<double>(ends.size());
}

double active_nodes::until(double share) const {
  const auto most = static_cast<std::size_t>(share * static_cast<double>(ends.size()));
  return most >= ends.size() ? 0 : ends[ends.size() - most - 1];
}

std::string csv_of(const std::vector<active_nodes>& all) {
  std::string text = "gather,time_us,active_nodes\n";
  for (const active_nodes& each : all) {
    const std::string name =
        each.name.find(',') == std::string::npos ? each.name : "\"" + each.name + "\"";
    std::size_t active = each.ends.size();
    text += fmt::format("{},0,{}\n", name, active);
    for (std::size_t i = 0; i < each.ends.size(); ++i) {
      --active;
      const bool is_last = i + 1 == each.ends.size() || each.ends[i + 1] != each.ends[i];
      if (is_last) text += fmt::format("{},{:.6f},{}\n", name, 1e6 * each.ends[i], active);
    }
  }
  return text;
}

std::string svg_of(const std::vector<active_nodes>& all, const std::string& title,
                   const std::vector<std::string>& table) {
  plot_area area{1e-12, 1};
  for (const active_nodes& each : all) {
    area.most_time = std::max(area.most_time, each.last());
    area.most_nodes = std::max(area.most_nodes, static_cast<double>(each.ends.size()));
  }
  double y = top + height + 3.5 * line;
  std::string text = axes(area);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char* const color = colors[i % std::size(colors)];
    text += curve(all[i], area, color);
    text += fmt::format("<path d=\"M{:.1f} {:.1f}h24\" stroke=\"{}\" stroke-width=\"2\"/>\n", left,
                        y - 4, color);
    text += text_at(left + 32, y, "start", all[i].name);
    y += line;
  }
  y += line;
  for (const std::string& each : table) {
    text += fmt::format(
        "<text x=\"20\" y=\"{:.1f}\" font-family=\"monospace\" font-size=\"10\" "
        "xml:space=\"preserve\">{}</text>\n",
        y, markup_escaped(each));
    y += line;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
             "font-family=\"sans-serif\" font-size=\"12\">\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
             width, y) +
         "<g font-size=\"16\">" + text_at(left - 8, 22, "start", title) + "</g>\n" + text +
         "</svg>\n";
}

}  // namespace heddle
