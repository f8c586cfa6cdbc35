## Finds the place for our folder: `tmp`, and `base` by `find_base`, which makes the folder if told to. Arguments, which it
## takes away: the second name, and `alone` where no other container mounts /tmp.
# Nobody but root and this uid can rename what stands in it.
held() {
  look "$1"
  case $owner in 0|"$uid") ;; *) return 1 ;; esac
  case $mode in d????-??-*|d????????[tT]*) ;; *) return 1 ;; esac
}
kept() { p=$1; while held "${p:-/}"; do [ -n "$p" ] || return 0; p=${p%/*}; done; return 1; }
# A process that may gain nothing has no other uid beside it.
alone() { [ "$1" = alone ] && [ "$uid" != 0 ] && [ "$bound" = 1 ] && case $caps in *[!0]*) false ;; esac; }
tmp=; why="/tmp is not writable for uid $uid"
for t in /tmp /var/tmp; do
  t=$(cd "$t" 2>/dev/null && pwd -P) || continue
  [ -w "$t" ] || continue
  if kept "$t"; then tmp=$t; break; fi
  if [ "$t" = /tmp ]; then
    alone "$2" && kept / && tmp=$t && break
    look /tmp
    why="other users can replace what is put into its /tmp (owner $owner, $mode); make it root's, with mode 1777"
  fi
done
[ -n "$tmp" ] || refuse "$why"
names="$tmp/sshpod-$uid $tmp/sshpod-$uid-$1"
# shellcheck disable=SC2120
find_base() {
  for base in $names; do
    # This makes a new folder or nothing, and follows no link.
    [ -z "$1" ] || mkdir -m 755 "$base" 2>/dev/null
    ours "$base" && return
  done
  return 1
}
shift 2
