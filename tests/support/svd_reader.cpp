#include "tests/support/svd_reader.hpp"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

namespace heddle {
namespace {

using boost::property_tree::ptree;

std::uint64_t number(const ptree& of, const std::string& name) {
  return std::stoull(of.get<std::string>(name), nullptr, 0);
}

std::string optional_text(const ptree& of, const std::string& name) {
  return of.get<std::string>(name, "");
}

svd_field read_field(const ptree& of) {
  svd_field made;
  made.name = of.get<std::string>("name");
  made.description = of.get<std::string>("description");
  made.access = of.get<std::string>("access");
  made.modified_write = optional_text(of, "modifiedWriteValues");
  made.read_action = optional_text(of, "readAction");
  made.low = static_cast<unsigned>(number(of, "bitOffset"));
  made.width = static_cast<unsigned>(number(of, "bitWidth"));
  made.is_limited_to_values = optional_text(of, "writeConstraint.useEnumeratedValues") == "true";
  if (const auto values = of.get_child_optional("enumeratedValues"))
    for (const auto& [kind, value] : *values)
      made.values[value.get<std::string>("name")] = number(value, "value");
  return made;
}

svd_register read_register(const ptree& of, const std::string& front, std::uint64_t base) {
  svd_register made;
  made.name = front + of.get<std::string>("name");
  made.description = of.get<std::string>("description");
  made.address = base + number(of, "addressOffset");
  made.access = of.get<std::string>("access");
  made.modified_write = optional_text(of, "modifiedWriteValues");
  made.read_action = optional_text(of, "readAction");
  made.width = static_cast<unsigned>(number(of, "size"));
  made.reset = number(of, "resetValue");
  made.reset_mask = number(of, "resetMask");
  if (const auto range = of.get_child_optional("writeConstraint.range"))
    made.range = {number(*range, "minimum"), number(*range, "maximum")};
  if (const auto fields = of.get_child_optional("fields"))
    for (const auto& [kind, field] : *fields) made.fields.push_back(read_field(field));
  return made;
}

void read_registers(const ptree& of, const std::string& front, std::uint64_t base, svd_file& into) {
  for (const auto& [kind, each] : of) {
    if (kind == "register") into.registers.push_back(read_register(each, front, base));
    if (kind != "cluster") continue;
    const std::string name = each.get<std::string>("name");
    for (std::uint64_t i = 0; i < number(each, "dim"); ++i) {
      std::string one = name;
      one.replace(one.find("%s"), 2, std::to_string(i));
      const std::uint64_t at = number(each, "addressOffset") + i * number(each, "dimIncrement");
      read_registers(each, front + one + ".", base + at, into);
    }
  }
}

}  // namespace

const svd_register* svd_file::find(const std::string& register_name) const {
  for (const svd_register& each : registers)
    if (each.name == register_name) return &each;
  return nullptr;
}

svd_file read_svd(const std::string& file) {
  ptree tree;
  boost::property_tree::read_xml(file, tree);
  const ptree& device = tree.get_child("device");
  svd_file made;
  made.name = device.get<std::string>("name");
  std::map<std::string, const ptree*> known;
  for (const auto& [kind, each] : device.get_child("peripherals")) {
    const std::string name = each.get<std::string>("name");
    const std::string from = each.get<std::string>("<xmlattr>.derivedFrom", "");
    const ptree* const registers = from.empty() ? &each.get_child("registers") : known.at(from);
    known[name] = registers;
    made.bases[name] = number(each, "baseAddress");
    for (const auto& [element, one] : each)
      if (element == "interrupt")
        made.interrupts[one.get<std::string>("name")] = number(one, "value");
    read_registers(*registers, name + ".", made.bases[name], made);
  }
  return made;
}

}  // namespace heddle
