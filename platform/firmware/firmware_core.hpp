// What the HAL needs of the core that the firmware runs on. Natively, the HAL's C functions find
// the core whose thread is running and call it.
#pragma once

#include <cstdint>

#include "platform/time/fs_time.hpp"

namespace heddle {

enum class job_mark { start, end };

// Told when firmware that runs natively calls the HAL, and when the call is over.
class call_watcher {
 public:
  virtual void call_begins(std::uint64_t call_site) = 0;
  virtual void call_ends() = 0;

 protected:
  ~call_watcher() = default;
};

class firmware_core {
 public:
  virtual std::uint64_t load(std::uint64_t address, unsigned bytes) = 0;
  virtual void store(std::uint64_t address, std::uint64_t value, unsigned bytes) = 0;
  virtual void fence() = 0;
  virtual std::uint64_t atomic_add(std::uint64_t address, std::uint64_t addend) = 0;
  virtual void post_add(std::uint64_t address, std::uint64_t addend) = 0;
  virtual void spend_instructions(std::uint32_t count) = 0;
  virtual void wait_for_interrupt() = 0;
  virtual bool is_interrupt_pending() = 0;
  // Loads of `bytes` each until is_met(value, a, b). 0, or -1 after the time-out; `last` receives
  // what was loaded last.
  struct poll_request {
    std::uint64_t address;
    unsigned bytes;
    bool (*is_met)(std::uint64_t value, std::uint64_t a, std::uint64_t b);
    std::uint64_t a, b;
    std::uint64_t timeout_ns;
    const char* what;  // the condition on b, for the hang report
  };
  virtual int poll(const poll_request& request, std::uint64_t& last) = 0;
  virtual std::uint64_t boot_address() = 0;
  virtual std::uint32_t device_count(std::uint32_t block) const = 0;
  // Base address. One that is not there ends the firmware.
  virtual std::uint64_t device(std::uint32_t block, std::uint32_t instance) = 0;
  virtual std::uint32_t next_job() = 0;
  virtual void mark(job_mark mark, std::uint32_t job) = 0;
  virtual std::uint64_t time_ns() = 0;
  virtual fs_t local_time() const = 0;  // of the core: simulated time, or ahead of it
  virtual void log(const char* text, std::uint64_t value) = 0;
  [[noreturn]] virtual void exit(int code) = 0;

  // The core whose firmware runs now. A core sets it whenever its thread starts.
  static firmware_core& current() { return *current_; }
  static void set_current(firmware_core& core) { current_ = &core; }

  // Around each call of the HAL; `site`: where it returns to.
  void begin_call(const void* site) {
    ++calls_;
    is_called_ = true;
    call_site_ = reinterpret_cast<std::uintptr_t>(site);
    if (call_watcher_) call_watcher_->call_begins(call_site_);
  }
  void end_call() {
    if (call_watcher_) call_watcher_->call_ends();
    is_called_ = false;
  }
  bool is_called() const { return is_called_; }   // a call is under way
  std::uint64_t calls() const { return calls_; }  // begun so far
  std::uint64_t call_site() const { return call_site_; }

 protected:
  ~firmware_core() = default;
  void watch_calls(call_watcher* by) { call_watcher_ = by; }

 private:
  static firmware_core* current_;
  std::uint64_t call_site_ = 0, calls_ = 0;
  bool is_called_ = false;
  call_watcher* call_watcher_ = nullptr;  // nobody
};

}  // namespace heddle
