// heddle gather_laws: what follows from the formats and the sizes of the hardware alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/sparse/gather_laws.hpp"
#include "models/workloads/gather/print_text.hpp"
#include "platform/cli/command_registry.hpp"
#include "platform/text/counted.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/trace/wanted_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

struct law_options {
  std::uint64_t mtu = 1500, requests = 17;
  double link_latency = 450, switch_latency = 300;  // ns
  std::string json_file;
};

json law_of(std::uint64_t elements, const law_options& options) {
  const std::uint64_t bytes = 4 * elements;
  const auto read = gather_packet::read, response = gather_packet::response;
  const shared_packets shared = packets_shared_by(options.requests, read, options.mtu, bytes);
  return {{"elements", elements},
          {"header_percent", 100 * software_header_share(bytes)},
          {"payload_percent", 100 - 100 * software_header_share(bytes)},
          {"reads_in_mtu", requests_in_mtu(read, options.mtu, bytes)},
          {"responses_in_mtu", requests_in_mtu(response, options.mtu, bytes)},
          {"lone_headers", options.requests * lone_packet_bytes(read, bytes)},
          {"shared_headers", shared.bytes},
          {"shared_packets", shared.count},
          {"goodput_percent_lone", 100 * goodput_of_received(bytes, 0)},
          {"goodput_percent_full", 100 * goodput_of_full(bytes, options.mtu)}};
}

json laws(const law_options& options) {
  json rows = json::array();
  for (std::uint64_t elements = 1; elements <= 256; elements *= 2)
    rows.push_back(law_of(elements, options));
  const auto trip = [&](int links, int switches) {
    return idle_round_trip(links, options.link_latency, switches, options.switch_latency) / 1000;
  };
  constexpr double filter_memory = 16e9 * 8;  // bits in 16 GB (Table 5)
  return {{"rows", rows},
          {"round_trip_us", {{"in_rack", trip(2, 1)}, {"between_racks", trip(4, 3)}}},
          {"filter_columns", filter_memory},
          {"nic_storage_MB", static_cast<double>(nic_storage{}.bytes()) / 1e6},
          {"least_header", gather_request_header}};
}

// "370 B in one", "690 B in 6 packets that they share"
std::string shared_by_reads(const json& row) {
  const auto packets = row["shared_packets"].get<std::uint64_t>();
  return fmt::format(
      "{} B in {}", row["shared_headers"].get<std::uint64_t>(),
      packets == 1 ? "one" : fmt::format("{} that they share", counted(packets, "packet")));
}

void print(const json& all, std::uint64_t requests) {
  print_text("property requests by elements of 4 bytes\n{:>8}{:>10}{:>12}{:>16}{:>15}{:>15}\n", "K",
             "headers", "reads/MTU", "responses/MTU", "goodput lone", "goodput full");
  for (const json& row : all["rows"])
    print_text("{:>8}{:>8.1f} %{:>12}{:>16}{:>13.1f} %{:>13.1f} %\n", row["elements"].get<int>(),
               row["header_percent"].get<double>(), row["reads_in_mtu"].get<int>(),
               row["responses_in_mtu"].get<int>(), row["goodput_percent_lone"].get<double>(),
               row["goodput_percent_full"].get<double>());
  print_text(
      "headers: of plain software; goodput: of the bytes that a balanced node receives\n"
      "idle round trip {:.1f} us in the rack, {:.1f} us between racks; filter of {:.3g} columns; "
      "NIC storage {:.2f} MB\n",
      all["round_trip_us"]["in_rack"].get<double>(),
      all["round_trip_us"]["between_racks"].get<double>(), all["filter_columns"].get<double>(),
      all["nic_storage_MB"].get<double>());
  const json& any = all["rows"].front();  // reads carry no property
  print_text("{}: {} B in packets of their own, {}\n", counted(requests, "read"),
             any["lone_headers"].get<std::uint64_t>(), shared_by_reads(any));
}

void check(const law_options& options) {
  constexpr std::uint64_t most_bytes = 65536, most_requests = 1'000'000;
  const std::uint64_t least_bytes = lone_packet_bytes(gather_packet::response, 4);
  const auto check_count = [](const char* option, std::uint64_t value, std::uint64_t least,
                              std::uint64_t most) {
    if (value < least || value > most)
      throw user_error(fmt::format("{} {}: expected {} to {}", option, value, least, most));
  };
  const auto check_time = [](const char* option, double ns) {
    constexpr int most_ns = 1'000'000'000;
    if (!(ns >= 0 && ns <= most_ns))
      throw user_error(fmt::format("{} {}: expected 0 to {} ns", option, ns, most_ns));
  };
  check_count("--mtu", options.mtu, least_bytes, most_bytes);
  check_count("--requests", options.requests, 1, most_requests);
  check_time("--link-latency", options.link_latency);
  check_time("--switch-latency", options.switch_latency);
}

int law_command(const law_options& options) {
  check(options);
  wanted_file file(options.json_file);
  const json all = laws(options);
  print(all, options.requests);
  if (file) file.write(all.dump(1) + "\n");
  return 0;
}

std::function<int()> declare(CLI::App& command) {
  const auto options = std::make_shared<law_options>();
  command.add_option("--mtu", options->mtu, "largest packet in bytes, headers included");
  command.add_option("--requests", options->requests,
                     "that are counted alone and in packets that they share");
  command.add_option("--link-latency", options->link_latency, "ns");
  command.add_option("--switch-latency", options->switch_latency, "ns");
  command.add_option("--json", options->json_file, "the same as JSON");
  return [options] { return law_command(*options); };
}

HEDDLE_REGISTER_COMMAND(gather_laws,
                        {"gather_laws", "headers, packing and round trips of gathers by formulas",
                         &declare, true});

}  // namespace
}  // namespace heddle
