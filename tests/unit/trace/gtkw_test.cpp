#include <catch2/catch.hpp>
#include <cmath>

#include "platform/trace/gtkw.hpp"
#include "platform/trace/gtkw_groups.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;

namespace {

const std::vector<trace_declaration> signals = {
    {"gpu[0].dma", "state", trace_kind::state, 64, {"IDLE", "FETCH"}},
    {"gpu[0].dma", "queue", trace_kind::vector, 12, {}},
    {"gpu[1].dma", "queue", trace_kind::vector, 12, {}},
    {"nvs[0]", "credits", trace_kind::integer, 64, {}},
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a save file names groups, rows, markers and the zoom", "[trace]") {
  gtkw_options options;
  options.vcd_path = "out/run/wave.vcd";
  options.groups = {
      {"queues", {{"*.queue", gtkw_format::analog, gtkw_color::yellow}}, false},
      {"nvs[0]", {{"nvs[0].credits"}}, true},
      {"nothing", {{"typo.*"}, {"typo.state"}}, false},
  };
  options.markers = {{"start", 3 * fs_per_us}, {"end", 12 * fs_per_us}};
  options.zoom_from = 3 * fs_per_us;
  options.zoom_to = 12 * fs_per_us;
  const std::string text = gtkw_text(options, signals);
  CHECK(holds(text, "[dumpfile] \"wave.vcd\"\n"));
  CHECK(holds(text, "[timestart] 2500000000\n"));
  CHECK(holds(text, " -1 3000000000 12000000000 -1 -1"));
  CHECK(holds(text, "[markername] Astart\n[markername] Bend\n"));
  CHECK(holds(text, "[treeopen] gpu_0.\n[treeopen] gpu_1.\n[treeopen] nvs_0.\n"));
  CHECK(holds(text,
              "@800200\n-queues\n@88024\n[color] 3\n+{gpu[0]/dma/queue} gpu_0.dma.queue[11:0]\n"
              "@20000\n-\n-\n@88024\n[color] 3\n+{gpu[1]/dma/queue} gpu_1.dma.queue[11:0]\n"));
  CHECK(holds(text, "@c00200\n-nvs[0]\n@424\n+{credits} nvs_0.credits\n@1401200\n-nvs[0]\n"));
  CHECK_FALSE(holds(text, "nothing"));
  CHECK(text == gtkw_text(options, signals));
}

namespace {

gtkw_format format_of(const std::string& name, const std::vector<gtkw_group>& groups) {
  for (const gtkw_group& group : groups)
    for (const gtkw_entry& each : group.entries)
      if (each.pattern == name) return each.format;
  FAIL("no entry " << name);
  return gtkw_format::automatic;
}

}  // namespace

TEST_CASE("groups follow the units at the top when nobody chose them", "[trace]") {
  const auto groups = gtkw_groups_by_unit(signals);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].name == "gpu[0]");
  CHECK(groups[0].entries.size() == 2);
  CHECK_FALSE(groups[0].closed);
  CHECK(groups[1].closed);
  CHECK_FALSE(groups[2].closed);
  CHECK(format_of("gpu[0].dma.queue", groups) == gtkw_format::analog);
  CHECK(format_of("gpu[0].dma.queue", gtkw_groups_by_unit(signals, {"gpu[0].dma.queue"})) ==
        gtkw_format::automatic);
  const std::vector<trace_declaration> addresses = {
      {"gpu[0].dma", "ring_base", trace_kind::vector, 64, {}}};
  CHECK(format_of("gpu[0].dma.ring_base",
                  gtkw_groups_by_unit(addresses, {"gpu[0].dma.ring_base"})) == gtkw_format::hex);
}

