/** Raw CONNECT clients, which tell exactly what the gateway answered. */
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { Certificate } from "../lab/certificates.ts";

/** Where a CONNECT goes, and the certificate shown there. */
export interface Door {
  readonly address: string;
  readonly port: number;
  /** TLS to this name, trusting this CA; a plain connection without. */
  readonly tls?: { readonly serverName: string; readonly ca: string; readonly client?: Certificate };
}

/** What a client reports of a tunnel in which sshd has spoken. */
export const opened = "HTTP/1.1 200 OK, SSH-2.0";

/**
 * The status line of the gateway's answer, followed by ", SSH-2.0" if sshd spoke; the code of the error if the
 * connection broke first.
 */
export function knockWith(door: Door, authority: string, headers = "", version = "1.1"): Promise<string> {
  const request = `CONNECT ${authority} HTTP/${version}\r\nHost: ${authority}\r\n${headers}\r\n`;
  return firstWords(dial(door), request);
}

/** The same as `knockWith`, for any request. */
export function ask(door: Door, request: string): Promise<string> {
  return firstWords(dial(door), request);
}

function dial({ address, port, tls }: Door): Duplex {
  if (tls === undefined) return connectTcp(port, address);
  return connectTls({ host: address, port, ...tlsOptions(tls) });
}

function tlsOptions({ serverName, ca, client }: NonNullable<Door["tls"]>) {
  const own = client === undefined ? {} : { cert: client.cert, key: client.key };
  return { servername: serverName, ca, ...own };
}

function firstWords(socket: Duplex, request: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const end = (words: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(words);
    };
    const status = () => text.split("\r\n")[0] ?? "";
    const timer = setTimeout(() => end(text === "" ? "silence" : status()), 10_000);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      if (!status().includes(" 200")) end(status());
      else if (text.includes("SSH-2.0")) end(`${status()}, SSH-2.0`);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.on("close", () => end(text === "" ? "closed" : status()));
    socket.write(request);
  });
}

/** CONNECT as a stream of HTTP/2: its status, and what came through it first. */
export function knockByHttp2(door: Door, authority: string): Promise<string> {
  const { address, port, tls } = door;
  const scheme = tls === undefined ? "http" : "https";
  const options = tls === undefined ? {} : { ...tlsOptions(tls), ALPNProtocols: ["h2"] };
  return new Promise((resolve) => {
    const session = connectHttp2(`${scheme}://${address}:${port}`, options);
    const end = (words: string) => {
      session.destroy();
      resolve(words);
    };
    const stream = session.request({ ":method": "CONNECT", ":authority": authority }, { endStream: false });
    let status = "";
    stream.on("response", (headers) => {
      status = String(headers[":status"]);
      if (status !== "200") end(status);
    });
    stream.on("data", (chunk: Buffer) => end(`${status}, ${chunk.toString("latin1").slice(0, 7)}`));
    for (const source of [session, stream]) source.on("error", (error: Error) => end(error.message));
  });
}
