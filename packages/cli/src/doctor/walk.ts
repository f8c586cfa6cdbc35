/** Tries one way in, step by step, and reports each step: as far as sshd's banner, then the log-in by the real ssh. */

import { execFile } from "node:child_process";
import type { Duplex } from "node:stream";
import type { SshTarget } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import { waitGreeting } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { fingerprint, parseAuthorizedKey } from "@drawbridge-iac/drawbridge/src/host/keys/authorized-keys";
import { isExpected, Step, WayError } from "../faults.ts";
import { readBanner } from "../proxy/banner.ts";
import { dialTcp, requestTunnel, resolveGateway, secure } from "../proxy/dial.ts";
import { proxyFor } from "../proxy/env-proxy.ts";
import { type ConnectVia, readGateway, type SshpodVia, type TlsOptions, type Via } from "../proxy/via.ts";
import { connectOwnSshd } from "../sshpod/connect.ts";
import type { Finding } from "./finding.ts";

interface Destination {
  readonly hostName: string;
  readonly port: number;
  readonly tls: TlsOptions;
}

/** The findings up to the first fault; `onFinding` gets each as soon as it is there. */
export async function walk(
  via: Via,
  destination: Destination,
  onFinding: (finding: Finding) => void = () => undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const note = (step: Step, text: string, ok = true, status?: number) => {
    const finding = { step, ok, text, ...(status === undefined ? {} : { status }) };
    findings.push(finding);
    onFinding(finding);
  };
  try {
    const stream =
      via.kind === "connect" ? await byConnect(via, destination, note) : await byPod(via, destination, note);
    note(Step.banner, await readBanner(stream));
    stream.destroy();
  } catch (error) {
    if (!isExpected(error)) throw error;
    if (error instanceof WayError) note(error.step, error.message, false, error.status);
    // On the way to a gateway this is a file that the options name.
    else note(via.kind === "connect" ? Step.tls : Step.pod, error.message, false);
  }
  return findings;
}

type Note = (step: Step, text: string) => void;

async function byConnect(via: ConnectVia, { hostName, port, tls }: Destination, note: Note): Promise<Duplex> {
  const gateway = await readGateway(via, tls);
  const proxy = proxyFor(via.secure ? "https" : "http", gateway.address, gateway.port);
  if (proxy === undefined) note(Step.dns, `${gateway.address} is ${await resolveGateway(gateway)}`);
  else note(Step.dns, `left to the proxy ${proxy.text}, which ${proxy.variable} names`);
  const plain = await dialTcp(gateway);
  note(Step.tcp, `port ${gateway.port} is open`);
  const socket = await secure(plain, gateway);
  if (gateway.tls !== undefined) note(Step.tls, `the certificate is valid for ${gateway.tls.serverName}`);
  const name = via.name ?? hostName;
  await requestTunnel(socket, name, port);
  note(Step.connect, `the tunnel to ${name}:${port} is open`);
  // This wakes nobody: the activator of a sleeping container says how it is, and sshd sends its greeting in any case.
  if (via.name === undefined) socket.write(`${waitGreeting}\r\n`);
  return socket;
}

async function byPod(via: SshpodVia, { port }: Destination, note: Note): Promise<Duplex> {
  const stream = await connectOwnSshd({ target: via.target, isByName: false, port, tell: () => undefined });
  note(Step.pod, `${via.target.name} runs, and its port ${port} is forwarded`);
  return stream;
}

/** What a try of ssh with `-v` said. */
interface SshTry {
  readonly code: number;
  readonly stderr: string;
}

/** Runs `true` in the container, with no question asked and no shared connection used. */
export function tryLogin(alias: string, options: readonly string[]): Promise<SshTry> {
  const settings = ["BatchMode=yes", "ConnectTimeout=20", "ControlMaster=no", "ControlPath=none"];
  const args = [...options, "-v", ...settings.flatMap((one) => ["-o", one]), alias, "true"];
  return new Promise((resolve) => {
    execFile("ssh", args, { timeout: 60_000, maxBuffer: 4 * 1024 * 1024 }, (error, _stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 255;
      resolve({ code, stderr: stderr === "" && error !== null ? error.message : stderr });
    });
  });
}

