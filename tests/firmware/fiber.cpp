#include "tests/firmware/fiber.hpp"

#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace heddle::test {
namespace {

// The address sanitizer wants to know which stack comes next, and which one was left.
#if defined(__SANITIZE_ADDRESS__)
void leave_for(void** own, const void* stack, std::size_t bytes) {
  __sanitizer_start_switch_fiber(own, stack, bytes);
}
void arrive(void* own, const void** left, std::size_t* left_bytes) {
  __sanitizer_finish_switch_fiber(own, left, left_bytes);
}
#else
void leave_for(void**, const void*, std::size_t) {}
void arrive(void*, const void**, std::size_t*) {}
#endif

}  // namespace

fiber::fiber(std::function<void()> body)
    : body_(std::move(body)), stack_(new std::byte[stack_bytes]) {
  getcontext(&own_);
  own_.uc_stack.ss_sp = stack_.get();
  own_.uc_stack.ss_size = stack_bytes;
  own_.uc_link = &resumer_;
  makecontext(&own_, &fiber::start, 0);
}

void fiber::start() {
  starting_->run();
}

void fiber::run() {
  arrive(nullptr, &resumer_stack_, &resumer_stack_bytes_);
  try {
    body_();
  } catch (...) {
    error_ = std::current_exception();
  }
  has_ended_ = true;
  leave_for(nullptr, resumer_stack_, resumer_stack_bytes_);
}

void fiber::resume() {
  starting_ = this;
  void* fake_stack = nullptr;
  leave_for(&fake_stack, stack_.get(), stack_bytes);
  swapcontext(&resumer_, &own_);
  arrive(fake_stack, nullptr, nullptr);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void fiber::suspend() {
  void* fake_stack = nullptr;
  leave_for(&fake_stack, resumer_stack_, resumer_stack_bytes_);
  swapcontext(&own_, &resumer_);
  arrive(fake_stack, &resumer_stack_, &resumer_stack_bytes_);
}

}  // namespace heddle::test
