// Whatever arrives from the network: packets are found or refused, what is found is answered, and
// every answer comes back whole from the wire. The first byte chooses: commands packed into packets
// here, one a line, or bytes as they come.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "platform/debug/gdb_commands.hpp"
#include "platform/debug/packet_codec.hpp"
#include "tests/unit/debug/fake_target.hpp"

namespace {

using namespace heddle;

void require(bool condition) {
  if (!condition) std::abort();
}

std::string framed(const std::string& lines) {
  std::string bytes;
  std::size_t from = 0;
  while (from <= lines.size()) {
    const std::size_t end = std::min(lines.find('\n', from), lines.size());
    bytes += make_packet(lines.substr(from, end - from), packet_runs::plain);
    from = end + 1;
  }
  return bytes;
}

void check_wire(const std::string& reply) {
  packet_reader reader(packet_runs::packed);
  const std::string packet = make_packet(reply, packet_runs::packed);
  for (std::size_t i = 0; i < packet.size(); ++i) {
    const bool is_last = i + 1 == packet.size();
    require(reader.take(packet[i]) ==
            (is_last ? packet_reader::event::packet : packet_reader::event::nothing));
  }
  require(reader.data() == reply);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  fake_target a("a"), b("b");
  const std::vector<debug_target*> both = {&a, &b};
  gdb_commands commands(both, [](const std::string& words) { return words; });
  packet_reader reader(packet_runs::plain);
  for (const char c : data[0] % 2 == 0 ? framed(rest) : rest) {
    if (reader.take(c) != packet_reader::event::packet) continue;
    require(reader.data().size() <= packet_reader::most_bytes);
    const gdb_answer answer = commands.take(reader.data());
    require(answer.reply.size() <= packet_reader::most_bytes);
    check_wire(answer.reply);
    if (answer.next == gdb_answer::action::resume)
      check_wire(commands.report({a.steps ? &a : &b, debug_stop::reason::step}));
  }
  return 0;
}
