/** The steps from a gateway's name to an open CONNECT tunnel; each tells its own faults in words. */
import net from "node:net";
import type tls from "node:tls";
import { isExpected, Step, WayError } from "../faults.ts";
import { askForTunnel, authorityOf, isAccepted, TooLate } from "./connect-request.ts";
import type { DialFault as Fault } from "./connect-to.ts";
import { dialOut, stepTimeoutMs } from "./outward.ts";
import type { Gateway, GatewayTls } from "./via.ts";

/** The gateway's IP address. */
export async function resolveGateway({ address }: Gateway): Promise<string> {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  try {
    return (await lookup(address)).address;
  } catch (error) {
    throw notResolved(address, error as Fault);
  }
}

function notResolved(address: string, { code }: Fault): WayError {
  return new WayError(
    Step.dns,
    `the name ${address} cannot be resolved (${code}); check its spelling, the DNS record of the gateway, and whether you need the VPN`,
  );
}

export async function dialTcp(gateway: Gateway): Promise<net.Socket> {
  const { address, port, tls } = gateway;
  try {
    return watched(await dialOut(tls === undefined ? "http" : "https", address, port));
  } catch (error) {
    if (isExpected(error)) throw error;
    throw explainTcp(error as Fault, gateway);
  }
}

function explainTcp(error: Fault, { address, port }: Gateway): WayError {
  const { code, message } = error;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return notResolved(address, error);
  if (code === "ECONNREFUSED") {
    return new WayError(
      Step.tcp,
      `${address}:${port} refuses connections; check the port, and whether the gateway runs`,
    );
  }
  if (code === "ETIMEDOUT") {
    return new WayError(
      Step.tcp,
      `${address}:${port} does not answer within ${stepTimeoutMs / 1000} s; a firewall or a LoadBalancer that is not for your network drops it`,
    );
  }
  return new WayError(Step.tcp, `${address}:${port} cannot be reached (${code ?? message})`);
}

/**
 * The TLS layer, with the gateway's certificate checked: by the authorities of `--ca`, else by Node's own, and by the
 * system's if those do not know it. That takes a second connection, and spares all others the reading of the system's.
 */
export async function secure(plain: net.Socket, gateway: Gateway): Promise<net.Socket> {
  const { tls: settings } = gateway;
  if (settings === undefined) return plain;
  try {
    return await secureBy(plain, settings);
  } catch (error) {
    if (settings.ca !== undefined || !isUntrusted((error as Error).cause as Fault | undefined)) throw error;
    const { authorities } = await import("./trust.ts");
    return secureBy(await dialTcp(gateway), { ...settings, ca: authorities() });
  }
}

async function secureBy(plain: net.Socket, settings: GatewayTls): Promise<tls.TLSSocket> {
  // A third of this program's start is loading this, which a plain gateway has no use for.
  const tls = process.getBuiltinModule("node:tls");
  return new Promise((resolve, reject) => {
    const isAddress = net.isIP(settings.serverName) !== 0;
    const socket = tls.connect({
      socket: plain,
      // An address cannot be sent as SNI; the certificate is checked against it all the same.
      ...(isAddress ? {} : { servername: settings.serverName }),
      checkServerIdentity: (_name, certificate) => tls.checkServerIdentity(settings.serverName, certificate),
      ALPNProtocols: ["http/1.1"],
      ...(settings.ca === undefined ? {} : { ca: settings.ca }),
      ...(settings.client === undefined
        ? {}
        : { cert: settings.client.certificate, key: settings.client.key }),
    });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new WayError(
          Step.tls,
          `the port does not answer in TLS within ${stepTimeoutMs / 1000} s; ${plainHint}`,
        ),
      );
    }, stepTimeoutMs);
    socket.once("error", (error: Fault) => {
      clearTimeout(timer);
      plain.destroy();
      reject(Object.assign(new WayError(Step.tls, explainTls(error, settings)), { cause: error }));
    });
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      socket.removeAllListeners("error");
      resolve(watched(socket));
    });
  });
}

/** Between two steps nothing else listens for errors, and one would end the program. */
function watched<S extends net.Socket>(socket: S): S {
  return socket.on("error", () => undefined);
}

const plainHint = "it may be a plain port: then write http:// in place of https://";

