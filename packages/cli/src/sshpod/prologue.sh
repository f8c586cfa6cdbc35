## Begins every script. `refuse` reads the rest of the input, since an exec whose input nobody reads never ends; the uid
## comes from /proc because an image may lack `id`. Programs are looked up where only root puts them, whatever the
## container's PATH says.
# shellcheck disable=SC2034
path=$PATH; PATH=/usr/sbin:/usr/bin:/sbin:/bin
type ls >/dev/null 2>&1 || PATH=$path
uid=; bound=; caps=
while read -r key value rest; do
  case $key in Uid:) uid=$value ;; NoNewPrivs:) bound=$value ;; CapEff:) caps=$value ;; esac
done </proc/self/status
say() { echo "$1 $2"; }
refuse() { say error "$1"; cat >/dev/null; exit 0; }
changed() { say changed yes; cat >/dev/null; exit 0; }
# shellcheck disable=SC2046
look() { set -- $(ls -ldn "$1" 2>/dev/null); mode=$1; owner=$3; }
# A folder of this uid that nobody else may write to.
ours() { look "$1"; [ "$owner" = "$uid" ] || return 1; case $mode in d????-??-*) ;; *) return 1 ;; esac; }
# A bundle of which the same holds, down to each program.
whole() {
  ours "$1" && ours "$1/bin" || return 1
  for file in busybox sshd sshd-session sshd-auth; do
    look "$1/bin/$file"; [ "$owner" = "$uid" ] || return 1
    case $mode in -??x?-??-*) ;; *) return 1 ;; esac
  done
}
