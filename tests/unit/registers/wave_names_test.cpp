// What registers are called in waves.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "platform/registers/register_file.hpp"
#include "platform/trace/trace_stream.hpp"
#include "tests/unit/trace/recording_sink.hpp"

using namespace heddle;

namespace {

constexpr field_description status_fields[] = {{"state", "m", 0, 4, register_access::RO},
                                               {"error", "m", 4, 4, register_access::RO}};
constexpr field_description control_fields[] = {{"reset", "m", 0, 1, register_access::RW}};
constexpr register_description all_registers[] = {
    {"status", "m", 0x0, 32, register_access::RO, register_sync::never, 0, status_fields},
    {"status_error", "m", 0x4, 32, register_access::RO, register_sync::never, 0},
    {"control", "m", 0x8, 32, register_access::RW, register_sync::never, 0, control_fields}};
constexpr register_file_description block{"toy", "m", 0x10, all_registers};

}  // namespace

TEST_CASE("a field and a register that would have one name have two in waves") {
  register_audit_log audit;
  register_file regs(block, "soc.dut", audit);
  trace_stream stream;
  recording_sink sink;
  stream.add_sink(sink);
  CHECK(regs.trace(stream, {"*"}));
  std::vector<std::string> names;
  for (const trace_declaration& each : stream.signals()) names.push_back(each.leaf);
  CHECK(names == std::vector<std::string>{"status__state", "status__error", "status_error",
                                          "control_reset"});
}
