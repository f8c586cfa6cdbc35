/**
 * The shell text that runs inside the target container. It needs nothing of the image but `sh`, `cat`, `ls`, `mkdir`,
 * `mv`, `chmod` and `uname`; everything else is asked of the bundle's own busybox.
 *
 * Layout in the container, for the uid that exec gives:
 *   /tmp/sshpod-<uid>/bundle-<hash>/bin/…        OpenSSH and busybox, shared by all who come with this uid
 *   /tmp/sshpod-<uid>/<session>/live             "<port> <pid>" of the sshd of one laptop key
 *
 * Other users may work in the same container, so nothing is taken for ours by its name. The folder must be one that
 * only this uid could have made and filled: in a place where nobody else can rename it, no link, owned by this uid,
 * writable by nobody else. From then on what stands in it cannot change under our hands, so looking first and using
 * it afterwards is safe. Where somebody else has taken the name, a second one is used that only this laptop knows.
 */

const cannotRun = "programs in /tmp cannot be run (mounted noexec, or the archive is for another machine)";

/**
 * Begins every script. `refuse` reads the rest of the input, since an exec whose input nobody reads never ends; the
 * uid comes from /proc because an image may lack `id`. Programs are looked up where only root puts them, whatever the
 * container's PATH says.
 */
const prologue = `
path=$PATH; PATH=/usr/sbin:/usr/bin:/sbin:/bin
type ls >/dev/null 2>&1 || PATH=$path
uid=; bound=; caps=
while read -r key value rest; do
  case $key in Uid:) uid=$value ;; NoNewPrivs:) bound=$value ;; CapEff:) caps=$value ;; esac
done </proc/self/status
say() { echo "$1 $2"; }
refuse() { say error "$1"; cat >/dev/null; exit 0; }
changed() { say changed yes; cat >/dev/null; exit 0; }
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
`;

/**
 * Finds the place for our folder: `tmp`, and `base` by `find_base`, which makes the folder if told to. Arguments, which
 * it takes away: the second name, and `alone` where no other container mounts /tmp.
 */
const findPlace = `
# Nobody but root and this uid can rename what stands in it.
held() {
  look "$1"
  case $owner in 0|"$uid") ;; *) return 1 ;; esac
  case $mode in d????-??-*|d????????[tT]*) ;; *) return 1 ;; esac
}
kept() { p=$1; while held "\${p:-/}"; do [ -n "$p" ] || return 0; p=\${p%/*}; done; return 1; }
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
find_base() {
  for base in $names; do
    # This makes a new folder or nothing, and follows no link.
    [ -z "$1" ] || mkdir -m 755 "$base" 2>/dev/null
    ours "$base" && return
  done
  return 1
}
shift 2
`;

/**
 * Says what the container is and whether an sshd of ours already listens. Makes nothing.
 * Arguments after those of the place: session, requested user.
 */
export const probeScript = compact(`${prologue}${findPlace}
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
for bundle in "$base"/bundle-*; do whole "$bundle" && say bundle "\${bundle##*/bundle-}"; done
if [ -r "$base/$1/live" ]; then
  read -r port pid <"$base/$1/live"
  name=; state=; who=
  while read -r key value rest; do
    case $key in Name:) name=$value ;; State:) state=$value ;; Uid:) who=$value ;; esac
  done 2>/dev/null <"/proc/$pid/status"
  [ "$name $who" = "sshd $uid" ] && [ "$state" != Z ] && say port "$port"
fi
true
`);

/** Makes the folder for the bundle; fails with a sentence when /tmp does not allow it. Argument after the place's: hash. */
const makeFolder = `${prologue}${findPlace}
umask 022
if ! find_base make; then
  # A read-only folder may look writable to root.
  look "$base"; [ -n "$mode" ] || refuse "$tmp is not writable for uid $uid"
  refuse "$tmp/sshpod-$uid belongs to somebody else, or somebody else may write to it"
fi
say base "$base"
new=$base/new-$$
mkdir -p "$new/bin" || refuse "$new cannot be made; is /tmp full?"
`;

/**
 * Puts the folder in place at once, so that two laptops never see a half-copied bundle. One that is there already
 * stays if it is whole.
 */
const placeFolder = `
"$new/bin/busybox" true 2>/dev/null || refuse "${cannotRun}"
mkdir -p "$new/etc"
if whole "$base/bundle-$1"; then "$new/bin/busybox" rm -rf "$new"; else
  [ ! -e "$base/bundle-$1" ] || mv "$base/bundle-$1" "$base/spoilt-$$"
  mv "$new" "$base/bundle-$1"
fi
say placed "$1"
`;

/** Unpacks the archive from standard input with the image's own tar and gzip. Says the base. */
export const unpackScript = compact(`${makeFolder}
gzip -dc | tar -xf - -C "$new" || refuse "unpacking failed; is /tmp full?"
${placeFolder}`);

