## Waits for a sshd in its own pod by the kernel's table: connecting would leave lines in sshd's log and earn penalties.
## Ends when the kubelet has mounted another token, server or CA, so that frpc alone restarts with it. A liveness probe
## would do so too, but also whenever the node is too busy to run it in time, and cut the sessions.
cat @FILES@ >@RUN@/started-with
until grep -qs ':@PORT@ [0-9A-F]*:0000 0A ' /proc/net/tcp /proc/net/tcp6; do sleep 0.2; done # @BESIDE?@
# shellcheck disable=SC2276
@TOKEN@="$(cat @TOKEN_FILE@)" frpc -c @CONFIGURATION@ &
frpc=$!
trap 'kill $frpc; wait $frpc; exit 0' TERM INT
while kill -0 $frpc 2>/dev/null && cat @FILES@ | cmp -s - @RUN@/started-with; do sleep 5 & wait $!; done
