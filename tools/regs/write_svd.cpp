// A device of the one block, at address 0.
#include "platform/registers/svd.hpp"
#include "tools/regs/describe.hpp"
#include "tools/regs/write.hpp"

namespace heddle::regs {

std::string svd(const block& of) {
  const described_block described(of);
  return svd_text({of.name, of.meaning, {{of.name, 0, &described.description()}}});
}

}  // namespace heddle::regs
