// TCP as the debugger's server needs it: one connection at a time.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace heddle {

class tcp_connection {
 public:
  tcp_connection() = default;
  explicit tcp_connection(int descriptor) : descriptor_(descriptor) {}
  ~tcp_connection() { close(); }
  tcp_connection(const tcp_connection&) = delete;
  tcp_connection& operator=(const tcp_connection&) = delete;
  tcp_connection(tcp_connection&& other) noexcept;
  tcp_connection& operator=(tcp_connection&& other) noexcept;

  bool is_open() const { return descriptor_ >= 0; }
  void close();
  // What has arrived, or does so soon enough; closes when the other side has. A signal ends the
  // wait.
  std::string receive(std::chrono::milliseconds patience);
  void send(std::string_view bytes);

 private:
  int descriptor_ = -1;
};

class tcp_listener {
 public:
  // Port 0: any that is free. Throws user_error.
  tcp_listener(const std::string& address, int port);
  ~tcp_listener();
  tcp_listener(const tcp_listener&) = delete;
  tcp_listener& operator=(const tcp_listener&) = delete;

  int port() const { return port_; }
  // Not open when nobody asks for a connection soon enough. A signal ends the wait.
  tcp_connection accept(std::chrono::milliseconds patience);

 private:
  int descriptor_ = -1;
  int port_ = 0;
};

}  // namespace heddle
