// The hub of a GPU that runs mixture-of-experts layers with dynamic multimem (DySHARP III, IV): it
// sends the vectors of own tokens to the experts' GPUs, serves what others send and fetch, tells
// kernels which tiles of tokens are ready, and whom they are for.
//
//   source       stores and fetches of own tokens, with lists of targets (hub_sources.cpp)
//   target       layout manager and memory for what others store and fetch (hub_targets.cpp)
//   layer        the groups of the persistent kernel: dispatch, GEMM-1, GEMM-2, combine; which tile
//                may go on when (hub_layer.cpp), in a pool of SMs
//   commands     the same groups played by firmware: a ring of commands of dynamic multimem, and
//                queues of what is ready (hub_commands.cpp)
//   parts        forward and backward pass of a training step, attention (hub_parts.cpp)
//
// A layer is started by firmware with a descriptor (sw/drivers/token_layer.h). GPUs first tell each
// other how many tokens their experts get: a layer begins when all have. Besides dynamic multimem
// there are copies, a vector for each target GPU, whose experts send back what they have added, and
// stores to everybody, the static multicast of NVLS; same wires, same packets.
//
// A target adds what its own experts have for a token before it answers. A source's own experts
// take part without wires. Results are BF16: a GPU's sum is rounded for the wire, the switch rounds
// its sum, and the source adds its own experts' in FP32 and rounds once more.
//
// Limitations: the GPU has no other traffic; lists of targets, factors and descriptor are read
// without bandwidth; commands that the hub has taken from their ring wait in it without limit; the
// epilogue of GEMM-2 writes memory without bandwidth; an error ends the layer for good; only layers
// of up to 65536 tokens a GPU; its memory must answer in the call. Of a backward pass time and
// traffic are simulated; real vectors are computed as in a forward one.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/gpu/hub/hub_parameters.hpp"
#include "models/gpu/hub/kernel_groups.hpp"
#include "models/gpu/hub/row_check.hpp"
#include "models/gpu/hub/token_figures.hpp"
#include "models/gpu/hub/token_hub_regs.hpp"
#include "models/gpu/hub/token_notice.hpp"
#include "models/gpu/hub/wire_profile.hpp"
#include "platform/pool/object_pool.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/unit/registry.hpp"
#include "sw/drivers/dymultimem_command.h"
#include "sw/drivers/token_layer.h"
#include "transactors/fabric/fabric.hpp"
#include "transactors/memory/interrupt_events.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/prompt_requester.hpp"
#include "transactors/memory/register_socket.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/transmit_queue.hpp"

namespace heddle {

class token_hub;

// All hubs of a run: simulation::service<token_hub_directory>().
struct token_hub_directory {
  std::vector<token_hub*> hubs;
};

class token_hub final : public unit, private packet_receiver, private sm_pool::listener {
 public:
  using parameters = token_hub_parameters;
  using counters = token_hub_counters;
  static std::vector<port_description> port_descriptions();

