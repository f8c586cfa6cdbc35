/** Tries one way in, step by step as far as sshd's banner, and reports each step. */
import type { Duplex } from "node:stream";
import { waitGreeting } from "@drawbridge-iac/manifests/contract";
import { readBanner } from "../proxy/banner.ts";
import { dialTcp, requestTunnel, resolveGateway, secure } from "../proxy/dial.ts";
import { readGateway, type TlsOptions } from "../proxy/gateway.ts";
import type { ConnectVia, SshpodVia, Via } from "../proxy/via.ts";
import { isExpected, Step, WayError } from "../proxy/way-error.ts";
import { connectOwnSshd } from "../sshpod/connect.ts";
import type { Finding } from "./finding.ts";

export interface Destination {
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
  note(Step.dns, `${gateway.address} is ${await resolveGateway(gateway)}`);
  const plain = await dialTcp(gateway);
  note(Step.tcp, `port ${gateway.port} is open`);
  const socket = gateway.tls === undefined ? plain : await secure(plain, gateway.tls);
  if (gateway.tls !== undefined) note(Step.tls, `the certificate is valid for ${gateway.tls.serverName}`);
  const name = via.name ?? hostName;
  await requestTunnel(socket, name, port);
  note(Step.connect, `the tunnel to ${name}:${port} is open`);
  // This wakes nobody: the activator of a sleeping container says how it is, and sshd sends its greeting in any case.
  if (via.name === undefined) socket.write(`${waitGreeting}\r\n`);
  return socket;
}

async function byPod(via: SshpodVia, { port }: Destination, note: Note): Promise<Duplex> {
  const stream = await connectOwnSshd({ target: via.target, port, tell: () => undefined });
  note(Step.pod, `${via.target.name} runs, and its port ${port} is forwarded`);
  return stream;
}
