#include "transactors/stages/timed_stage.hpp"

#include <cassert>

#include "platform/trace/trace_scope.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

stage_sheet sheet_of(const unit& owner, const stage_parameters& p) {
  stage_sheet result = p.sheet();
  result.charged = owner.site();
  return result;
}

}  // namespace

timed_stage::timed_stage(unit& owner, const stage_parameters& p)
    : owner_(owner),
      sheet_(sheet_of(owner, p)),
      timing_(p.timing()),
      port_(owner, "switch", *this) {}

void timed_stage::on_attached() {
  const bool is_in_pipes = sheet_.place == stage_place::middle;
  const int count = is_in_pipes ? port_.host().pipe_count() : port_.port_count();
  const trace_scope scope(owner_.sim().trace(), owner_.path());
  for (int i = 0; i < count; ++i) {
    stage_line::listener& end_of_line = *this;
    lines_.push_back(std::make_unique<stage_line>(end_of_line, i, timing_, owner_.site()));
    lines_.back()->trace(scope);
  }
}

int timed_stage::line_of(const stage_visit& visit, const packet&) const {
  switch (sheet_.place) {
    case stage_place::ingress:
      return visit.input;
    case stage_place::egress:
      return visit.output;
    default:
      return visit.output % port_.host().pipe_count();
  }
}

bool timed_stage::intercept(const stage_visit& visit, packet& p) {
  if (!wants(p)) return false;
  stage_line& line = *lines_[line_of(visit, p)];
  if (sheet_.place != stage_place::egress) {
    line.enter(visit, p, occupancy(p));
    return true;
  }
  line.show_passing(visit.first, visit.first + timing_.rate.duration(p.wire_bytes));
  const stage_verdict verdict = handle(visit, p);
  if (verdict == stage_verdict::consume) port_.consume(visit, p);
  return verdict != stage_verdict::pass;
}

void timed_stage::leave(int /*line*/, const stage_visit& visit, packet& p) {
  [[maybe_unused]] const std::uint32_t wire_bytes = p.wire_bytes;
  switch (handle(visit, p)) {
    case stage_verdict::pass:
      assert(p.wire_bytes == wire_bytes && "release and emit what became longer or shorter");
      return port_.resume(visit, p);
    case stage_verdict::consume:
      return port_.consume(visit, p);
    case stage_verdict::hold:
      return;
  }
}

}  // namespace heddle
