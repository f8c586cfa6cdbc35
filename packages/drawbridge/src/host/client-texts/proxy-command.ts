/** The ProxyCommand of each way in, for each program that people have. */
import { bracketed } from "../../kubernetes/names.ts";
import { sshpodHostName } from "../ways/sshpod-host.ts";
import { checkedPath } from "./checked-line.ts";
import type { SshTarget, SshWay } from "./target.ts";

/** The operating system of the laptop. */
export const ClientOs = { linux: "linux", macos: "macos", windows: "windows" } as const;
export type ClientOs = (typeof ClientOs)[keyof typeof ClientOs];

/** The program that ssh starts to reach a container. */
export const ProxyProgram = {
  /** drawbridge itself: every way, in order, on every system. */
  drawbridge: "drawbridge",
  /** Debian's (OpenBSD's) and that of macOS: plain CONNECT. */
  netcat: "nc",
  /** Nmap's: plain CONNECT, also on Windows. */
  ncat: "ncat",
  /** Plain and TLS; mTLS from version 1.12 on. */
  proxytunnel: "proxytunnel",
} as const;
export type ProxyProgram = (typeof ProxyProgram)[keyof typeof ProxyProgram];

/** What a laptop has: where drawbridge is, and the files for TLS. */
export interface ProxySettings {
  /** How `drawbridge` is started: program and first arguments. @default ["drawbridge"], on Windows ["drawbridge.cmd"] */
  readonly command?: readonly string[];
  /** PEM file of the authority that signed the gateway's certificate. @default the system's authorities */
  readonly ca?: string;
  /** PEM files of the client certificate and its key, for a gateway that asks for one. */
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** Whether a program can go this way. */
export function canGo(program: ProxyProgram, way: SshWay): boolean {
  if (program === "drawbridge") return true;
  if (way.way === "sshpod") return false;
  return program === "proxytunnel" || !way.tls;
}

/**
 * The lines of an ssh_config block that lead to a container.
 * @param ways in the order in which they are tried; programs other than drawbridge take the first they can go
 */
export function proxyLines(
  program: ProxyProgram,
  os: ClientOs,
  ways: readonly SshWay[],
  settings: ProxySettings = {},
): string[] {
  if (program === "drawbridge") return [`ProxyCommand ${drawbridgeCommand(os, ways, settings)}`];
  const way = ways.find((candidate) => canGo(program, candidate));
  if (way === undefined || way.way === "sshpod") {
    throw new Error(
      `${program} cannot go any of the ways ${ways.map(viaOf).join(", ")}; use the program drawbridge`,
    );
  }
  const proxy = bracketsQuoted(`${bracketed(way.address)}:${way.port}`);
  const host = way.way === "frp" ? way.hostName : "%h";
  switch (program) {
    case "nc":
      // OpenBSD's nc can hand its connection over to ssh and leave, which macOS's own cannot.
      return os === "linux"
        ? [`ProxyCommand nc -F -X connect -x ${proxy} ${host} %p`, "ProxyUseFdpass yes"]
        : [`ProxyCommand nc -X connect -x ${proxy} ${host} %p`];
    case "ncat":
      return [
        `ProxyCommand ${os === "windows" ? "ncat.exe" : "ncat"} --proxy ${proxy} --proxy-type http ${host} %p`,
      ];
    case "proxytunnel":
      return [`ProxyCommand proxytunnel -q -p ${proxy}${tunnelTls(way, settings)} -d ${host}:%p`];
  }
}

function drawbridgeCommand(os: ClientOs, ways: readonly SshWay[], settings: ProxySettings): string {
  const [serverName] = ways.flatMap((way) => (way.way === "gateway" && way.serverName ? way.serverName : []));
  const tls = ways.some((way) => way.way !== "sshpod" && way.tls);
  const words = [
    ...startOf(os, settings),
    "proxy",
    ...ways.flatMap((way) => ["--via", bracketsQuoted(viaOf(way))]),
    ...(ways.some((way) => way.way === "sshpod") ? ["--own-sshd"] : []),
    ...(serverName === undefined ? [] : ["--server-name", serverName]),
    ...(tls ? fileOptions(settings, "--ca", "--cert", "--key") : []),
    "--host",
    "%h",
    "--port",
    "%p",
  ];
  return words.join(" ");
}

function startOf(os: ClientOs, { command }: ProxySettings): string[] {
  if (command !== undefined) return command.map(quoted);
  // npm puts a .cmd file beside the program on Windows, and ssh starts no .cmd by its bare name.
  return [os === "windows" ? "drawbridge.cmd" : "drawbridge"];
}

/**
 * The ProxyCommand for host names that end in `.sshpod`, which say themselves where to go. A link or a submodule's
 * address can hold any host and user, and a shell reads the command: `unsafeIn` says what its block must not match.
 */
export function sshpodProxyCommand(os: ClientOs, settings: ProxySettings = {}): string {
  const word = (token: string) => (os === "windows" ? token : `'${token}'`);
  return [...startOf(os, settings), `proxy --host ${word("%h")} --user ${word("%r")} --port %p`].join(" ");
}

/**
 * The characters that could make more than one word of a name in that command. Nothing but a single quote ends single
 * quotes. cmd.exe does not know them, so on Windows these are all characters that cmd.exe or the sh of Git treats
 * specially. A pattern cannot name a double quote, an asterisk or a line end, but these start nothing by themselves.
 */
export const unsafeIn = (os: ClientOs): string => (os === "windows" ? "\t !#$%&'();<=>[\\]^`{|}~" : "'");

function tunnelTls(way: SshWay, settings: ProxySettings): string {
  if (way.way === "sshpod" || !way.tls) return "";
  const name = way.way === "frp" || way.serverName === undefined ? [] : ["-o", way.serverName];
  return ["", "-E", ...name, ...fileOptions(settings, "-C", "-c", "-k")].join(" ");
}

function fileOptions(settings: ProxySettings, ca: string, certificate: string, key: string): string[] {
  return [
    ...(settings.ca === undefined ? [] : [ca, quoted(settings.ca)]),
    ...(settings.clientCertificate === undefined ? [] : [certificate, quoted(settings.clientCertificate)]),
    ...(settings.clientKey === undefined ? [] : [key, quoted(settings.clientKey)]),
  ];
}

/** A word for the shell that starts the command. `%` is doubled, because ssh replaces it. */
function quoted(word: string): string {
  const text = checkedPath(word).replaceAll("%", "%%");
  return /^[A-Za-z0-9._~/:\\%-]+$/.test(text) ? text : `"${text}"`;
}

/** A word that may hold an IPv6 address. Its brackets are a pattern to zsh; double quotes are read by cmd.exe too. */
export const bracketsQuoted = (word: string): string => (word.includes("[") ? `"${word}"` : word);

/** A way as the `--via` option of `drawbridge proxy` reads it. */
export function viaOf(way: SshWay): string {
  switch (way.way) {
    case "gateway":
      return origin(way);
    case "frp":
      // frp knows the container by a name of its own, which is the path here.
      return `${origin(way)}/${way.hostName}`;
    case "sshpod":
      return sshpodHostName({ kind: "pod", name: way.pod, namespace: way.namespace });
  }
}

function origin({ tls, address, port }: Exclude<SshWay, { way: "sshpod" }>): string {
  return `${tls ? "https" : "http"}://${bracketed(address)}:${port}`;
}

/** The preferred program if it can take one of the ways in; otherwise drawbridge, which can take all of them. */
export function plainProgram({ ways }: SshTarget, preferred: ProxyProgram): ProxyProgram {
  return ways.some((way) => canGo(preferred, way)) ? preferred : ProxyProgram.drawbridge;
}

/**
 * The command that logs in with nothing configured but `known_hosts`: through `nc` where that can go, since every Linux
 * and macOS laptop has it. The line is that of macOS, which works on Linux too.
 */
export function sshCommand(target: SshTarget): string {
  const [line = ""] = proxyLines(plainProgram(target, ProxyProgram.netcat), "macos", target.ways);
  const command = line.replace(/^ProxyCommand /, "");
  return `ssh -o ProxyCommand='${command}' -p ${target.port} ${target.user}@${target.hostName}`;
}
