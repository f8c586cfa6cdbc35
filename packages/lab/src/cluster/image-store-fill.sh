## Runs containerd in namespaces that end with it, loads the archives given as arguments, and ends it in good order.

mount -t tmpfs tmpfs /run
printf '%s' "$CONFIG" > /run/store.toml
"$CONTAINERD" --config=/run/store.toml --log-level=warn >&2 &
until [ -S "$SOCKET" ]; do kill -0 $!; sleep 0.05; done
for archive; do $IMPORT < "$archive" >/dev/null; done
kill -TERM $!
wait $!
