## Runs beside sshd. Tells, from inside the container, whether anybody or anything works in it: a line in the pod's log. It
## has no right on the cluster and opens no port, and who could forge its line could as well keep the CPU busy.
## Its settings come from the file that is read again and again.
# shellcheck disable=SC2154
idle_agent() {
  # The start script ends at the first fault; this goes on.
  set +eu
  state=@STATE@
  mkdir -p "$state/holds"
  uptime_seconds() { read -r up _ </proc/uptime && echo "${up%%.*}"; }
  # One line for each open connection: a name of its own, and the bytes that it has moved (none are known of others than SSH).
  connections_now() {
    found=$(grep -lE '^sshd(-session)?: @USER@' /proc/[0-9]*/cmdline 2>/dev/null)
    for file in $found; do
      # A monitor, or not logged in yet; or the child that serves sftp, whose bytes its parent carries.
      grep -qF -e '[' -e '@internal-sftp' "$file" 2>/dev/null && continue
      process=${file%/cmdline}
      moved=$(awk '/^[rw]char:/ { sum += $2 } END { printf "%.0f", sum }' "$process/io" 2>/dev/null) || moved=
      [ -d "$process" ] && echo "${process#/proc/} ${moved:-unknown}"
    done
    awk -v ports="@PORTS@" '
      BEGIN { count = split(ports, list, " "); for (i = 1; i <= count; i++) wanted[list[i]] = 1 }
      $4 == "01" && (substr($2, length($2) - 3) in wanted) { print $2 "-" $3, 0 }' /proc/net/tcp /proc/net/tcp6 2>/dev/null
  }
  cpu_microseconds() {
    # shellcheck disable=SC2043
    for group in /sys/fs/cgroup/cpu.stat; do
      [ -r "$group" ] && awk '$1 == "usage_usec" { printf "%.0f", $2; found = 1 } END { exit !found }' "$group" && return
    done
    for group in /sys/fs/cgroup/cpuacct/cpuacct.usage /sys/fs/cgroup/cpu,cpuacct/cpuacct.usage; do
      [ -r "$group" ] && awk '{ printf "%.0f", $1 / 1000; found = 1 } END { exit !found }' "$group" && return
    done
    return 1
  }
  # How long all threads have waited for a processor. On a full node a job gets far less than it could use.
  waited_microseconds() {
    cat /proc/[0-9]*/task/[0-9]*/schedstat 2>/dev/null | awk '{ sum += $2 } END { printf "%.0f", sum / 1000 }'
  }
  # Since the last report: more than keepalives do, a key, or somebody who came or went. Terminals are looked at first: the
  # session of one that is seen is there by then.
  has_moved() {
    terminals_now
    connections=$(connections_now)
    [ "$typed" -gt "$typed_before" ] || printf '%s\n--\n%s\n' "$before" "$connections" | awk -v above="$((traffic_above * every / 60))" '
      $1 == "--" { new = 1; next }
      $1 == "" { next }
      !new { old[$1] = $2; next }
      { seen[$1] = 1; if (!($1 in old) || $2 == "unknown" || $2 - old[$1] > above) found = 1 }
      END { for (each in old) if (!(each in seen)) found = 1; exit !found }'
  }
  # What is told at once, since the last report would let it sleep: somebody came, if only for a moment, or a silent session
  # moves again.
  has_news() {
    if [ "$sessions" -eq 0 ]; then
      [ -n "$(connections_now)" ]
    else
      [ "$quiet" -ge "$silent" ] && has_moved
    fi
  }
  # When a key was last pressed in a terminal, and how many there are.
  terminals_now() {
    terminals=0 typed=0
    for terminal in /dev/pts/[0-9]*; do
      [ -w "$terminal" ] || continue
      terminals=$((terminals + 1))
      at=$(stat -c %X "$terminal" 2>/dev/null) || continue
      [ "$at" -gt "$typed" ] && typed=$at
    done
  }
  tell() {
    for terminal in /dev/pts/[0-9]*; do
      [ -w "$terminal" ] && printf '\r\n\a*** %s ***\r\n' "$1" >"$terminal"
    done
  }
  holds_now() {
    hold=0 commands=0
    for file in "$state"/holds/*; do
      [ -f "$file" ] || continue
      read -r kind value <"$file" || continue
      left=$((value - now))
      case $kind in
        until) if [ "$left" -gt "$hold" ]; then hold=$left; fi; [ "$left" -gt 0 ] || rm -f "$file" ;;
        pid) if [ -d "/proc/$value" ]; then commands=$((commands + 1)); else rm -f "$file"; fi ;;
      esac
    done
  }
  begun=$(uptime_seconds)
  quiet_since=$begun busy_at=$begun told=-1 used=0 before="" typed_before=0 cpu_before=$(cpu_microseconds) cpu_at=$begun waited_before=$(waited_microseconds)
  while :; do
    # shellcheck source=/dev/null
    . @CONFIG@/@SETTINGS@
    now=$(uptime_seconds)
    if has_moved; then quiet_since=$now told=-1; fi
    sessions=$(printf '%s' "$connections" | grep -c .)
    [ "$sessions" -eq 0 ] || used=1
    quiet=$((now - quiet_since))
    before=$connections typed_before=$typed
    millicores=0
    if cpu=$(cpu_microseconds); then
      if [ "$now" -gt "$cpu_at" ]; then
        waited=$(waited_microseconds)
        millicores=$(((cpu - cpu_before) / 1000 / (now - cpu_at)))
        wanted=$((millicores + (waited - waited_before) / 1000 / (now - cpu_at)))
        # Waiting alone is no work: on a full node every program that wakes up for a moment waits.
        if [ "$((millicores * 5))" -gt "$cpu_above" ] && [ "$wanted" -gt "$millicores" ]; then millicores=$wanted; fi
        cpu_before=$cpu cpu_at=$now waited_before=$waited
      fi
      if [ "$millicores" -gt "$cpu_above" ]; then busy_at=$now; fi
    else
      busy_at=$now
    fi
    holds_now
    asked=0
    if read -r at 2>/dev/null <"$state/asked"; then
      if [ "$((now - at))" -lt 300 ]; then asked=1; else rm -f "$state/asked"; fi
    fi
    if [ "$told" -lt 0 ] && [ "$terminals" -gt 0 ] && [ "$warning" -gt 0 ] && [ "$quiet" -ge "$silent" ] &&
      [ "$hold" -eq 0 ] && [ "$commands" -eq 0 ]; then
      # shellcheck disable=SC3028
      tell "Nothing has moved here for $silent s: ${HOSTNAME%-0} goes to sleep in $warning s, unless something else keeps it awake. Press a key to say no."
      told=$now
    fi
    warned=-1
    [ "$told" -lt 0 ] || warned=$((now - told))
    echo "@MARK@ up=$((now - begun)) sessions=$sessions terminals=$terminals used=$used quiet=$quiet cpuQuiet=$((now - busy_at)) millicores=$millicores hold=$hold commands=$commands asked=$asked warned=$warned"
    rest=$every
    # Somebody may say no in the last moment.
    if [ "$told" -ge 0 ] && [ "$warned" -lt "$((warning + 60))" ]; then rest=2; fi
    while [ "$rest" -gt 0 ] && [ ! -e "$state/now" ]; do
      sleep 2
      rest=$((rest - 2))
      if has_news; then
        used=1 quiet_since=$(uptime_seconds)
        break
      fi
    done
    rm -f "$state/now"
  done
}
idle_agent &
