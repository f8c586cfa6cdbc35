/** The steps from a gateway's name to an open CONNECT tunnel; each tells its own faults in words. */
import net from "node:net";
import type tls from "node:tls";
import { Step, WayError } from "../faults.ts";
import { OneBufferSocket } from "./one-buffer.ts";
import type { Gateway, GatewayTls } from "./via.ts";

/** How long any one step may take. */
const stepTimeoutMs = 15_000;

type Fault = NodeJS.ErrnoException & { reason?: string };

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

export function dialTcp(gateway: Gateway): Promise<net.Socket> {
  const { address, port } = gateway;
  return new Promise((resolve, reject) => {
    const socket = OneBufferSocket.open({ noDelay: true, keepAlive: true }).connect({ host: address, port });
    const fail = (what: string) => {
      socket.destroy();
      reject(new WayError(Step.tcp, what));
    };
    socket.setTimeout(stepTimeoutMs, () =>
      fail(
        `${address}:${port} does not answer within ${stepTimeoutMs / 1000} s; a firewall or a LoadBalancer that is not for your network drops it`,
      ),
    );
    socket.once("error", (error: Fault) => {
      if (error.code === "ENOTFOUND" || error.code === "EAI_AGAIN") {
        reject(notResolved(address, error));
      } else if (error.code === "ECONNREFUSED") {
        fail(`${address}:${port} refuses connections; check the port, and whether the gateway runs`);
      } else fail(`${address}:${port} cannot be reached (${error.code ?? error.message})`);
    });
    socket.once("connect", () => {
      socket.setTimeout(0).removeAllListeners("error").removeAllListeners("timeout");
      resolve(watched(socket));
    });
  });
}

/** The TLS layer, with the gateway's certificate checked. */
export async function secure(plain: net.Socket, settings: GatewayTls): Promise<tls.TLSSocket> {
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
      reject(new WayError(Step.tls, explainTls(error, settings)));
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

function explainTls(error: Fault, { serverName }: GatewayTls): string {
  switch (error.code) {
    case "CERT_HAS_EXPIRED":
      return `the gateway's certificate for ${serverName} has expired by your clock; ask your platform team to renew it`;
    case "CERT_NOT_YET_VALID":
      return `the gateway's certificate for ${serverName} is not valid yet; check this computer's clock`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `the gateway's certificate is not for ${serverName} (${error.reason ?? error.message}); check the name, or give the right one with --server-name`;
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return `the gateway's certificate for ${serverName} is signed by an authority that is not trusted here; give the authority's file with --ca`;
  }
  if (/wrong version number|packet length too long|unknown protocol|http request/i.test(error.message)) {
    return `the port does not speak TLS; ${plainHint}`;
  }
  if (/certificate required|handshake failure|bad certificate|unknown ca/i.test(error.message)) {
    return `the gateway refuses this computer's client certificate (${error.message.split(":").at(-2) ?? error.message}); give a valid one with --cert and --key`;
  }
  if (error.code === "ECONNRESET") {
    return `the gateway closed the TLS handshake for ${serverName}; it has no certificate for that name, or ${plainHint}`;
  }
  return `TLS with ${serverName} failed: ${error.message}`;
}

/** Asks for the tunnel; afterwards the socket carries the bytes of sshd. */
export function requestTunnel(socket: net.Socket, host: string, port: number): Promise<void> {
  // A colon means IPv6. `net.isIPv6` compiles a pattern first, which takes a tenth of this program's start.
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const settle = (error?: WayError) => {
      clearTimeout(timer);
      socket.removeListener("data", onData).removeListener("error", onEnd).removeListener("close", onEnd);
      socket.pause();
      if (error === undefined) resolve();
      else {
        socket.destroy();
        reject(error);
      }
    };
    const timer = setTimeout(
      () =>
        settle(
          new WayError(Step.connect, `the gateway does not answer CONNECT within ${stepTimeoutMs / 1000} s`),
        ),
      stepTimeoutMs,
    );
    // "close" passes a boolean.
    const onEnd = (error?: Fault | boolean) =>
      settle(new WayError(Step.connect, explainClosed(typeof error === "object" ? error : undefined)));
    const onData = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0 && head.length < 16_384) return;
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1"))?.[1] ?? 0);
      const accepted = end >= 0 && status >= 200 && status < 300;
      settle(
        accepted
          ? undefined
          : new WayError(Step.connect, explainStatus(status, authority), status || undefined),
      );
      // The first bytes of sshd may have come along. They go back now that the socket is paused, else it would emit them at once.
      if (accepted && head.length > end + 4) socket.unshift(head.subarray(end + 4));
    };
    socket.on("data", onData).once("error", onEnd).once("close", onEnd);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  });
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
      return `the gateway knows no ${authority} (404); check name, namespace and port, and whether its route is deployed`;
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
  const plain = await dialTcp(gateway);
  const socket = gateway.tls === undefined ? plain : await secure(plain, gateway.tls);
  await requestTunnel(socket, host, port);
  return socket;
}
