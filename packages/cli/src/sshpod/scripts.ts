/**
 * The shell text that runs inside the target container. It needs nothing of the image but `sh`, `cat`, `mkdir`,
 * `mv`, `chmod` and `uname`; everything else is asked of the bundle's own busybox.
 *
 * Layout in the container, for the uid that exec gives:
 *   /tmp/sshpod-<uid>/bundle-<hash>/bin/…        OpenSSH and busybox, shared by all who come with this uid
 *   /tmp/sshpod-<uid>/<session>/live             "<port> <pid>" of the sshd of one laptop key
 */

const cannotRun = "programs in /tmp cannot be run (mounted noexec, or the archive is for another machine)";

/**
 * Defines `say KEY VALUE`, `refuse REASON`, `uid` and `base`. `refuse` reads the rest of the input, since an exec
 * whose input nobody reads never ends; the uid comes from /proc because an image may lack `id`.
 */
const prologue = `
uid=; while read -r key value rest; do [ "$key" = Uid: ] && uid=$value; done </proc/self/status
base=/tmp/sshpod-$uid
say() { echo "$1 $2"; }
refuse() { say error "$1"; cat >/dev/null; exit 0; }
`;

/**
 * Says what the container is and whether an sshd of ours already listens.
 * Arguments: session, requested user.
 */
export const probeScript = `${prologue}
say uid "$uid"
say machine "$(uname -m)"
while IFS=: read -r name _ id _ _ home shell; do
  if [ "$id" = "$uid" ]; then say owner "$name"; say shell "$shell"; break; fi
done 2>/dev/null </etc/passwd
while IFS=: read -r name _ id _; do
  if [ "$name" = "$2" ]; then say requested "$id"; break; fi
done 2>/dev/null </etc/passwd
for bundle in "$base"/bundle-*/bin/sshd; do
  [ -x "$bundle" ] && { bundle=\${bundle%/bin/sshd}; say bundle "\${bundle##*/bundle-}"; }
done
if [ -r "$base/$1/live" ]; then
  read -r port pid <"$base/$1/live"
  stat=; read -r stat 2>/dev/null <"/proc/$pid/stat"
  case $stat in *"(sshd) Z"*) ;; *"(sshd)"*) say port "$port" ;; esac
fi
type tar >/dev/null 2>&1 && type gzip >/dev/null 2>&1 && say unpack yes
true
`;

/** Makes the folder for the bundle; fails with a sentence when /tmp does not allow it. Argument: hash. */
const makeFolder = `${prologue}
umask 022
new=$base/new-$$
mkdir -p "$new/bin" 2>/dev/null || refuse "/tmp is not writable for uid $uid"
[ -O "$base" ] || refuse "$base belongs to somebody else"
`;

/** Puts the folder in place at once, so that two laptops never see a half-copied bundle. */
const placeFolder = `
"$new/bin/busybox" true 2>/dev/null || refuse "${cannotRun}"
mkdir -p "$new/etc"
mv "$new" "$base/bundle-$1" 2>/dev/null || "$new/bin/busybox" rm -rf "$new"
say placed "$1"
`;

/** Unpacks the archive from standard input with the image's own tar and gzip. Argument: hash. */
export const unpackScript = `${makeFolder}
gzip -dc | tar -xf - -C "$new" || refuse "unpacking failed; is /tmp full?"
${placeFolder}`;

/** Takes the bundle's busybox from standard input, for an image without tar or gzip. Argument: hash. */
export const placeBusyboxScript = `${makeFolder}
cat >"$new/bin/busybox" && chmod 755 "$new/bin/busybox" || refuse "copying failed; is /tmp full?"
say folder "$new"
`;

/** Unpacks the archive from standard input with the busybox placed before. Arguments: hash, folder. */
export const unpackWithBusyboxScript = `${prologue}
new=$2
b=$new/bin/busybox
"$b" true 2>/dev/null || refuse "${cannotRun}"
"$b" gzip -dc | "$b" tar -xf - -C "$new" || refuse "unpacking failed; is /tmp full?"
${placeFolder}`;

/**
 * Starts sshd on a loopback port. The host key comes on standard input, so that it is in no audit log.
 * Arguments: hash, session, port, user, authorized key.
 */
export const startScript = `${prologue}
b=$base/bundle-$1; d=$base/$2; port=$3; user=$4; key=$5
box=$b/bin/busybox
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
  "$box" awk 'BEGIN {
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
`;

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
