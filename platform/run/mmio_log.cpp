#include "platform/run/mmio_log.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "platform/registers/field_text.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

mmio_log* mmio_log::of(simulation& sim) {
  mmio_log& log = sim.service<mmio_log>();
  return log.file_ ? &log : nullptr;
}

void mmio_log::open(const std::string& file) {
  is_csv_ = is_csv(file);
  if (!is_csv_ && std::filesystem::path(file).extension() != ".json")
    throw user_error("--mmio-log " + file + ": expected a name that ends in .csv or .json");
  file_ = std::make_unique<output_file>(file);
  file_->write(is_csv_ ? csv_heading() : "[");
}

const code_line& mmio_log::line_at(const access_origin& origin) {
  const point_key key{origin.initiator, {origin.at.address, origin.at.caller}};
  const auto known = lines_.find(key);
  if (known != lines_.end()) return known->second;
  return lines_[key] = origin.initiator->line_at(origin.at);
}

void mmio_log::add(fs_t made_at, const tlm::tlm_generic_payload& payload,
                   const access_origin& origin, const atomic_update* atomic) {
  mmio_record record;
  record.time = origin.device ? origin.time : made_at;
  record.core = origin.initiator->initiator_path();
  const code_line& line = line_at(origin);
  record.function = line.function;
  record.file = line.file;
  record.line = line.line;
  record.command = atomic ? name_of(atomic->operation) : payload.is_read() ? "read" : "write";
  record.address = payload.get_address();
  record.bytes = std::min(payload.get_data_length(), 8U);
  std::memcpy(&record.value, payload.get_data_ptr(), record.bytes);
  record.response = payload.get_response_string();
  if (origin.device) {
    record.unit = origin.device->path();
    record.offset = origin.offset;
  }
  if (origin.cell) {
    record.register_name = register_file::name_of(*origin.cell);
    const auto first = static_cast<unsigned>(origin.offset - origin.cell->offset);
    record.fields = fields_text(*origin.cell->description, record.value << (8 * first),
                                accessed_bits(first, record.bytes));
  }
  if (atomic) record.fields = text_of(*atomic);
  if (is_csv_) return file_->write(csv_line(record));
  file_->write((is_first_ ? "\n" : ",\n") + json_line(record));
  is_first_ = false;
}

void mmio_log::commit() {
  if (!file_) return;
  if (!is_csv_) file_->write("\n]\n");
  file_->commit();
}

}  // namespace heddle
