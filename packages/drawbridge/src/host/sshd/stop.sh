## Tells every open terminal that the container is about to stop, and leaves it the warning time. Ends at once when nobody
## has a terminal open.
open=
for terminal in /dev/pts/[0-9]*; do
  [ -w "$terminal" ] || continue
  open=yes
  # shellcheck disable=SC3028
  printf '\r\n\a*** %s stops in @SECONDS@ s: it is being moved, changed or removed. Its home is kept. ***\r\n' "$HOSTNAME" >"$terminal"
done
[ -z "$open" ] || sleep @SECONDS@
