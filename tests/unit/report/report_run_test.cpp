#include "platform/report/report_run.hpp"

#include <catch2/catch.hpp>

#include "platform/report/report_text.hpp"
#include "platform/text/diagnostic.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;

namespace {

const std::string heading = "from,to,latency_s,wire_bytes\n";

// The links of a run that has written that links.csv.
report_run read_with_links(const scratch_folder& folder, const std::string& links) {
  folder.write("stats.json",
               R"({"netlist": "a", "collectives": [], "units": {}, "simulated_s": 0, "exit": 0})");
  folder.write("summary.txt", "Nothing was busy.\n");
  folder.write("config.yaml", "heddle: 1\n");
  folder.write("links.csv", links);
  return read_report_run(folder.path());
}

// What stands behind the name of links.csv in the message.
std::string mistake_in(const std::string& links) {
  const scratch_folder folder;
  try {
    read_with_links(folder, links);
  } catch (const user_error& error) {
    const std::string file = folder.file("links.csv"), message = error.what();
    return message.rfind(file, 0) == 0 ? message.substr(file.size()) : message;
  }
  return {};
}

}  // namespace

TEST_CASE("cells of links.csv are names and numbers, for a report") {
  const scratch_folder folder;
  const report_run run =
      read_with_links(folder, heading + "a.port,b.port,2.5e-07,10\r\nb.port,a.port,0,4096\r\n");
  REQUIRE(run.links.size() == 2);
  CHECK(run.links[0].cells[0] == "a.port");
  CHECK(run.links[0].numbers == std::vector<double>{0, 0, 2.5e-07, 10});
  CHECK(run.links[1].cells[3] == "4096");
  const std::string html = links_html(run);
  CHECK(html.find("4 KiB") < html.find("10 B"));
}

TEST_CASE("a cell of links.csv that holds no number is told with its place") {
  CHECK(mistake_in(heading + "a,b,0,1\na,b,0,many\n") ==
        ":3:7: wire_bytes: expected a number, got \"many\"");
  CHECK(mistake_in(heading + "a,b,nan,1\n") == ":2:5: latency_s: expected a number, got \"nan\"");
  CHECK(mistake_in(heading + "a,b,0,-1\n") == ":2:7: wire_bytes: must not be negative, got \"-1\"");
  CHECK(mistake_in(heading + "a,b,1e9,1\n") ==
        ":2:5: latency_s: must not exceed 9200, got \"1e9\"");
  CHECK(mistake_in(heading + "a,b,0,\n") == ":2:7: wire_bytes: expected a number, got \"\"");
}

TEST_CASE("a links.csv that no run writes is refused") {
  CHECK(mistake_in("") == ": the file is empty; a report needs the directory of a run");
  CHECK(mistake_in("from,where\n") == ":1:1: the heading names no column 'to'");
  CHECK(mistake_in(heading + "a,b,0\n") == ":2:1: 3 cells instead of 4");
  CHECK(mistake_in(heading + "a,b,0,1,\n") == ":2:1: 5 cells instead of 4");
}

TEST_CASE("a report needs all files of a run") {
  const scratch_folder folder;
  CHECK_THROWS_WITH(read_report_run(folder.path()),
                    folder.file("stats.json") +
                        ": No such file or directory; a report needs the directory of a run");
}