/** Whether the certificate is signed by whom nobody here knows. */
const isUntrusted = (error: Fault | undefined) =>
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/.test(
    error?.code ?? "",
  );

function explainTls(error: Fault, { serverName }: GatewayTls): string {
  if (isUntrusted(error)) {
    return `the gateway's certificate for ${serverName} is signed by an authority that is not trusted here; put it into the system's store, or pass the authority's file with --ca`;
  }
  switch (error.code) {
    case "CERT_HAS_EXPIRED":
      return `the gateway's certificate for ${serverName} has expired by your clock; ask your platform team to renew it`;
    case "CERT_NOT_YET_VALID":
      return `the gateway's certificate for ${serverName} is not valid yet; check this computer's clock`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `the gateway's certificate is not for ${serverName} (${error.reason ?? error.message}); check the name, or pass the right one with --server-name`;
  }
  if (/wrong version number|packet length too long|unknown protocol|http request/i.test(error.message)) {
    return `the port does not speak TLS; ${plainHint}`;
  }
  if (/certificate required|handshake failure|bad certificate|unknown ca/i.test(error.message)) {
    return `the gateway refuses this computer's client certificate (${error.message.split(":").at(-2) ?? error.message}); pass a valid one with --cert and --key`;
  }
  if (error.code === "ECONNRESET") {
    return `the gateway closed the TLS handshake for ${serverName}; it has no certificate for that name, or ${plainHint}`;
  }
  return `TLS with ${serverName} failed: ${error.message}`;
}

/** Asks for the tunnel; afterwards the socket carries the bytes of sshd. */
export async function requestTunnel(socket: net.Socket, host: string, port: number): Promise<void> {
  const authority = authorityOf(host, port);
  const status = await askForTunnel(socket, authority, stepTimeoutMs).catch((error: Error) => {
    socket.destroy();
    const late = `the gateway does not answer CONNECT within ${stepTimeoutMs / 1000} s`;
    throw new WayError(
      Step.connect,
      error instanceof TooLate ? late : explainClosed(error.cause as Fault | undefined),
    );
  });
  if (isAccepted(status)) return;
  socket.destroy();
  throw new WayError(Step.connect, explainStatus(status, authority), status || undefined);
}

function explainClosed(error: Fault | undefined): string {
  // A gateway that asks for a client certificate under TLS 1.3 says so only now.
  if (error !== undefined && /certificate required|bad certificate|unknown ca/i.test(error.message)) {
    return "the gateway refuses this computer without a valid client certificate; give one with --cert and --key";
  }
  return "the gateway closed the connection without an answer; it may be a TLS port (write https:// in place of http://), or no HTTP port at all";
}

/** What an answer other than 2xx means here. */
function explainStatus(status: number, authority: string): string {
  switch (status) {
    case 0:
      return "the port does not answer in HTTP; check that it is the gateway's CONNECT port";
    case 400:
      return "the gateway does not understand the request (400); it may be a TLS port: then write https:// in place of http://";
    case 403:
      return `the gateway does not let you reach ${authority} (403); ask its owner to allow your certificate or network`;
    case 404:
      return `the gateway knows no ${authority} (404); if it has moved, run drawbridge ssh-config again; else check name, namespace and port, and whether its route is deployed`;
    case 407:
    case 401:
      return `the gateway asks for credentials (${status}); this program sends none`;
    case 426:
      return "the gateway wants a newer HTTP (426); CONNECT is not enabled on this port";
    case 429:
      return "the gateway limits how often you may connect (429); wait a little, or let sessions share a connection: drawbridge ssh-config --multiplex 600";
    case 503:
      return `the gateway knows ${authority}, but nothing answers there (503); it is starting, stopped or not ready`;
    case 504:
      return `what is behind ${authority} does not answer (504)`;
  }
  return `the gateway answers ${status} to CONNECT ${authority}; check that it is the gateway's CONNECT port`;
}

/** All steps in one: a stream that speaks SSH with the container. */
export async function openTunnel(gateway: Gateway, host: string, port: number): Promise<net.Socket> {
  const socket = await secure(await dialTcp(gateway), gateway);
  await requestTunnel(socket, host, port);
  return socket;
}
