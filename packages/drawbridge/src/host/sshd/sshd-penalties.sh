## All sessions come from the gateway's address, so one stranger's bad logins must not lock everybody out. Before OpenSSH
## 9.8 there are no penalties and the option is an error.
# shellcheck disable=SC2154
: >"$run/version.conf"
if "$sshd" -t -f /dev/null -h "$run/@HOST_KEY@" -o PerSourcePenalties=no 2>/dev/null; then
  echo "PerSourcePenalties no" >"$run/version.conf"
fi
