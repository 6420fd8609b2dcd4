#include "tests/support/netlist_generator.hpp"

namespace heddle {
namespace {

using words = std::vector<std::string>;

const words names = {"gpu", "sw", "bus", "mem", "host", "leaf", "switch", "cp"};
const words types = {
    "switch",  "switch",           "packet_traffic", "flit_switch",  "bus",   "memory",
    "bus",     "packetizer",       "core",           "rv64_core",    "dma",   "vector",
    "isa",     "multicast_engine", "mesh_router",    "mesh_traffic", "clint", "plic",
    "console", "nothing"};
const words parts = {"units/accelerator.yaml", "units/accelerator.yaml", "units/host.yaml",
                     "units/scin_switch.yaml", "units/nvls_switch.yaml", "units/mesh_tile.yaml",
                     "units/nothing.yaml"};
const words ports = {"port", "port[0]", "port[1]", "port[2]",   "port[i]", "in",    "out",
                     "bus",  "fabric",  "memory",  "registers", "irq",     "north", "local"};
const words odd_values = {"0",
                          "-1",
                          "1",
                          "7",
                          "65",
                          "65536",
                          "18446744073709551615",
                          "1e300",
                          "0.5",
                          "true",
                          "off",
                          "[]",
                          "[1, 2]",
                          "{}",
                          "\"\"",
                          "\"${a}\"",
                          "\"${b - 3}\"",
                          "\"${1 / 0}\"",
                          "0 ns",
                          "250 ns",
                          "90 s",
                          "18446 s",
                          "1 fs",
                          "1 B",
                          "64 KiB",
                          "16 EiB",
                          "64 GiB",
                          "1 MB/s",
                          "450 GB/s",
                          "1 B/s",
                          "0x10000",
                          "x"};
const words unit_keys = {"ports",    "core",    "forwarding",  "cycle",       "size",
                         "base",     "latency", "rate",        "pattern",     "packet_flits",
                         "firmware", "window",  "window_size", "dma",         "mtu",
                         "header",   "flit",    "interleave",  "outstanding", "channels",
                         "queue",    "x",       "y",           "width",       "height",
                         "number",   "planes",  "waves",       "elf"};
const words traffic_keys = {"pattern", "packet_bytes", "warmup", "measure", "shift"};
const words accelerator_keys = {"mtu",  "header", "interleave", "outstanding",    "firmware",
                                "core", "window", "channels",   "memory_latency", "access_cost"};
const words switch_keys = {"forwarding", "ports", "pipes"};
const words link_keys = {"bandwidth", "latency", "vcs", "buffer", "flit", "weight"};

}  // namespace

std::uint64_t netlist_generator::below(std::uint64_t limit) {
  std::uint64_t drawn = 0;
  for (int i = 0; i < 2; ++i) drawn = drawn << 8 | (next_ < bytes_.size() ? bytes_[next_++] : 0);
  return drawn % limit;
}

std::string netlist_generator::number() {
  return in_percent(90) ? small() : one_of(odd_values);
}

std::string netlist_generator::value() {
  return one_of(odd_values);
}

std::string netlist_generator::list() {
  std::string text = "[" + number();
  for (int i = 0; i < 2 && in_percent(60); ++i) text += ", " + number();
  return text + "]";
}

std::string netlist_generator::more(const words& keys, std::uint64_t percent) {
  std::string text;
  words left = keys;
  while (!left.empty() && in_percent(percent)) {
    const std::size_t which = below(left.size());
    text += ", " + left[which] + ": " + value();
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(which));
  }
  return text;
}

std::string netlist_generator::host() {
  switch (below(8)) {
    case 0:
    case 1:
    case 2:
      return "{type: packet_traffic, rate: 0.5" + more(traffic_keys, 5) + "}";
    case 3:
    case 4:
    case 5:
      return "{use: units/accelerator.yaml, number: \"${i}\", planes: " + planes_ +
             more(accelerator_keys, 5) + "}";
    case 6:
      return "{type: packetizer, base: \"${(i + 1) * 65536}\", size: 64 KiB}";
    default:
      return "{type: " + one_of(types) + more(unit_keys, 30) + "}";
  }
}

std::string netlist_generator::topology() {
  const words kinds = {"star",  "leaf_spine", "fat_tree", "full_mesh",
                       "torus", "hyperx",     "dragonfly"};
  const std::string kind = one_of(kinds);
  planes_ = in_percent(80) ? "1" : number();
  std::string text = "topology: {kind: " + kind + ", host: " + host();
  if (kind == "torus" || kind == "hyperx") text += ", sides: " + list();
  if (kind == "leaf_spine")
    text += ", leaves: " + number() + ", spines: " + one_of({"1", "2"}) +
            ", uplinks: " + one_of({"2", "4", "4", "5"});
  if (kind == "fat_tree" && in_percent(50))
    text += ", down: " + list() + ", up: " + list() + ", parallel: " + list();
  if (kind == "dragonfly") text += ", groups: " + number() + ", global_links: " + number();
  if (kind != "fat_tree") text += ", hosts: " + number();
  text += ", switch: {type: switch" + more(switch_keys, 5) + "}, link: {latency: 250 ns" +
          more({"bandwidth", "vcs", "buffer", "weight"}, 8) + "}";
  if (planes_ != "1") text += ", planes: " + planes_;
  if (in_percent(10)) text += ", names: {host: " + one_of(names) + "}";
  return text + "}\n";
}