/** Takes the bundle's busybox from standard input, for an image without tar or gzip. Says the base. */
export const placeBusyboxScript = compact(`${makeFolder}
cat >"$new/bin/busybox" && chmod 755 "$new/bin/busybox" || refuse "copying failed; is /tmp full?"
say folder "\${new##*/}"
`);

/** Unpacks the archive from standard input with the busybox placed before. Arguments: hash, base, folder. */
export const unpackWithBusyboxScript = compact(`${prologue}
base=$2
new=$base/$3
ours "$base" && ours "$new/bin" || refuse "$new is gone; try again"
b=$new/bin/busybox
"$b" true 2>/dev/null || refuse "${cannotRun}"
"$b" gzip -dc | "$b" tar -xf - -C "$new" || refuse "unpacking failed; is /tmp full?"
${placeFolder}`);

/**
 * Starts sshd on a loopback port, if the bundle's files are the archive's; otherwise puts them aside and says so. The
 * host key comes on standard input, so that it is in no audit log.
 * Arguments: hash, base, session, port, user, authorized key, SHA-256 sums of the files.
 */
export const startScript = compact(`${prologue}
base=$2; b=$base/bundle-$1; d=$base/$3; port=$4; user=$5; key=$6
box=$b/bin/busybox
ours "$base" && whole "$b" || changed
sum=sha256sum; type $sum >/dev/null 2>&1 || sum="$box sha256sum"
(cd "$b/bin" && echo "$7" | $sum -c - >/dev/null 2>&1) || { mv "$b" "$base/spoilt-$$"; changed; }
mask=$(umask)
umask 022
"$box" mkdir -p "$d" || refuse "$d cannot be made"
echo "$key" >"$d/authorized_keys"
umask 077
"$box" cat >"$d/host_key.$$" && "$box" mv "$d/host_key.$$" "$d/host_key"
umask 022
# Looked up by the bundle's programs when the image's own /etc/passwd does not know the name.
"$box" touch "$b/etc/passwd"
for line in "sshd:x:65534:65534::/:/bin/false" "$user:x:$uid:$("$box" id -g)::\${HOME:-/}:/bin/sh"; do
  "$box" grep -q "^\${line%%:*}:" "$b/etc/passwd" || echo "$line" >>"$b/etc/passwd"
done
umask 077
{
  echo "ListenAddress 127.0.0.1
Port $port
HostKey $d/host_key
PidFile $d/pid.$port
SshdSessionPath $b/bin/sshd-session
SshdAuthPath $b/bin/sshd-auth
AuthorizedKeysFile $d/authorized_keys
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AllowAgentForwarding yes
AllowTcpForwarding yes
AllowStreamLocalForwarding yes
StreamLocalBindUnlink yes
X11Forwarding no
PrintMotd no
PerSourcePenalties no
MaxSessions 100
MaxStartups 100:30:200
ClientAliveInterval 60
ClientAliveCountMax 10
LogLevel VERBOSE
Subsystem sftp internal-sftp"
  # A session gets the container's own environment; a value with a line break cannot be written here.
  PATH=$path "$box" awk 'BEGIN {
    for (name in ENVIRON) {
      if (name ~ /^(HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|SHLVL|TERM|_|HOSTNAME)$/) continue
      if (name !~ /^[A-Za-z_][A-Za-z0-9_]*$/ || ENVIRON[name] ~ /[\\n\\r]/) continue
      value = ENVIRON[name]; gsub(/\\\\/, "&&", value); gsub(/"/, "\\\\\\\\\\"", value)
      line = line " \\"" name "=" value "\\""
    }
    if (line != "") print "SetEnv" line
  }'
} >"$d/config.$port"
# Files that a session makes are as open as those that exec makes.
umask "$mask"
"$b/bin/sshd" -f "$d/config.$port" -E "$d/log.$port" || refuse "$("$box" tail -n 1 "$d/log.$port")"
waited=0
while ! [ -s "$d/pid.$port" ]; do
  waited=$((waited + 1))
  if [ $waited -gt 200 ] || "$box" grep -q "^Cannot bind any address" "$d/log.$port"; then
    say busy "$port"; exit 0
  fi
  "$box" usleep 25000
done
read -r pid <"$d/pid.$port"
echo "$port $pid" >"$d/live.$$" && "$box" mv "$d/live.$$" "$d/live"
say port "$port"
`);

/** Without comments and indentation, since the whole script is part of a URL. */
function compact(script: string): string {
  return script.replace(/^[ \t]+/gm, "").replace(/^(#.*)?\n/gm, "");
}

/** The \`KEY VALUE\` lines that a script said. A key that comes twice keeps all values, joined by a blank. */
export function readAnswers(output: string): Map<string, string> {
  const answers = new Map<string, string>();
  for (const line of output.split("\n")) {
    const at = line.indexOf(" ");
    if (at < 1) continue;
    const key = line.slice(0, at);
    const value = line.slice(at + 1).trim();
    const before = answers.get(key);
    answers.set(key, before === undefined ? value : `${before} ${value}`);
  }
  return answers;
}