TEST_CASE("later ports and signals of an array are folded in the group of their unit", "[trace]") {
  const std::vector<trace_declaration> many = {
      {"nvs[0].port[0]", "queue", trace_kind::vector, 8, {}},
      {"nvs[0].port[1]", "queue", trace_kind::vector, 8, {}},
      {"nvs[0].isa", "table_0", trace_kind::vector, 8, {}},
      {"nvs[0].isa", "table_1", trace_kind::vector, 8, {}},
      {"nvs[0].isa", "peer_1", trace_kind::bit, 1, {}},
      {"nvs[0].port[0]", "bytes", trace_kind::vector, 32, {}, true}};
  const auto groups = gtkw_groups_by_unit(many);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].entries.size() == 4);  // peer_1 has no peer_0 to stand for it
  CHECK(groups[0].entries.back().format == gtkw_format::automatic);  // a label is written out
  REQUIRE(groups[0].groups.size() == 2);
  CHECK(groups[0].groups[0].name == "port[1]");
  CHECK(groups[0].groups[0].closed);
  CHECK(groups[0].groups[1].name == "isa/table_*");
  gtkw_options options;
  options.groups = groups;
  const std::string text = gtkw_text(options, many);
  CHECK(holds(text, "-nvs[0]\n@88024\n[color] 3\n+{port[0]/queue} nvs_0.port_0.queue[7:0]\n"));
  CHECK(holds(text, "@c00200\n-port[1]\n@88024\n[color] 3\n+{queue} nvs_0.port_1.queue[7:0]\n"));
  CHECK(holds(text, "-isa/table_*\n@88024\n[color] 3\n+{table_1} nvs_0.isa.table_1[7:0]\n"));
}

TEST_CASE("a zoom at the very start does not reach before it", "[trace]") {
  gtkw_options options;
  options.zoom_to = 100;
  CHECK(holds(gtkw_text(options, {}), "[timestart] 0\n"));
  options.zoom_to = 0;
  CHECK(holds(gtkw_text(options, {}), "[timestart] 0\n"));
  options.markers.resize(30);
  CHECK_FALSE(holds(gtkw_text(options, {}), "[markername] ["));
}

namespace {

struct shown_page {
  double start = 0, end = 0;
};

// What a window of 1600 pixels shows: 1020 pixels of waves, 200 of them for 2^-zoom units of time.
shown_page page_of(const gtkw_options& options) {
  const std::string text = gtkw_text(options, signals);
  const auto number_behind = [&](const std::string& sign) {
    return std::stod(text.substr(text.find(sign) + sign.size()));
  };
  const double start = number_behind("[timestart] ");
  return {start, start + 1020.0 / 200 * std::exp2(-number_behind("\n*"))};
}

}  // namespace

TEST_CASE("a page that begins behind the start of the file ends before the file does", "[trace]") {
  gtkw_options options;
  options.markers = {{"start", 4 * fs_per_us}};
  options.zoom_from = 4 * fs_per_us;
  options.zoom_to = options.file_to = 9 * fs_per_us;
  const shown_page to_end = page_of(options);
  CHECK(to_end.start == Approx(3.72e9).epsilon(0.01));
  CHECK(to_end.end < 9e9);
  CHECK(to_end.end > 8.8e9);
  options.file_to = 20 * fs_per_us;
  CHECK(page_of(options).end == Approx(9.28e9).epsilon(0.01));
}

TEST_CASE("a page of a whole file shows both of its ends", "[trace]") {
  gtkw_options options;
  options.file_from = options.zoom_from = 10 * fs_per_us;
  options.file_to = options.zoom_to = 20 * fs_per_us;
  CHECK(page_of(options).start == 10e9);
  CHECK(page_of(options).end > 20e9);
  CHECK(page_of(options).end < 22e9);
}

TEST_CASE("a save file is written beside its wave", "[trace]") {
  const scratch_folder folder;
  gtkw_options options;
  options.vcd_path = folder.file("wave.vcd");
  write_gtkw(folder.file("wave.gtkw"), options, signals);
  CHECK(folder.content("wave.gtkw") == gtkw_text(options, signals));
}
