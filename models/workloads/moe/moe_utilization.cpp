#include "models/workloads/moe/moe_utilization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle {
namespace {

constexpr int left = 60, top = 50, width = 720, height = 240, bar = 14;
constexpr std::array<const char*, token_steps> step_names = {"dispatch", "GEMM-1", "GEMM-2",
                                                             "combine"};
constexpr std::array<const char*, token_steps> step_colors = {"#4e79a7", "#59a14f", "#8cd17d",
                                                              "#f28e2b"};
constexpr const char *sent_color = "#d62728", *received_color = "#1f77b4";

std::string text(int x, int y, const std::string& what) {
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"12\">{}</text>\n", x, y, what);
}

std::string curve(const std::vector<double>& shares, const std::string& color) {
  std::string points;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double x =
        left + (static_cast<double>(i) + 0.5) * width / static_cast<double>(shares.size());
    points += fmt::format("{:.1f},{:.1f} ", x, top + height * (1 - std::min(shares[i], 1.0)));
  }
  return fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"{}\"/>\n",
                     color, points);
}

}  // namespace

token_spans spans_of(const std::vector<token_hub*>& hubs) {
  token_spans spans{};
  for (const token_hub* each : hubs)
    for (std::size_t step = 0; step < token_steps; ++step)
      if (const token_span& own = each->spans()[step]; own.end > 0) {
        spans[step].cover(own.begin);
        spans[step].cover(own.end);
      }
  return spans;
}

moe_utilization utilization_of(const std::vector<token_hub*>& hubs, fs_t start, fs_t end,
                               std::size_t intervals) {
  moe_utilization result;
  result.start = start;
  result.end = end;
  double capacity = 0;  // B/s of all GPUs, in each direction
  for (const token_hub* each : hubs) capacity += each->wire_rate();
  result.steps = spans_of(hubs);
  const double length = static_cast<double>(end - start) / static_cast<double>(intervals);
  for (std::size_t i = 0; i < intervals; ++i) {
    const fs_t from = start + static_cast<fs_t>(length * static_cast<double>(i));
    const fs_t to = start + static_cast<fs_t>(length * static_cast<double>(i + 1));
    double sent = 0, received = 0;
    for (const token_hub* each : hubs) {
      sent += each->sent().between(from, to);
      received += each->received().between(from, to);
    }
    const double most = capacity * seconds(to - from);
    result.sent.push_back(most > 0 ? sent / most : 0);
    result.received.push_back(most > 0 ? received / most : 0);
  }
  return result;
}

std::string utilization_plot(const moe_utilization& of) {
  constexpr int bottom = top + height, bars = bottom + 30;
  constexpr int all_height = bars + static_cast<int>(token_steps) * (bar + 4) + 10;
  std::string body = text(left, 20, of.title);
  body +=
      fmt::format("<text x=\"{}\" y=\"40\" font-size=\"12\" fill=\"{}\">GPUs to switches</text>\n",
                  left, sent_color);
  body +=
      fmt::format("<text x=\"{}\" y=\"40\" font-size=\"12\" fill=\"{}\">switches to GPUs</text>\n",
                  left + 140, received_color);
  for (int percent = 0; percent <= 100; percent += 25) {
    const int y = bottom - height * percent / 100;
    body += fmt::format("<path d=\"M{} {}h{}\" stroke=\"#ccc\"/>\n", left, y, width);
    body += text(12, y + 4, fmt::format("{} %", percent));
  }
  body += curve(of.sent, sent_color) + curve(of.received, received_color);
  const double length = static_cast<double>(of.end - of.start);
  for (int quarter = 0; quarter <= 4; ++quarter)
    body += text(left + width * quarter / 4 - 20, bottom + 18,
                 fmt::format("{:.1f} us", 1e6 * seconds(of.end - of.start) * quarter / 4));
  for (std::size_t step = 0; step < token_steps; ++step) {
    const token_span& own = of.steps[step];
    const int y = bars + static_cast<int>(step) * (bar + 4);
    body += text(2, y + bar - 3, step_names[step]);
    if (own.end <= own.begin || length <= 0) continue;
    const double x = left + width * static_cast<double>(own.begin - of.start) / length;
    body += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n", x, y,
        width * static_cast<double>(own.end - own.begin) / length, bar, step_colors[step]);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"white\"/>\n{2}</svg>\n",
      left + width + 40, all_height, body);
}

}  // namespace heddle
