#include "models/workloads/inference/step_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/markup.hpp"

namespace heddle {
namespace {

constexpr int left = 60, top = 60, width = 900, bar = 16, gap = 6;
constexpr const char* allreduce_color = "#e15759";

struct kernel_color {
  const char* name;
  const char* color;
};
constexpr kernel_color colors[] = {
    {"qkv", "#4e79a7"},       {"attention", "#59a14f"}, {"output", "#76b7b2"},
    {"gate_up", "#b07aa1"},   {"down", "#9c755f"},      {"input_norm", "#c8c8c8"},
    {"post_norm", "#4d4d4d"}, {"rope", "#edc948"},      {"silu_mul", "#f28e2b"}};

const char* color_of(const std::string& name) {
  for (const kernel_color& each : colors)
    if (name == each.name) return each.color;
  return "#999";
}

class drawing {
 public:
  explicit drawing(const step_timeline& of) : of_(of) {
    for (const auto& rank : of.ranks)
      for (const kernel_span& each : rank) {
        begin_ = std::min(begin_, each.begin);
        end_ = std::max(end_, each.end);
      }
    end_ = std::max(end_, of.end);
  }

  std::string svg() {
    text(left, 20, markup_escaped(of_.title), 13);
    if (end_ > begin_) {
      for (std::size_t rank = 0; rank < of_.ranks.size(); ++rank) draw_rank(rank);
      draw_axis();
      draw_legend();
    }
    const int height = top + rows() + 70;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"white\"/>\n{2}</svg>\n",
        left + width + 40, height, body_);
  }

 private:
  int rows() const { return static_cast<int>(of_.ranks.size()) * (bar + gap); }
  double x_of(fs_t when) const {
    return left + width * static_cast<double>(when - begin_) / static_cast<double>(end_ - begin_);
  }
  void text(double x, int y, const std::string& what, int size = 12) {
    body_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{}\" font-size=\"{}\">{}</text>\n", x, y, size, what);
  }
  void box(double x, int y, double wide, const char* color, const std::string& what) {
    body_ += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"><title>{}</title>"
        "</rect>\n",
        x, y, wide, bar, color, what);
  }
  void draw(fs_t from, fs_t to, int y, const char* color, const std::string& what) {
    if (to <= from) return;
    box(x_of(from), y, x_of(to) - x_of(from), color,
        fmt::format("{}: {:.2f} us", what, 1e6 * seconds(to - from)));
  }
  void draw_rank(std::size_t rank) {
    const int y = top + static_cast<int>(rank) * (bar + gap);
    text(4, y + bar - 4, fmt::format("rank {}", rank));
    fs_t done = begin_;
    std::uint32_t list = INFERENCE_ATTENTION;
    for (const kernel_span& each : of_.ranks[rank]) {
      if (each.list != list) draw(done, each.begin, y, allreduce_color, "all-reduce");
      list = each.list;
      const std::string& name = of_.names[each.list][each.index];
      draw(each.begin, each.end, y, color_of(name), name);
      done = each.end;
    }
    draw(done, end_, y, allreduce_color, "all-reduce");
  }
  void draw_axis() {
    const int y = top + rows() + 14;
    for (int quarter = 0; quarter <= 4; ++quarter)
      text(left + width * 0.25 * quarter - 20, y,
           fmt::format("{:.1f} us", 1e6 * seconds(end_ - begin_) * quarter / 4));
  }
  void draw_legend() {
    const int y = top + rows() + 30;
    double x = left;
    const auto entry = [&](const char* color, const std::string& name) {
      box(x, y, bar, color, name);
      text(x + bar + 4, y + bar - 3, name);
      x += bar + 16 + 8 * static_cast<double>(name.size());
    };
    entry(allreduce_color, "all-reduce");
    for (const kernel_color& each : colors) entry(each.color, each.name);
  }

  const step_timeline& of_;
  fs_t begin_ = fs_never, end_ = 0;
  std::string body_;
};

}  // namespace

std::string timeline_plot(const step_timeline& of) {
  return drawing(of).svg();
}

}  // namespace heddle
