// The data of a payload of 4 or 8 bytes as a number, and its byte enables as a mask of bits: byte 0
// is bits 7:0.
#pragma once

#include <cstdint>
#include <cstring>
#include <tlm>

namespace heddle {

// False if a byte enable is neither 0x00 nor 0xff, or if there is none at all.
inline bool read_byte_mask(const tlm::tlm_generic_payload& payload, std::uint64_t& enabled) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  const unsigned count = payload.get_byte_enable_length();
  if (count == 0) return false;
  enabled = 0;
  for (unsigned byte = 0; byte < payload.get_data_length(); ++byte) {
    const unsigned char enable = enables[byte % count];
    if (enable != TLM_BYTE_DISABLED && enable != TLM_BYTE_ENABLED) return false;
    enabled |= std::uint64_t{enable} << (8 * byte);
  }
  return true;
}

// A copy of any length is a call into the library; each of the two is a load or a store.
inline std::uint64_t load_word(const tlm::tlm_generic_payload& payload) {
  std::uint64_t word = 0;
  if (payload.get_data_length() == 4)
    std::memcpy(&word, payload.get_data_ptr(), 4);
  else
    std::memcpy(&word, payload.get_data_ptr(), 8);
  return word;
}
inline void store_word(tlm::tlm_generic_payload& payload, std::uint64_t word) {
  if (payload.get_data_length() == 4)
    std::memcpy(payload.get_data_ptr(), &word, 4);
  else
    std::memcpy(payload.get_data_ptr(), &word, 8);
}

// Writes the bytes of value that the enabled select into the payload's data.
inline void store_enabled(tlm::tlm_generic_payload& payload, std::uint64_t enabled,
                          std::uint64_t value) {
  if (payload.get_byte_enable_ptr() != nullptr)
    value = (load_word(payload) & ~enabled) | (value & enabled);
  store_word(payload, value);
}

}  // namespace heddle
