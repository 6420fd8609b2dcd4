// register_file::transport_dbg: a debugger looks at what registers hold and pokes the stored bits.
// What the model computes at each read has none: a poke would be gone unseen, so it is refused. So
// is a read that meets no register at all, as a core gets an error there; a longer one sees zeros
// between registers.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "platform/poll/poll_question.hpp"
#include "platform/registers/address_name_extension.hpp"
#include "platform/registers/register_file.hpp"

namespace heddle {
namespace {

unsigned char byte_at(const register_cell& cell, std::uint64_t offset) {
  return static_cast<unsigned char>(cell.peek() >> (8 * (offset - cell.offset)));
}

void set_byte(register_cell& cell, std::uint64_t offset, unsigned char byte) {
  const std::uint64_t shift = 8 * (offset - cell.offset);
  const std::uint64_t bits = cell.known_bits() & (std::uint64_t{0xff} << shift);
  cell.value = (cell.value & ~bits) | ((std::uint64_t{byte} << shift) & bits);
}

}  // namespace

bool register_file::is_told_by_reads_alone(std::uint64_t offset) const {
  const register_cell* const cell = find(offset);
  return cell && cell->is_told_by_reads_alone();
}

void register_file::answer(poll_question& question, std::uint64_t offset, unsigned bytes) {
  const register_cell* const found = find(offset);
  if (!found || offset % bytes != 0 || offset + bytes > found->offset + found->bytes) return;
  if (!sim_ || !register_polls::may_sleep_at(*found, question.route)) return;
  if (!polls_) polls_ = std::make_unique<register_polls>(history_, *sim_);
  register_hooks& hooks = cells_[static_cast<std::size_t>(found - cells_.data())].wanted_hooks();
  hooks.polls = &polls_->ledger();
  hooks.offset = found->offset;
  hooks.bytes = found->bytes;
  question.answer(polls_->ledger(), offset);
}

unsigned register_file::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t begin = payload.get_address();
  if (auto* asked = payload.get_extension<address_name_extension>()) {
    const std::string name = register_name(begin);
    asked->name = path_ + (name.empty() ? "" : " " + name);
  }
  if (auto* question = payload.get_extension<poll_question>())
    answer(*question, begin, payload.get_data_length());
  unsigned char* const data = payload.get_data_ptr();
  const bool is_command = payload.is_read() || payload.is_write();
  if (!is_command || data == nullptr || begin >= description_.size) return 0;
  const std::uint64_t left = description_.size - begin;
  const auto length =
      static_cast<unsigned>(std::min<std::uint64_t>(payload.get_data_length(), left));
  bool meets_register = false;
  for (unsigned done = 0; done < length; ++done) {
    const std::uint64_t offset = begin + done;
    const register_cell* const cell = find(offset);
    meets_register = meets_register || cell != nullptr;
    if (payload.is_read()) {
      data[done] = cell == nullptr ? 0 : byte_at(*cell, offset);
    } else {
      if (cell == nullptr) return done;
      register_cell& written = cells_[static_cast<std::size_t>(cell - cells_.data())];
      if (written.hooks && written.hooks->before_read) {
        spdlog::warn("{}: a debugger cannot write {}: the model computes it at each read", path_,
                     name_of(written));
        return done;
      }
      set_byte(written, offset, data[done]);
      if (!written.hooks) continue;
      if (written.hooks->trace) written.hooks->trace->show(written.value);
      written.hooks->wake_pollers();
    }
  }
  return meets_register ? length : 0;
}

}  // namespace heddle
