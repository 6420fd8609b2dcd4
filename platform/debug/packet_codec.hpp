// The framing of gdb's remote serial protocol: "$data#checksum", acknowledgements, and the byte
// that interrupts. Bytes go in one at a time, in whatever pieces they arrive.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Replies may pack runs of equal characters; commands hold a plain '*'.
enum class packet_runs { plain, packed };

class packet_reader {
 public:
  enum class event { nothing, packet, broken_packet, accepted, repeat, interrupt };
  static constexpr std::size_t most_bytes = 1U << 16;  // of a packet; a longer one is broken

  explicit packet_reader(packet_runs runs) : runs_(runs) {}

  event take(char c);
  // Of the packet that was complete last, escapes and runs resolved.
  const std::string& data() const { return data_; }

 private:
  enum class state { outside, inside, escaped, run, first_digit, second_digit };

  void start();
  void append(char c);
  event take_inside(char c);
  void unpack(char count);
  event finish(char last_digit);

  packet_runs runs_;
  state state_ = state::outside;
  std::string data_;
  unsigned char sum_ = 0;
  char first_digit_ = 0;
  bool is_broken_ = false;
};

// Ready to be sent.
std::string make_packet(std::string_view data, packet_runs runs);

}  // namespace heddle
