## Starts sshd on a loopback port, if the bundle's files are the archive's; otherwise puts them aside and says so. The host
## key comes on standard input, so that it is in no audit log.
## Arguments: hash, base, session, port, user, authorized key, SHA-256 sums of the files.
. ./prologue.sh
base=$2; b=$base/bundle-$1; d=$base/$3; port=$4; user=$5; key=$6
box=$b/bin/busybox
# shellcheck disable=SC2015
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
for line in "sshd:x:65534:65534::/:/bin/false" "$user:x:$uid:$("$box" id -g)::${HOME:-/}:/bin/sh"; do
  "$box" grep -q "^${line%%:*}:" "$b/etc/passwd" || echo "$line" >>"$b/etc/passwd"
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
      if (name !~ /^[A-Za-z_][A-Za-z0-9_]*$/ || ENVIRON[name] ~ /[\n\r]/) continue
      value = ENVIRON[name]; gsub(/\\/, "&&", value); gsub(/"/, "\\\\\"", value)
      line = line " \"" name "=" value "\""
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
