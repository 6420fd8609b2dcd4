#include "platform/debug/tcp_socket.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

bool is_ready(int descriptor, std::chrono::milliseconds patience) {
  pollfd asked{descriptor, POLLIN, 0};
  return ::poll(&asked, 1, static_cast<int>(patience.count())) > 0;
}

}  // namespace

tcp_connection::tcp_connection(tcp_connection&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

tcp_connection& tcp_connection::operator=(tcp_connection&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

void tcp_connection::close() {
  if (is_open()) ::close(descriptor_);
  descriptor_ = -1;
}

std::string tcp_connection::receive(std::chrono::milliseconds patience) {
  if (!is_open() || !is_ready(descriptor_, patience)) return {};
  std::array<char, 4096> bytes{};
  const ssize_t got = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
  if (got > 0) return {bytes.data(), static_cast<std::size_t>(got)};
  close();
  return {};
}

void tcp_connection::send(std::string_view bytes) {
  while (is_open() && !bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0)
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno != EINTR)
      close();
  }
}

tcp_listener::tcp_listener(const std::string& address, int port) {
  sockaddr_in wanted{};
  wanted.sin_family = AF_INET;
  wanted.sin_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET, address.c_str(), &wanted.sin_addr) != 1)
    throw user_error(fmt::format("--gdb: '{}' is no IPv4 address", address));
  descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&wanted), sizeof wanted) != 0 ||
      ::listen(descriptor_, 1) != 0) {
    const std::string reason = std::strerror(errno);
    ::close(descriptor_);
    throw user_error(fmt::format("--gdb: cannot listen on {}:{}: {}", address, port, reason));
  }
  socklen_t bytes = sizeof wanted;
  getsockname(descriptor_, reinterpret_cast<sockaddr*>(&wanted), &bytes);
  port_ = ntohs(wanted.sin_port);
}

tcp_listener::~tcp_listener() {
  ::close(descriptor_);
}

tcp_connection tcp_listener::accept(std::chrono::milliseconds patience) {
  if (!is_ready(descriptor_, patience)) return {};
  const int made = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  if (made < 0) return {};
  const int yes = 1;  // packets are short and answered one by one
  setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return tcp_connection(made);
}

}  // namespace heddle
