// What is known of the results of a job.
#pragma once

namespace heddle {

// Nothing is verified that was not compared.
enum class verdict { not_checked, verified, failed };

constexpr const char* name_of(verdict of) {
  switch (of) {
    case verdict::verified:
      return "verified";
    case verdict::failed:
      return "failed";
    default:
      return "not_checked";
  }
}

}  // namespace heddle
