/** Watches that share connections: a thousand of their own, by TLS, would be hundreds of megabytes. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";

/** The API server speaks no HTTP/2. */
export class NoHttp2 extends Error {}

/** Resolves when the watch has ended, or was refused; rejects where the connection fails, by `NoHttp2` where it never can. */
export type SharedWatch = (path: string, ring: () => void, signal: AbortSignal) => Promise<void>;

/** How many the API server lets one connection have at once. */
const mostAtOnce = 100;

/** How often the API server must show that it is there: one that went away without a word would never ring. */
const askedEveryMs = 10_000;

interface Connection {
  readonly session: ClientHttp2Session;
  watches: number;
  speaksHttp2: boolean;
}

/**
 * @param server address of the API server
 * @param folder with `token` and `ca.crt`
 */
export function sharedWatches(
  server: string,
  folder: string,
  userAgent: string,
  everyMs = askedEveryMs,
): SharedWatch {
  const open = new Set<Connection>();
  const begin = (): Connection => {
    const session = connect(server, { ca: readFileSync(`${folder}/ca.crt`) });
    const connection = { session, watches: 0, speaksHttp2: true };
    open.add(connection);
    // One that knows it not refuses what is offered, or does not take it up.
    session.on("error", ({ code }: NodeJS.ErrnoException) => {
      connection.speaksHttp2 &&= code !== "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL";
    });
    session.on("connect", () => {
      connection.speaksHttp2 = !session.encrypted || session.alpnProtocol === "h2";
      if (!connection.speaksHttp2) session.destroy(new NoHttp2());
    });
    for (const event of ["error", "goaway", "close"]) session.on(event, () => open.delete(connection));
    let isThere = true;
    const ask = setInterval(() => {
      if (!isThere) return session.destroy(new Error("the API server does not answer"));
      isThere = false;
      session.ping(() => (isThere = true));
    }, everyMs);
    session.on("close", () => clearInterval(ask));
    return connection;
  };
  return async (path, ring, signal) => {
    const connection = [...open].find(({ watches }) => watches < mostAtOnce) ?? begin();
    connection.watches += 1;
    const authorization = `Bearer ${readFileSync(`${folder}/token`, "utf8").trim()}`;
    const headers = { ":path": path, authorization, "user-agent": userAgent };
    try {
      const stream = connection.session.request(headers, { signal });
      // What is waited for rejects; an error that comes later is nobody's.
      stream.on("error", () => undefined);
      const [{ ":status": status }] = await once(stream, "response");
      if (status !== 200) return void stream.close();
      // What happened before.
      ring();
      stream.on("data", ring);
      await once(stream, "end");
    } catch (error) {
      throw connection.speaksHttp2 ? error : new NoHttp2();
    } finally {
      connection.watches -= 1;
      if (connection.watches === 0) {
        open.delete(connection);
        connection.session.close();
      }
    }
  };
}