/** Reads the two findings out of what ssh said. */
export function explainLogin({ code, stderr }: SshTry, target: SshTarget): Finding[] {
  const [, shown] = /Server host key: \S+ (SHA256:\S+)/.exec(stderr) ?? [];
  const expected = target.hostKeys.map((line) => fingerprint(parseAuthorizedKey(line)));
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/.test(stderr)) {
    const text = `the host shows ${shown ?? "another key"}, but the stack says ${expected.join(" or ")}; if the stack was changed, run drawbridge ssh-config again; otherwise someone stands between you and it`;
    return [{ step: Step.hostKey, ok: false, text }];
  }
  if (code !== 0 && shown === undefined) {
    return [
      {
        step: Step.hostKey,
        ok: false,
        text: `ssh did not get as far as the host key: ${reasonOf(stderr)}${/no matching host key type/.test(stderr) ? "; its key is of Ed25519 alone, which this ssh's HostKeyAlgorithms leaves out (FIPS?)" : ""}`,
      },
    ];
  }
  const hostKey = { step: Step.hostKey, ok: true, text: shown ?? "" };
  if (code === 0) return [hostKey, { step: Step.login, ok: true, text: `as ${target.user}` }];
  return [hostKey, { step: Step.login, ok: false, text: explainRefusal({ code, stderr }, target) }];
}

function explainRefusal({ code, stderr }: SshTry, { user }: SshTarget): string {
  if (/^Authenticated to /m.test(stderr) && code !== 255) {
    return `${user} is let in, but there \`true\` ends with ${code}: ${reasonOf(stderr)}; check the account's shell, and what its start files do (~/.bashrc, ~/.profile)`;
  }
  const [, unusable] = /^(Load key .*|.*signing failed .*)$/m.exec(stderr.replaceAll("\r", "")) ?? [];
  const offered = [...stderr.matchAll(/Offering public key: (.*)/g)].map(([, key]) => key?.trim());
  if (/Too many authentication failures/.test(stderr)) {
    return `too many keys were offered; name one with drawbridge ssh-config --identity FILE (offered: ${offered.join("; ")})`;
  }
  if (!/^\S+: Permission denied \(/m.test(stderr)) return reasonOf(stderr);
  const [, accepted] = /Server accepts key: (.*)/.exec(stderr) ?? [];
  if (accepted !== undefined) {
    return `${user} has the key ${accepted.trim()}, but its use takes a passphrase or a touch, and doctor asks for none; load it with ssh-add, or log in by hand`;
  }
  if (unusable !== undefined) return `a key of this computer cannot be used: ${unusable}`;
  if (offered.length === 0) {
    return `this computer has no key to offer to ${user}; make one with ssh-keygen -t ed25519, or name yours with drawbridge ssh-config --identity FILE`;
  }
  return `${user} has none of the keys that were offered (${offered.join("; ")}); put the public key into its authorizedKeys, or, where the machine's own sshd answers, into its ~/.ssh/authorized_keys; or name the right one with drawbridge ssh-config --identity FILE`;
}

/** What ssh -v says besides the reason: of itself, of what it counted, and that something ended. */
const chatter =
  /^(debug\d|OpenSSH_|Authenticated (to|using) |Transferred: |Bytes per second: |Connection (to \S+ )?(closed|reset|timed out)|Disconnected from |Received disconnect|Pseudo-terminal |Warning: Permanently added |\S+: terminating, |kex_exchange_identification: Connection closed|@)/;

/** The reason among ssh's lines: our own program's words, else the last that are no chatter, else how it ended. */
function reasonOf(stderr: string): string {
  const lines = stderr
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const words = lines.filter((line) => !chatter.test(line));
  const ours = words.filter((line) => line.startsWith("drawbridge: ")).at(-1);
  const end = lines
    .filter((line) => !/^(debug\d|OpenSSH_|Authenticated |Transferred|Bytes)/.test(line))
    .at(-1);
  return ours?.slice("drawbridge: ".length) ?? words.at(-1) ?? end ?? "ssh said nothing";
}