  token_hub(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;
  // Of the layer that ran last.
  const token_spans& spans() const { return spans_; }
  fs_t started() const { return started_; }
  fs_t finished() const { return finished_; }
  // Bytes on all its links since it was started.
  const wire_profile& sent() const { return sent_; }
  const wire_profile& received() const { return received_; }
  double wire_rate() const;                // B/s of all its links, in each direction
  double flops() const { return flops_; }  // of all its SMs
  std::uint32_t sms() const { return sms_; }
  const packet_format& format() const { return format_.packets; }
  std::uint64_t base() const { return base_; }
  // Is told of every tile whose real vectors are read.
  void watch_rows(std::function<void(const token_row_read&)> told) { row_read_ = std::move(told); }
  token_vectors vectors() const {
    const auto of = [](const statistic& each) { return static_cast<double>(each.raw()); };
    return {of(counters_.dispatch_out), of(counters_.dispatch_in), of(counters_.combine_out),
            of(counters_.combine_in)};
  }

 private:
  using state = token_hub_regs::status_state;
  using error = token_hub_regs::status_error;
  static constexpr std::uint32_t completed_bit = 1, failed_bit = 2, ready_bit = 4;
  static constexpr int by_switch = -1;
  static constexpr int attention_group = 2;  // of the pool, behind those of the GEMMs
  static constexpr std::uint64_t attention_operands = UINT64_MAX;  // of part 0

  struct side {
    side(token_hub& owner, int index);
    void transmit() { owner.transmit(*this); }
    void arrive() { owner.arrive(*this); }
    void fetch_arrival() const;

    std::size_t number() const { return static_cast<std::size_t>(port.index()); }

    token_hub& owner;
    packet_port port;
    transmit_queue waiting;
    struct header_of {
      const void* header = nullptr;  // of the packet
    };
    arrivals_with<header_of> arriving;  // by tail
    timed_call wake, arrival;
  };
  // A vector that is to be stored or fetched.
  struct vector_move {
    packet_kind kind = token_store;
    token_stage stage = token_stage::dispatch;
    bool is_for_all = false;
    std::uint32_t token = 0;  // numbered over all GPUs
    int gpu = by_switch;      // to which it goes directly
    target_list::experts_type experts;
  };
  struct stream;
  // A train of a vector, from when its port is known until everything has answered. What an answer
  // asks for lies in the first cache line.
  struct alignas(64) piece {
    stream* of = nullptr;
    side* through = nullptr;
    std::uint32_t offset = 0, bytes = 0, packets = 0;
    std::uint32_t missing = 0;  // targets that no answer has covered
    std::uint64_t address = 0;
    endpoint_id to = 0;
    vector_move whole;
    std::vector<float> sum;
    std::uint32_t pool_index = 0;
    void clear() { sum.clear(); }
  };
  // Pieces of a stream that leave through one port. A port that is full holds up no other, and what
  // the port has to answer others does not count: requests and answers have channels of their own.
  struct planned_piece {
    piece* what = nullptr;
    std::uint32_t packets = 0;  // of it: asked more often than it is sent
    bool has_list = false;
  };
  struct stream_slot {
    std::deque<planned_piece> planned;
    std::uint32_t waiting = 0;     // packets for their list, or in front of the port
    std::uint32_t unanswered = 0;  // packets
  };
  // What dispatch, combine, and sending results back have to move.
  struct stream {
    std::deque<vector_move> moves;                 // not in pieces yet
    std::vector<stream_slot> slots;                // by side
    std::uint32_t planned = 0, planned_limit = 0;  // packets in slots that have not left them
    std::uint32_t queued = 0, queue_limit = 0;     // packets that wait for their list
    std::uint32_t window = 0;                      // packets of a slot without answer
    std::uint64_t pending = 0;                     // pieces in slots or without answer
    bool is_empty() const { return moves.empty() && pending == 0; }
  };
  struct staged_packet {
    packet* leaving = nullptr;
    side* through = nullptr;
    stream* of = nullptr;
  };
  // Where the bytes of a request begin.
  struct vector_position {
    std::uint32_t token = 0, offset = 0;
  };
  struct served_packet {
    packet* request = nullptr;
    side* at = nullptr;
    const void* header = nullptr;  // of the request
    vector_position about;
    std::uint32_t first_row = 0;  // of a stored vector: of its first expert
  };
  // A vector, or a piece of it, in an expert's block.
  struct placed_vector {
    fs_t done = 0;  // memory has acknowledged it
    std::uint32_t row = 0;
    error wrong = error::NONE;
  };
  struct result_part {
    std::uint32_t token = 0, bytes = 0;
    std::uint64_t address = 0;
    payload_slice data;
  };
  struct due_row {
    std::uint32_t row = 0;
    token_step step = token_step::gemm1;
  };
  struct chunk_state {
    std::uint32_t issued = 0;                      // own tokens whose stores have begun
    std::uint64_t unacknowledged = 0;              // bytes of what they send
    std::uint64_t missing = 0;                     // bytes that own experts do not have yet
    std::uint32_t gemm1_left = 0, gemm2_left = 0;  // rows
    std::uint32_t tokens_left = 0;                 // own tokens that are not ready to be combined
    bool is_open = false;                          // rows may start
    std::vector<std::uint32_t> held;               // rows, or own tokens, that wait for the stage
    std::vector<std::uint32_t> held_tokens;
  };
  struct part_state {
    std::uint32_t tokens_left = 0;  // own tokens without their result
    bool is_open = false;           // they may leave
  };
  struct own_token {
    std::uint64_t input = 0, result = 0;  // addresses
    std::uint64_t unstored = 0;           // bytes that no expert has acknowledged
    std::uint64_t missing = 0;            // bytes of its result, or of the parts of it
    fs_t own_ready = 0;                   // what own experts have is added
    bool is_dispatched = false;           // its list has been checked, and its stores have begun
  };

  void on_connected() override;

  // Registers (token_hub.cpp)
  void start();
  void fail(error reason, std::uint32_t token, std::uint32_t expert);
  void fail(error reason, std::uint32_t token, std::uint32_t expert, const std::string& what);

  // Wires (token_hub.cpp)
  packet_granularity granularity() const override { return packet_granularity::packets; }
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;
  void transmit(side& from);
  void arrive(side& at);
  void enqueue(side& to, packet& p);
  side& side_towards(endpoint_id destination, std::uint64_t address);
  std::uint8_t vc_of(const side& through, const packet& p) const;

  // Memory (token_hub.cpp): access() returns fs_never, and debug() false, where memory has refused.
  // The layer has failed with BUS then.
  fs_t access(tlm::tlm_command command, std::uint64_t address, const payload_slice& data,
              std::uint32_t bytes, fs_t start);
  bool debug(tlm::tlm_command command, std::uint64_t address, void* data, std::uint64_t bytes);
  void fail_access(tlm::tlm_command command, std::uint64_t address, std::uint64_t bytes);

  // Source (hub_sources.cpp)
  struct token_list {
    const std::uint16_t* experts = nullptr;
    std::uint32_t count = 0;
  };
  token_list list_of(std::uint32_t own) const;
  bool check_list(std::uint32_t own, const token_list& list);
  void pump();
  void pump(side& through);
  bool may_issue(const stream& from, const side& through) const;
  void issue(stream& from, side& through);
  bool refill(stream& from, const stream_slot& wanted);
  void plan_dispatch(std::uint32_t own);
  void cut(stream& from, const vector_move& move);
  bool has_room(const stream& from, const stream_slot& own, const planned_piece& next) const;
  void send_piece(piece& sent);
  bool fill(packet& p, const piece& sent, fs_t& ready);
  void take_staged();
  void fetch_staged() const;
  void take_answer(packet& answer);
  void acknowledged(const piece& done);
  void fetched(piece& done);

  // Target (hub_targets.cpp)
  translation translate(std::uint32_t block, std::uint32_t token, bool allocates,
                        std::uint32_t packets, fs_t now);
  void serve(side& at, packet& request);
  bool locate(const packet& request, vector_position& found);
  bool may_name(const packet& request, std::uint32_t token);
  bool fail_request(const packet& request, std::uint64_t token, const std::string& what);
  void serve_store(side& at, packet& request, const vector_position& about);
  void serve_fetch(side& at, packet& request, const vector_position& about);
  void serve_part(side& at, packet& request, const vector_position& about);
  void take_served();
  void take_store(const served_packet& served);
  void fetch_served() const;
  void answer(side& at, packet& request, packet_kind kind, std::uint32_t payload_bytes);
  placed_vector store_for(std::uint16_t expert, std::uint32_t token, std::uint32_t offset,
                          const payload_slice& data, std::uint32_t bytes, std::uint32_t packets,
                          fs_t now);
  std::uint32_t row_of(std::uint16_t expert, std::uint32_t token) const;
  void stored(std::uint32_t row, std::uint32_t token, std::uint32_t bytes);
  // Adds what own experts have for the token; fs_never where one has nothing, or memory refuses.
  fs_t add_own(const target_list::experts_type& experts, std::uint32_t token, std::uint32_t offset,
               std::uint32_t bytes, std::uint32_t packets, std::vector<float>& sum, fs_t now);
  void store_own(std::uint32_t own, const target_list::experts_type& experts);
  void take_own_stored();

  // Layer (hub_layer.cpp)
  bool configure();
  bool read_layer();
  bool read_tables();
  bool is_sensible() const;
  bool has_sensible_sms() const;
  bool has_sensible_tables() const;
  bool are_counts_sensible() const;
  void find_hubs();
  void build_tokens();
  void build_chunks();
  void build_pool();
  void build_streams();
  void send_counts();
  void begin_if_all_counts();
  void begin();
  void row_arrived(std::uint32_t row, fs_t seen);
  void take_due_rows();
  void open_gemm1(chunk_state& chunk);
  void submit(token_step step, std::uint32_t row);
  void batch_begins(int group, const sm_batch& batch) override;
  void batch_done(int group, const sm_batch& batch) override;
  void gemm1_done(std::uint32_t row);
  void gemm2_done(std::uint32_t row);
  void release_row(std::uint32_t row);
  void notify(std::uint32_t gpu, const std::vector<std::uint16_t>& tokens, std::uint32_t row);
  void take_notice(packet& notice);
  void expert_done(std::uint32_t own, endpoint_id sender);
  void take_ready_tokens();
  void token_ready(std::uint32_t own);
  void combine(std::uint32_t own, const token_list& list);
  void part_ready(std::uint32_t token);
  void take_part(std::uint32_t own, std::uint32_t gpu, std::uint32_t offset, payload_slice data,
                 std::uint32_t bytes);
  void add_parts(std::uint32_t own);
  void write_result(std::uint32_t own, std::uint32_t offset, const std::vector<float>& sum,
                    std::uint32_t bytes, fs_t start);
  void write_summed();
  void take_results();
  void finish_if_done();
  // Commands (hub_commands.cpp)
  void connect_commands();
  void read_commands(std::uint32_t posted);
  void take_commands();
  void run_commands();
  void run(const dymultimem_command& command);
  void run_store(const dymultimem_command& command, std::uint32_t own);
  void run_fetch(const dymultimem_command& command, std::uint32_t own);
  void stored_everywhere(own_token& token, std::uint64_t bytes);
  void command_completed();
  void issue_row(token_step step, std::uint32_t row);
  void row_ready(token_step step, std::uint32_t row);
  void token_may_return(std::uint32_t own);
  void check_row(std::uint32_t row);
  // Parts of the layer, and attention (hub_parts.cpp)
  void begin_part(std::uint32_t part);
  void open_part(std::uint32_t part);
  void attend(std::uint32_t part);
  void attended(std::uint32_t part);
  void token_done(std::uint32_t own);
  void end_part();
  // Real vectors (hub_numerics.cpp)
  void read_row(std::uint32_t row);
  bool write_row(std::uint32_t row);

  // Numbers
  // Bytes of a vector on its way to experts or back.
  std::uint64_t bsize(token_stage stage) const {
    constexpr std::uint64_t bytes_of_bf16 = 2;
    const bool is_dispatch = stage == token_stage::dispatch;
    return (is_dispatch ? layer_.dispatch_bytes : bytes_of_bf16) * layer_.hidden;
  }
  std::uint32_t all_tokens() const { return layer_.gpus * layer_.tokens; }
  std::uint32_t first_expert() const { return layer_.number * layer_.experts_per_gpu; }
  std::uint32_t gpu_of_expert(std::uint32_t expert) const {
    return expert / layer_.experts_per_gpu;
  }
  std::uint32_t gpu_of_token(std::uint32_t token) const { return token / layer_.tokens; }
  std::uint32_t first_token() const { return layer_.number * layer_.tokens; }
  std::uint32_t chunk_of(std::uint32_t token) const {
    return token % layer_.tokens / (layer_.tokens / layer_.chunks);
  }
  std::uint32_t part_of_token(std::uint32_t own) const {
    return own / (layer_.tokens / layer_.parts);
  }
  std::uint32_t part_of_block(std::uint32_t block) const {
    return block / layer_.experts_per_gpu / (layer_.chunks / layer_.parts);
  }
  bool is_backward(std::uint32_t part) const { return (layer_.backward >> part & 1) != 0; }
  bool has_attention() const { return layer_.attention_flops != 0; }
  bool may_dispatch() const {
    return !groups_.are_firmware() && next_token_ < layer_.tokens &&
           part_states_[part_of_token(next_token_)].is_open;
  }
  // Of the experts' blocks there is one for each chunk of the tokens. The layout manager refuses
  // the number that stands for experts of other GPUs.
  std::uint32_t block_of(std::uint32_t expert, std::uint32_t token) const {
    const std::uint32_t own = expert - first_expert();
    if (own >= layer_.experts_per_gpu) return UINT32_MAX;
    return chunk_of(token) * layer_.experts_per_gpu + own;
  }
  std::uint64_t vector_at(token_stage stage, std::uint32_t block, std::uint32_t place) const {
    const bool is_dispatch = stage == token_stage::dispatch;
    return (is_dispatch ? layer_.experts_in : layer_.experts_out) +
           (first_place_[block] + place) * bsize(stage);
  }
  bool waits_for_stage(std::uint32_t bit) const { return (layer_.stages & bit) != 0; }
  fs_t polled(fs_t when) const { return (when + poll_ - 1) / poll_ * poll_; }
  endpoint_id endpoint_of(std::uint32_t gpu) const { return endpoints_[gpu]; }
  bool has_dispatched(std::uint32_t own) const {
    return own < layer_.tokens && own_[own].is_dispatched;
  }
  // layer_.gpus for others than hubs of this layer: a device in a switch sends copies for all hubs.
  std::uint32_t rank_of(endpoint_id sender) const {
    return sender < gpu_of_endpoint_.size() ? gpu_of_endpoint_[sender] : layer_.gpus;
  }
  std::string sender_name(endpoint_id sender) const;

  const token_format format_;
  const std::uint64_t base_, size_, first_base_, interleave_;
  const std::uint32_t outstanding_limit_, fetch_limit_, queue_limit_, multimem_queue_, train_;
  const fs_t list_latency_, memory_latency_, poll_;
  const bandwidth hbm_;
  const std::uint32_t sms_;
  const double flops_;
  const bool carries_data_;
  fabric& fabric_;
  const endpoint_id endpoint_;

  token_hub_counters counters_;
  token_hub_registers regs_;
  register_socket registers_socket_;
  prompt_requester memory_;
  memory_initiator_port memory_port_;
  interrupt_events<token_hub_registers> events_;
  std::vector<std::unique_ptr<side>> sides_;
  unit_routes* routes_ = nullptr;       // once connected
  std::vector<endpoint_id> endpoints_;  // of hubs, by GPU
  std::vector<std::uint32_t> gpu_of_endpoint_;
  endpoint_id range_endpoint_ = 0;      // of the devices in the switches
  std::vector<unsigned char> no_data_;  // what payloads point to when data is off

  // The layer at hand; all zeros before the first one, and after one that was refused.
  token_layer layer_{};
  std::uint64_t layers_started_ = 0, counts_seen_ = 0;
  bool is_running_ = false;
  std::vector<std::uint16_t> lists_;         // by which own tokens are stored
  std::vector<std::uint16_t> fetched_from_;  // the list of the fetch at hand
  std::vector<std::uint32_t> counts_;        // of tokens, by chunk and own expert
  layout_manager layout_;
  token_tracker tracker_;
  row_check rows_in_memory_;
  kernel_groups groups_;
  std::uint32_t commands_read_ = 0;             // free-running
  std::deque<dymultimem_command> commands_in_;  // taken, before the layer has begun
  sm_pool pool_;
  std::vector<std::uint64_t> first_place_;  // by block, of all
  std::vector<chunk_state> chunks_;
  std::vector<part_state> part_states_;
  std::uint32_t parts_done_ = 0;
  std::vector<own_token> own_;
  std::vector<std::uint16_t> pending_;  // own experts that are not done, by token (copies)
  stream dispatch_, combine_, push_;
  object_pool<piece> pieces_;
  std::uint32_t next_token_ = 0;
  std::uint32_t tokens_done_ = 0, rows_done_ = 0;
  bool is_pumping_ = false, has_refilled_ = false;
  token_spans spans_{};
  fs_t started_ = 0, finished_ = 0;
  wire_profile sent_, received_;

  timed_queue<staged_packet> staged_;
  timed_queue<served_packet> served_;
  timed_queue<std::uint32_t> own_stored_;  // own tokens, whose vectors own experts have
  timed_queue<due_row> due_rows_;
  timed_queue<std::uint32_t> ready_tokens_;  // own ones
  timed_queue<result_part> summed_;          // sums that are complete and not yet written
  timed_queue<result_part> results_;         // whose write has ended
  timed_queue<dymultimem_command> commands_;
  timed_call begin_;

  // Real vectors.
  struct partial_sum {
    std::uint32_t gpu, offset;
    payload_slice data;
    std::uint32_t bytes;
  };
  std::function<void(const token_row_read&)> row_read_;
  std::unordered_map<std::uint32_t, std::vector<std::byte>> rows_at_work_;  // what GEMM-1 has read
  std::unordered_map<std::uint32_t, std::vector<float>> own_sums_;          // by own token
  std::unordered_map<std::uint32_t, std::vector<partial_sum>> parts_;       // by own token
};

}  // namespace heddle
