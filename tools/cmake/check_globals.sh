#!/bin/sh
# check_globals.sh OBJDUMP OBJECT...: fails when firmware has variables that outlive a call. All
# native cores share the one image, so what one writes there the others read.
objdump=$1
shift
found=$("$objdump" -t "$@" | awk -F '\t' '
  { n = split($1, part, " "); split($2, size, " ") }
  n > 2 && part[n - 1] == "O" && size[1] !~ /^0+$/ &&
  part[n] ~ /^(\.data|\.bss|\.tdata|\.tbss|\.sdata|\.sbss|\*COM\*)/ && part[n] !~ /^\.data\.rel\.ro/ {
    print "  " size[2]
  }')
[ -z "$found" ] && exit 0
echo "mutable variables, which all native cores would share (keep state on the stack or in memory):" >&2
echo "$found" >&2
exit 1
