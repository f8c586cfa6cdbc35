import { canGo, ProxyProgram, proxyLines } from "./proxy-command.ts";
import type { SshTarget } from "./target.ts";

/** The preferred program if it can go one of the ways in; ours goes every way. */
export function plainProgram({ ways }: SshTarget, preferred: ProxyProgram): ProxyProgram {
  return ways.some((way) => canGo(preferred, way)) ? preferred : ProxyProgram.drawbridge;
}

/**
 * The command that logs in with nothing configured but `known_hosts`: by `nc` where it can, as that is on every
 * Linux and macOS laptop. Without handing over the connection, which macOS cannot.
 */
export function sshCommand(target: SshTarget): string {
  const [line = ""] = proxyLines(plainProgram(target, ProxyProgram.netcat), "macos", target.ways);
  const command = line.replace(/^ProxyCommand /, "");
  return `ssh -o ProxyCommand='${command}' -p ${target.port} ${target.user}@${target.hostName}`;
}
