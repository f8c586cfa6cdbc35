/** Shell that the start script (images/sshd/drawbridge-sshd) sources before it starts sshd. POSIX sh only. */
import { filled } from "../common/program.ts";
import { sshdEmptyFolderSh, sshdPenaltiesSh, sshdStartupSh } from "../made/programs.ts";
import { hostKeyFile, sshdPaths } from "./config.ts";
import { engineStart } from "./engine.ts";
import { idleAgentScript } from "./idle-agent.ts";
import { isRoot, type SshdPlan } from "./plan.ts";

/**
 * `$sshd` is the program and `$run` a writable folder. Nothing in here may fail the start: who cannot log in
 * cannot mend it.
 */
export function prepareScript(plan: SshdPlan): string {
  return [
    ...(isRoot(plan.user) ? [sshdEmptyFolderSh] : []),
    filled(sshdPenaltiesSh, { HOST_KEY: hostKeyFile }),
    ...(plan.containersInside ? [engineStart(isRoot(plan.user))] : []),
    ...(plan.startupScript === undefined ? [] : [filled(sshdStartupSh, { CONFIG: sshdPaths.config })]),
    ...(plan.ssh.endRevokedSessions ? [revocation(plan.user.name)] : []),
    ...(plan.idle === undefined ? [] : [idleAgentScript(plan)]),
  ].join("\n");
}

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
