// A function with a stack of its own that runs until it suspends itself.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

namespace heddle::test {

class fiber final {
 public:
  explicit fiber(std::function<void()> body);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  // Runs the body until it suspends or ends; throws what the body throws.
  void resume();

  // Called within the body: goes back to whoever resumed it.
  void suspend();

  bool has_ended() const { return has_ended_; }

 private:
  static constexpr std::size_t stack_bytes = 256 * 1024;

  static inline fiber* starting_ = nullptr;  // makecontext cannot pass a pointer

  static void start();
  void run();

  std::function<void()> body_;
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t own_{};
  ucontext_t resumer_{};
  const void* resumer_stack_ = nullptr;
  std::size_t resumer_stack_bytes_ = 0;
  std::exception_ptr error_;
  bool has_ended_ = false;
};

}  // namespace heddle::test