std::string netlist_generator::unit() {
  std::string text = "{";
  text += in_percent(80) ? "type: " + one_of(types) : "use: " + one_of(parts);
  if (in_percent(40)) text += ", array: " + (in_percent(70) ? number() : list());
  if (in_percent(3)) text += ", index: " + one_of({"i", "x", "[x, y]", "a"});
  if (in_percent(15)) text += ", if: " + one_of({"i < 2", "a == 2", "0", "1", "true", "nobody"});
  return text + more(unit_keys, 10) + "}";
}

std::string netlist_generator::end() {
  const words indices = {"", "", "[0]", "[1]", "[i]", "[i + 1]", "[0][1]", "[-1]", "[99]"};
  return "\"" + one_of(names) + one_of(indices) + "." + one_of(ports) + "\"";
}

std::string netlist_generator::repetition() {
  std::string text;
  if (in_percent(30)) text += "for: {i: " + number() + "}, ";
  if (in_percent(10)) text += "if: " + one_of({"i > 0", "a > b", "false"}) + ", ";
  return text;
}

std::string netlist_generator::links() {
  std::string text = "links:\n";
  do {
    text += "  - {" + repetition() + "between: [" + end() + ", " + end() + "]" +
            more(link_keys, 30) + "}\n";
  } while (in_percent(70));
  return text;
}

std::string netlist_generator::binds() {
  std::string text = "binds:\n";
  do {
    text += "  - {" + repetition() + "from: " + end() + ", to: " + end() + "}\n";
  } while (in_percent(60));
  return text;
}

std::string netlist_generator::map() {
  std::string text = "map:\n  " + one_of({"bus", "\"bus[0]\"", "mem"}) + ":\n";
  do {
    text += "    - {" + repetition();
    if (in_percent(30))
      text += "default: true, ";
    else
      text += "at: " + one_of({"0", "4096", "\"${i * 4096}\"", "0xfffffffffffff000"}) +
              ", size: " + one_of({"4 KiB", "1 MiB", "16 EiB", "0 B"}) + ", ";
    if (in_percent(30)) text += "absolute: true, ";
    text += "to: " + end() + "}\n";
  } while (in_percent(60));
  return text;
}

std::string netlist_generator::routing() {
  std::string text =
      "routing: {policy: " + one_of({"shortest", "shortest", "up_down", "dimension_order",
                                     "dragonfly", "table", "longest"});
  if (in_percent(40)) text += ", sides: " + list();
  if (in_percent(30)) text += ", groups: " + number();
  if (in_percent(30)) text += ", switches: \"" + one_of({"switch[*", "*", "leaf[0..1]"}) + "\"";
  if (in_percent(30))
    text += ", spread: " + one_of({"flow", "owner", "destination", "packet", "adaptive", "luck"});
  if (in_percent(15)) text += ", check: " + one_of({"on", "off"});
  if (in_percent(10)) text += ", root: " + one_of({"\"spine[0]\"", "nobody"});
  if (in_percent(10))
    text += ", routes: [{at: \"switch[0]\", to: \"host[1]\", through: \"port[" + number() + "]\"}]";
  return text + "}\n";
}

std::string netlist_generator::workload() {
  std::string text =
      "workload: {collective: " +
      one_of(
          {"allreduce", "allgather", "alltoall", "barrier", "broadcast", "summa", "p2p_latency"}) +
      ", bytes: " + one_of({"1 KiB", "64 KiB", "8 B", "3 B", "0 B", "[1 KiB, 2 KiB]"});
  if (in_percent(50))
    text += ", algorithm: " +
            one_of({"ring", "direct", "halving_doubling", "nvls", "scin", "auto", "mesh_tree"});
  if (in_percent(20)) text += ", ranks: " + one_of({"\"*\"", "\"host[0..1]\"", "\"host[3..0]*\""});
  if (in_percent(15))
    text +=
        ", " + one_of({"root", "repeat", "slots", "channels", "tile", "timeout"}) + ": " + value();
  return text + "}\n";
}

std::string netlist_generator::netlist() {
  std::string text = "heddle: 1\nname: random\nparams: {a: 2, b: 3}\n";
  if (in_percent(20)) text += "train: " + number() + "\n";
  if (in_percent(20)) text += "data: " + one_of({"on", "off"}) + "\n";
  if (in_percent(20)) text += "monitors: " + one_of({"on", "off"}) + "\n";
  const bool has_topology = in_percent(70);
  if (has_topology) text += topology();
  if (!has_topology || in_percent(20)) {
    text += "units:\n";
    words free = names;
    do {
      const std::size_t which = below(free.size());
      text += "  " + free[which] + ": " + unit() + "\n";
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(which));
    } while (!free.empty() && in_percent(60));
    if (in_percent(40)) text += links();
    if (in_percent(30)) text += binds();
    if (in_percent(30)) text += map();
  }
  if (in_percent(30)) text += routing();
  if (in_percent(40)) text += workload();
  return text;
}

}  // namespace heddle
