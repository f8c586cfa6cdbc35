## Says what the container is and whether an sshd of ours already listens. Makes nothing.
## Arguments after those of the place: session, requested user.
# shellcheck disable=SC2034,SC2119
. ./prologue.sh
. ./find-place.sh
say uid "$uid"
say machine "$(uname -m)"
while IFS=: read -r name _ id _ _ home shell; do
  if [ "$id" = "$uid" ]; then say owner "$name"; say shell "$shell"; break; fi
done 2>/dev/null </etc/passwd
while IFS=: read -r name _ id _; do
  if [ "$name" = "$2" ]; then say requested "$id"; break; fi
done 2>/dev/null </etc/passwd
type tar >/dev/null 2>&1 && type gzip >/dev/null 2>&1 && say unpack yes
find_base || exit 0
say base "$base"
for bundle in "$base"/bundle-*; do whole "$bundle" && say bundle "${bundle##*/bundle-}"; done
if [ -r "$base/$1/live" ]; then
  read -r port pid <"$base/$1/live"
  name=; state=; who=
  while read -r key value rest; do
    case $key in Name:) name=$value ;; State:) state=$value ;; Uid:) who=$value ;; esac
  done 2>/dev/null <"/proc/$pid/status"
  [ "$name $who" = "sshd $uid" ] && [ "$state" != Z ] && say port "$port"
fi
true
