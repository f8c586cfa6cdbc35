/** Agents by which Node's http and https dial as the rest of this program does. */
import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import { dialOut } from "./outward.ts";
import { authorities } from "./trust.ts";

type Callback = (error: Error | null, stream: Duplex) => void;

class PlainAgent extends http.Agent {
  override createConnection({ host, port }: http.ClientRequestArgs, callback?: Callback): null {
    dialOut("http", host ?? "", Number(port)).then(
      (socket) => callback?.(null, socket),
      (error) => callback?.(error, undefined as never),
    );
    return null;
  }
}

class SecureAgent extends https.Agent {
  override createConnection(options: https.RequestOptions, callback?: Callback): null {
    const { ca = authorities(), host, port } = options;
    dialOut("https", host ?? "", Number(port)).then(
      (socket) => callback?.(null, tls.connect({ ...(options as tls.ConnectionOptions), ca, socket })),
      (error) => callback?.(error, undefined as never),
    );
    return null;
  }
}

/** For one request to this address. */
export const agentFor = (url: string): http.Agent =>
  url.startsWith("https:") ? new SecureAgent() : new PlainAgent();
