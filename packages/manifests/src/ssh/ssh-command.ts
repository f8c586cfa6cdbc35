import { canGo, ProxyProgram, proxyLines } from "./proxy-command.ts";
import type { SshTarget } from "./target.ts";

/** The preferred program if it can take one of the ways in; otherwise ours, which can take them all. */
export function plainProgram({ ways }: SshTarget, preferred: ProxyProgram): ProxyProgram {
  return ways.some((way) => canGo(preferred, way)) ? preferred : ProxyProgram.drawbridge;
}

/**
 * The command that logs in with nothing configured but `known_hosts`: through `nc` where that can go, since every Linux
 * and macOS laptop has it. Written for macOS, whose `nc` cannot hand the connection over to ssh.
 */
export function sshCommand(target: SshTarget): string {
  const [line = ""] = proxyLines(plainProgram(target, ProxyProgram.netcat), "macos", target.ways);
  const command = line.replace(/^ProxyCommand /, "");
  return `ssh -o ProxyCommand='${command}' -p ${target.port} ${target.user}@${target.hostName}`;
}
