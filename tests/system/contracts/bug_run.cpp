#include "tests/system/contracts/bug_run.hpp"

#include <fstream>

namespace heddle {
namespace {

constexpr int first_gather_bug = 70, last_gather_bug = 99, first_mesh_bug = 130;

// The system that the bug is planted in; `core` is the type of its cores.
struct bug_system {
  std::string netlist;
  settings values;
};

bug_system system_of(int number, const settings& more) {
  const bool is_of_gather = first_gather_bug <= number && number <= last_gather_bug;
  if (number < first_mesh_bug) {
    const std::string name = is_of_gather ? "gather_bugs" : "driver_bugs";
    bug_system made{"tests/system/contracts/" + name + ".yaml",
                    {{"params.bug", std::to_string(number)}}};
    made.values.insert(made.values.end(), more.begin(), more.end());
    return made;
  }
  bug_system made{"yaml/mesh_tiles.yaml",
                  {{"params.width", "2"},
                   {"params.height", "2"},
                   {"tile[*].cp.core.firmware", "mesh_bugs"},
                   {"workload.collective", "broadcast"},
                   {"workload.algorithm", "mesh_hw"},
                   {"workload.bytes", std::to_string(8 * number) + " B"},
                   {"workload.check", "off"}}};
  for (const auto& [key, value] : more)
    made.values.emplace_back(key, key == "params.core" ? "mesh_" + value + ".yaml" : value);
  return made;
}

}  // namespace

const std::vector<bug_file>& planted_bugs() {
  static const std::vector<bug_file> all = {
      {"dma_bugs.c",
       {{1, "call hal_fence() before the write of channel[3].doorbell"},
        {2,
         "channel[3].ring_base has not been written since reset: tell the channel where its "
         "ring is before the first doorbell"},
        {3, "channel[3].ring_entries has not been written since reset"},
        {4,
         "5 is not within 0 announced, 0 completed and a ring of 4: count up from the last "
         "channel[3].doorbell, and wait for channel[3].completed before the ring is full"},
        {5, "1 is not within 2 announced, 0 completed and a ring of 4"},
        {6, "is not a multiple of 32: align the ring to its descriptors of 32 bytes"},
        {7, "0 is not within 1 to 268435456: a ring without entries can hold no descriptor"},
        {8, "may be written only while channel[3].status.state is IDLE, which is RUN"},
        {9,
         "must not be written while channel[3].status.state is ERROR: write control.reset and "
         "post again"},
        {10, "descriptor 0 is a copy of length 0: control 0x1, length 0"},
        {11, "descriptor 1 has the unknown opcode 0: control 0x0, length 0"},
        {12, "descriptor 0 has the unknown opcode 7: control 0x7"},
        {13, "bus error at 0xff0000000000"},
        {14, "write of 0x7 to channel[3].completed"},
        {15, "read of channel[3].control (offset 0x1d8)"},
        {16, "there is no register"},
        {17, "not aligned to the 4 bytes of the access"},
        {18, "an access of 8 bytes to a register of 4"},
        {19, "sets the reserved bits 0xfe: use the masks of the register header"},
        {20, "there is no register"},
        {21, "(nothing is there)"},
        {22, "the register is write-only"},
        {23, "descriptor 0 sets bits that are reserved: control 0x8001"},
        {24, "there are 8 channels"},
        {25, "gpu[0].dma still writes it (destination of descriptor 0 of channel 3, since"},
        {26,
         "must not be written while channel[3].status.state is RESET: poll status until its state "
         "is IDLE"},
        {27, "descriptor 1 is a copy of length 0: control 0x1, length 0"}}},
      {"vector_bugs.c",
       {{30,
         "1 store to memory is not fenced yet, the first at tests/system/contracts/"
         "vector_bugs.c:"},
        {31, "source has not been written since reset: write source first"},
        {32,
         "must not be written while status.state is BUSY: poll completed for the operation "
         "before"},
        {33, "may be written only while status.state is IDLE, which is BUSY"},
        {34, "may be written only while status.state is IDLE, which is BUSY"},
        {35, "must not be written while status.state is ERROR: write control.reset first"},
        {36, "0 is not within 1 to 1073741824: an operation has 1 to 2^30 elements"},
        {37, "field dtype has no value 15: one of FP16 (0), BF16 (1), FP32 (2), INT32 (3)"},
        {38, "sets the reserved bits 0x100000"},
        {39, "the register is write-only"},
        {40, "an access of 8 bytes to a register of 4"}}},
      {"multimem_bugs.c",
       {{50, "call hal_fence() before the write of start"},
        {51, "operation has not been written since reset: write operation first"},
        {52, "must not be written while status.state is BUSY"},
        {53, "write its ones back to clear it before the next start"},
        {54, "the register is read-only"},
        {55, "field kind has no value 9: one of LD_REDUCE (0), ST (1), RED (2), ALL_REDUCE (3)"}}},
      {"isa_bugs.c",
       {{60, "call hal_fence() before the write of stream[0].push"},
        {61,
         "stream[0].operation has not been written since the last write of stream[0].push: "
         "stage an instruction before each push"},
        {62, "stream[0].members has not been written since reset"},
        {63, "0 is not within 1 to 4294967295: an operand has at least one element"},
        {64, "the register is read-only"},
        {65, "field dtype has no value 7"},
        {66, "posted write at 0x40000000 (nvs.isa id)"},
        {67, "read of 4 bytes at 0x4000"},
        {68, "nvs.isa still writes it (destination of its operation, since"},
        {69, "nvs.isa still reads it (source of its operation, since"},
        {127, "0 is not within 1 to 4294967295: an operand has at least one element"},
        {128, "stream[0].members has not been written since reset"},
        {129, "read of stream[0].push (offset 0x83c) at"}}},
      {"gather_bugs.c",
       {{70,
         "must not be written while unit[0].status.state is RUN: wait for the interrupt, or poll "
         "status, before the next command"},
        {71,
         "the filter has 0 bits for 64 columns: set filter_bits and write clear before a command "
         "that filters"},
        {72,
         "the filter has bits of a command that failed, and whose properties may not be used: "
         "gather its list again without the filter, or clear the filter"},
        {73, "unit[0].indices has not been written since reset: tell the unit what to gather"},
        {74, "must not be written while unit[0].status.state is FAILED: write control.reset first"},
        {75, "call hal_fence() before the write of unit[0].doorbell"},
        {76, "may be written only while unit[0].status.state is IDLE, which is RUN"},
        {77,
         "a property of 1500 B fits into no packet of 1500 B, which leaves 1418 B for it: cut "
         "longer ones into slices"},
        {78, "unit 0 is a server: `clients` says who is a client"},
        {79, "node[0].nic still reads it (source of its operation, since"}}},
      {"mesh_bugs.c",
       {{130, "tile[0].dma still reads it (source of its operation, since"},
        {131, "tile[0].dma still writes it (destination of its operation, since"},
        {132, "tile[0].dma still writes it (destination of its operation, since"},
        {133, "tile[0].dma has not completed what it writes there"},
        {134, "ends while tile[0].dma is at work"},
        {135, "tile[0].dma still writes it (destination of its operation, since"}}},
      {"buffer_bugs.c",
       {{126, "misaligned read of 4 bytes at"},
        {100, "is announced, but nobody has written it since an engine has completed it"},
        {101, "gpu[0].dma still writes it (destination of descriptor 1 of channel 3, since"},
        {102, "is also the entry of descriptor 0 of channel 3"},
        {103, "gpu[0].dma still reads it (source of descriptor 0 of channel 3, since"},
        {104, "the result is there at its completion, not before"},
        {105, "is announced, but nobody has written it since an engine has completed it"},
        {106, "ends while gpu[0].dma is at work (source of descriptor 0 of channel 3, since"},
        {107, "ends while interrupt line 0 is up: nobody has cleared what raised it"},
        {108, "writes a flag of gpu[1].cp at"},
        {109, "wait for its completion before the entry is written again"},
        {110, "clears every flag, but only 0x8 is set"},
        {111, "nobody has written these 4 bytes"},
        {112, "nobody has written these 8 bytes"},
        {113, "only the lower half of channel[3].ring_base has been written"},
        {114, "hang: reads"},
        {115, "hang: reads"},
        {116, "gpu[0].vector still writes it (destination of its operation, since"},
        {117, "gpu[0].vector still reads it (source of its operation, since"},
        {118, "gpu[0].dma has not completed what it writes there"},
        {119, "gpu[0].vector has not completed what it writes there"},
        {120, "descriptor 5 of channel 3"},
        {121, "gpu[0].dma still writes it (destination of descriptor 0 of channel 3, since"},
        {122, "ends while gpu[0].vector is at work"},
        {123, "gpu[0].dma still writes it"},
        {124, "write"},
        {125,
         "the same, 30 times in all: gpu[0].memory at tests/system/contracts/buffer_bugs.c:"}}}};
  return all;
}

std::string line_of(const std::string& file, int number) {
  const std::string path = "tests/system/contracts/" + file;
  const std::string mark = "/* bug " + std::to_string(number) + " */";
  std::ifstream in(project_file(path));
  std::string text;
  for (int line = 1; std::getline(in, text); ++line)
    if (text.find(mark) != std::string::npos) return path + ":" + std::to_string(line);
  return {};
}

bug_outcome run_bug(int number, const settings& more, const std::vector<std::string>& words) {
  const scratch_folder folder;
  const bug_system system = system_of(number, more);
  command line = run_command(project_file(system.netlist), "out", system.values);
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.words.insert(line.words.end(), words.begin(), words.end());
  line.folder = folder.path();
  bug_outcome seen;
  seen.result = run(line);
  if (folder.has("out/summary.txt")) seen.summary = folder.content("out/summary.txt");
  return seen;
}

}  // namespace heddle
