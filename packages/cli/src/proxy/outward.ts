/** A connection out of this computer: directly, or through the HTTP proxy that its environment names. */
import type net from "node:net";
import { Step, WayError } from "../faults.ts";
import { askForTunnel, authorityOf, isAccepted, NoAnswer, TooLate } from "./connect-request.ts";
import { connectTo, type DialFault } from "./connect-to.ts";
import { type HttpProxy, proxyFor, type Scheme } from "./env-proxy.ts";

/** How long any one step may take. */
export const stepTimeoutMs = 15_000;

/** @throws the error of a direct connection as it is, and what a proxy has against it as a fault in words */
export async function dialOut(scheme: Scheme, address: string, port: number): Promise<net.Socket> {
  const proxy = proxyFor(scheme, address, port);
  if (proxy === undefined) return connectTo(address, port, stepTimeoutMs);
  const authority = authorityOf(address, port);
  const socket = await dialProxy(proxy);
  const headers = proxy.credentials === undefined ? [] : [`Proxy-Authorization: ${proxy.credentials}`];
  const status = await askForTunnel(socket, authority, stepTimeoutMs, headers).catch((error: Error) => {
    socket.destroy();
    const silent = error instanceof TooLate ? "does not answer" : "closed the connection";
    if (error instanceof TooLate || error instanceof NoAnswer) throw fault(proxy, silent);
    throw error;
  });
  if (isAccepted(status)) return socket;
  socket.destroy();
  throw fault(proxy, refusal(status, authority, proxy));
}

async function dialProxy(proxy: HttpProxy): Promise<net.Socket> {
  const { address, port, secure, text } = proxy;
  const plain = await connectTo(address, port, stepTimeoutMs).catch(({ code, message }: DialFault) => {
    throw fault(proxy, `cannot be reached (${code ?? message}); check the variable and your network`);
  });
  plain.on("error", () => undefined);
  if (!secure) return plain;
  const { tlsOver } = await import("./trust.ts");
  return tlsOver(plain, { servername: address }).catch((error: Error) => {
    throw fault(proxy, `cannot be spoken to in TLS: ${error.message}; for a plain one write http://${text}`);
  });
}

const fault = ({ text, variable }: HttpProxy, what: string) =>
  new WayError(Step.tcp, `the proxy ${text}, which ${variable} names, ${what}`);

function refusal(status: number, authority: string, { variable, credentials }: HttpProxy): string {
  if (status === 407) {
    const cure = `write them as http://USER:PASSWORD@… in ${variable}`;
    return credentials === undefined
      ? `asks for credentials (407); ${cure}`
      : "refuses your credentials (407)";
  }
  const answer = status === 0 ? "does not answer in HTTP" : `answers ${status}`;
  return `${answer} to CONNECT ${authority}; ask its owner to allow that, or name the host in NO_PROXY if it is reached directly`;
}
