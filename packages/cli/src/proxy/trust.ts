/** Whose certificates this computer trusts: Node's own list, and as other programs do, the system's. */
import net from "node:net";
import tls from "node:tls";

let all: string[] | undefined;

/**
 * Node's authorities with those of `NODE_EXTRA_CA_CERTS`, and the system's: its store, or what `SSL_CERT_FILE` and
 * `SSL_CERT_DIR` name. Reading a system's store takes long, so it is read only when it is needed.
 */
export function authorities(): string[] {
  all ??= [...new Set([...tls.getCACertificates("default"), ...tls.getCACertificates("system")])];
  return all;
}

/** TLS over an open connection, by default with all of these authorities. */
export function tlsOver(socket: net.Socket, options: tls.ConnectionOptions): Promise<tls.TLSSocket> {
  const { servername = "", ca = authorities() } = options;
  return new Promise((resolve, reject) => {
    const secured = tls.connect({
      ...options,
      ca,
      socket,
      // An address cannot be sent as SNI; the certificate is checked against it all the same.
      servername: net.isIP(servername) === 0 ? servername : "",
      checkServerIdentity:
        options.checkServerIdentity ?? ((_, shown) => tls.checkServerIdentity(servername, shown)),
    });
    secured.once("error", (error) => {
      socket.destroy();
      reject(error);
    });
    secured.once("secureConnect", () =>
      resolve(secured.removeAllListeners("error").on("error", () => undefined)),
    );
  });
}
