/** Shell that the start script (images/sshd/drawbridge-sshd) sources before it starts sshd. POSIX sh only. */
import { engineStart } from "./engine.ts";
import { idleAgentScript } from "./idle-agent.ts";
import type { DevContainerPlan } from "./plan.ts";
import { isRoot } from "./root.ts";
import { hostKeyFile, sshdPaths } from "./sshd-config.ts";

/**
 * `$sshd` is the program and `$run` a writable folder. Nothing in here may fail the start: who cannot log in
 * cannot mend it.
 */
export function prepareScript(plan: DevContainerPlan): string {
  return [
    ...(isRoot(plan.user) ? [emptyFolder] : []),
    penalties,
    ...(plan.containersInside ? [engineStart(isRoot(plan.user))] : []),
    ...(plan.startupScript === undefined ? [] : [startup]),
    ...(plan.ssh.endRevokedSessions ? [revocation(plan.user.name)] : []),
    ...(plan.idle === undefined ? [] : [idleAgentScript(plan)]),
  ].join("\n");
}

// Root's sshd keeps the half of it that nobody has logged in to yet in an empty folder, which a distribution's init makes.
const emptyFolder = `[ "$sshd" != /usr/sbin/sshd ] || mkdir -p /run/sshd
`;

// All sessions come from the gateway's address, so one stranger's bad logins must not lock everybody out. Before
// OpenSSH 9.8 there are no penalties and the option is an error.
const penalties = `: >"$run/version.conf"
if "$sshd" -t -f /dev/null -h "$run/${hostKeyFile}" -o PerSourcePenalties=no 2>/dev/null; then
  echo "PerSourcePenalties no" >"$run/version.conf"
fi
`;

const startup = `startup_log=$HOME/.cache/drawbridge/startup.log
mkdir -p "\${startup_log%/*}" 2>/dev/null || startup_log=/dev/null
{
  code=0
  (cd "$HOME" && exec ${sshdPaths.config}/startup) </dev/null 2>&1 || code=$?
  echo "the startup script ended with $code"
} | tee "$startup_log" | sed 's/^/startup: /' &
`;

/**
 * When the keys change, ends the connections whose key is gone. Which key a connection used is known from its
 * sessions (SSH_USER_AUTH); one without a session cannot be told apart and is ended too: its client comes back.
 */
function revocation(user: string): string {
  return `keys=${sshdPaths.authorizedKeys}/authorized_keys
connections() {
  for process in /proc/[0-9]*; do
    case $(tr '\\0' ' ' 2>/dev/null <"$process/cmdline") in
      *"["*) ;; # a monitor, or not logged in yet
      "sshd: ${user}"[@\\ ]* | "sshd-session: ${user}"[@\\ ]*) echo "\${process#/proc/}" ;;
    esac
  done
}
# The file in which sshd tells a session of connection $1 how it was authenticated.
authentication() {
  for process in /proc/[0-9]*; do
    [ "$(sed -n 's/^PPid:[[:space:]]*//p' "$process/status" 2>/dev/null)" = "$1" ] || continue
    tr '\\0' '\\n' 2>/dev/null <"$process/environ" | sed -n 's/^SSH_USER_AUTH=//p'
  done | head -n 1
}
still_allowed() {
  read -r _ type blob 2>/dev/null <"$1" || return 1
  case $type in *-cert-v01@openssh.com) return 0 ;; esac
  grep -qF -- "$blob" "$keys"
}
watch_keys() {
  seen=$(cat "$keys")
  while sleep 2; do
    now=$(cat "$keys" 2>/dev/null) || continue
    [ "$now" != "$seen" ] || continue
    seen=$now
    for connection in $(connections); do
      still_allowed "$(authentication "$connection")" && continue
      echo "ending connection $connection: its key was removed"
      kill "$connection" 2>/dev/null || :
    done
  done
}
watch_keys &
`;
}

/** A login shell's /etc/profile resets PATH; the container's own comes back here. */
export const profileScript = `if [ -n "\${DRAWBRIDGE_PATH:-}" ]; then
  PATH=$DRAWBRIDGE_PATH
  unset DRAWBRIDGE_PATH
fi
`;
