#!@SHELL@
## For people inside, and for `drawbridge hold` and `drawbridge sleep`, which run it by ssh.
# shellcheck disable=SC2239
# Keeps this container awake, or lets it sleep. Needs no right on the cluster.
state=@STATE@
usage() {
  echo "usage: $0 hold TIME | hold -- COMMAND [ARG...] | release | sleep    (TIME: 90m, 8h, 2d)" >&2
  exit 2
}
read -r now _ </proc/uptime && now=${now%%.*}
case ${1:-} in
  hold)
    shift
    if [ "${1:-}" = -- ]; then
      shift
      [ $# -gt 0 ] || usage
      file=$state/holds/$$
      echo "pid $$" >"$file" || exit 1
      : >"$state/now"
      trap 'rm -f "$file"' EXIT
      trap 'exit 129' HUP
      trap 'exit 130' INT
      trap 'exit 143' TERM
      "$@"
      exit
    fi
    number=${1%[smhd]}
    case $number in '' | *[!0-9]* | ???????*) usage ;; esac
    case ${1:-} in
      *s) seconds=$number ;;
      *m) seconds=$((number * 60)) ;;
      *h) seconds=$((number * 3600)) ;;
      *d) seconds=$((number * 86400)) ;;
      *) usage ;;
    esac
    rm -f "$state/asked"
    echo "until $((now + seconds))" >"$state/holds/time" || exit 1
    echo "held awake for $1"
    ;;
  release)
    rm -f "$state/holds/time" "$state/asked"
    echo "no time holds it awake any more"
    ;;
  sleep)
    echo "$now" >"$state/asked" || exit 1
    echo "goes to sleep within a minute"
    ;;
  *) usage ;;
esac
: >"$state/now"
