/** `drawbridge sleep`, `hold` and `wake`: what people do about a container's sleep without rights on the cluster. */
import { viaOf } from "@drawbridge-iac/drawbridge/src/host/client-texts/proxy-command";
import { wakeGreeting } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { idleProgram } from "@drawbridge-iac/drawbridge/src/host/sshd/idle-agent";
import { CliError, ExitCode } from "../faults.ts";
import { type KnownTarget, knownTarget } from "../known-stacks.ts";
import { openTunnel } from "../proxy/dial.ts";
import { untilAwake } from "../proxy/past-activator.ts";
import { parseVia, readGateway } from "../proxy/via.ts";
import { forShell } from "../self.ts";
import { tlsOn } from "../targets.ts";
import { visible } from "../terminal.ts";
import { runSsh } from "./connect.ts";

/** Puts the container to sleep at once, even if people are in it. */
export const sleep = (alias: string) => inside(alias, ["sleep"]);

/** Keeps it awake for a time, or while a command runs in it; `release` ends such a time. */
export function hold(alias: string, words: readonly string[], release = false): Promise<number> {
  if (release) return inside(alias, ["release"]);
  const [time, ...others] = words;
  if (time === undefined)
    throw new CliError("say how long to hold it (8h), or for which command (-- make all)");
  const isTime = others.length === 0 && /^\d{1,6}[smhd]$/.test(time);
  if (!isTime && others.length === 0 && /^[\d.]+(\d|[smhdw]|$)/i.test(time)) {
    throw new CliError(`${JSON.stringify(time)} is not a time; write it like 90m, 8h or 2d`, ExitCode.usage);
  }
  return inside(alias, isTime ? ["hold", time] : ["hold", "--", ...words]);
}

/** Runs the container's own program by ssh; returns its exit code. */
async function inside(alias: string, words: readonly string[]): Promise<number> {
  checkSleeps(await knownTarget(alias));
  const command = [idleProgram, ...words].map(forShell).join(" ");
  // With a terminal, where there is one here, Ctrl-C ends the command in there too.
  const terminal = words[1] === "--" && process.stdin.isTTY ? ["-t"] : [];
  return runSsh([...terminal, alias, "--", command]);
}

function checkSleeps(known: KnownTarget): KnownTarget {
  if (known.target.sleeps) return known;
  throw new CliError(
    `${known.alias} never sleeps: its stack gives it no idle; if that is new, run drawbridge ssh-config again`,
  );
}

/** Wakes it through the gateway, waits for its sshd, and returns a line that says so. */
export async function wake(alias: string): Promise<string> {
  const known = checkSleeps(await knownTarget(alias));
  const { hostName, port, ways } = known.target;
  const way = ways.find((each) => each.way === "gateway");
  const via = way && parseVia(viaOf(way));
  if (way === undefined || via?.kind !== "connect") {
    throw new CliError(`${alias} has no way through a gateway, which wakes it`);
  }
  const stream = await openTunnel(await readGateway(via, tlsOn(way, known)), hostName, port);
  const begun = performance.now();
  // The activator knows this greeting: a person asked, so it does not take this for an editor that reconnects.
  stream.write(`${wakeGreeting}\r\n`);
  await untilAwake(stream, (text) => process.stderr.write(`${visible(text)}\n`));
  return `${alias} is awake (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`;
}
