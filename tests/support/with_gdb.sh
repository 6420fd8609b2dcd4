# with_gdb.sh FOLDER ELF PROGRAM ARGUMENT...: runs the program with --gdb 0, and gdb on it with the
# commands in FOLDER/script. Leaves FOLDER/output, FOLDER/errors and the exit code in FOLDER/exit;
# what gdb says goes to our output.
folder=$1 elf=$2
shift 2
"$@" --gdb 0 > "$folder/output" 2> "$folder/errors" &
run=$!
port=
while [ -z "$port" ] && kill -0 $run 2> /dev/null; do
  sleep 0.02
  port=$(sed -n 's/^gdb: target remote .*:\([0-9]*\)$/\1/p' "$folder/output")
done
# gdb wants a home and a terminal of a size that cuts nothing.
HOME=$folder gdb-multiarch --nx --batch -ex 'set pagination off' -ex 'set width 0' \
  -ex 'set confirm off' -ex "python address = '127.0.0.1:$port'" \
  -ex "target remote 127.0.0.1:$port" -x "$folder/script" "$elf" 2>&1 < /dev/null
wait $run
echo $? > "$folder/exit"
