#include "transactors/tokens/token_packets.hpp"

namespace heddle {

const packet_kind token_store = add_packet_kind({"token_store", message::request});
const packet_kind token_ack = add_packet_kind({"token_ack", message::response, false});
const packet_kind token_fetch = add_packet_kind({"token_fetch", message::request, false});
const packet_kind token_sum = add_packet_kind({"token_sum", message::response});
const packet_kind token_notice = add_packet_kind({"token_notice", message::request});

}  // namespace heddle
