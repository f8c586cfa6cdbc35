/** Watches that share connections: a thousand of their own, by TLS, would be hundreds of megabytes. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";

/** Resolves when the watch has ended, or was refused; rejects where the connection fails or speaks no HTTP/2. */
export type SharedWatch = (path: string, ring: () => void, signal: AbortSignal) => Promise<void>;

/** How many the API server lets one connection have at once. */
const mostAtOnce = 100;

/** How often the API server must show that it is there: one that went away without a word would never ring. */
const askedEveryMs = 10_000;

interface Connection {
  readonly session: ClientHttp2Session;
  watches: number;
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
    const connection = { session, watches: 0 };
    open.add(connection);
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
    } finally {
      connection.watches -= 1;
      if (connection.watches === 0) {
        open.delete(connection);
        connection.session.close();
      }
    }
  };
}
