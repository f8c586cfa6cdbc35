import { X509Certificate } from "node:crypto";
import { connect, createServer } from "node:tls";
import { expect, it } from "vitest";
import { deriveServerCertificate } from "./certificate.ts";

const names = ["frp.frp.svc.cluster.local", "frp.frp.svc"];
const seed = "a seed that is long enough for a test";
const derived = deriveServerCertificate(seed, "frp/frp", names);

it("is the same for the same seed, and another for another seed or server", () => {
  expect(deriveServerCertificate(seed, "frp/frp", names)).toEqual(derived);
  const others = [
    deriveServerCertificate(`${seed}!`, "frp/frp", names),
    deriveServerCertificate(seed, "frp/frp2", names),
  ];
  for (const other of others) {
    expect(other.caBundle).not.toBe(derived.caBundle);
    expect(other.privateKey).not.toBe(derived.privateKey);
  }
});

it("is a server's certificate for its names, signed by a CA that is one", () => {
  const ca = new X509Certificate(derived.caBundle);
  const own = new X509Certificate(derived.certificate);
  expect([ca.ca, own.ca]).toEqual([true, false]);
  expect(own.verify(ca.publicKey)).toBe(true);
  expect(own.checkIssued(ca)).toBe(true);
  expect(own.subjectAltName).toBe("DNS:frp.frp.svc.cluster.local, DNS:frp.frp.svc");
  expect(own.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect([own.validFrom, own.validTo]).toEqual(["Jan  1 00:00:00 2026 GMT", "Jan  1 00:00:00 2056 GMT"]);
  expect(own.serialNumber).not.toBe(ca.serialNumber);
});

it("passes a TLS handshake that checks CA and name, and only that one", async () => {
  const server = createServer({ cert: derived.certificate, key: derived.privateKey }, (socket) => {
    socket.on("error", () => {});
    socket.end("hello");
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const shake = (ca: string, servername: string) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port, ca, servername }, () => {
        socket.destroy();
        resolve("accepted");
      });
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  const foreign = deriveServerCertificate(`${seed}!`, "frp/frp", names).caBundle;
  expect(await shake(derived.caBundle, "frp.frp.svc")).toBe("accepted");
  expect(await shake(derived.caBundle, "frp.other.svc")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  expect(await shake(foreign, "frp.frp.svc")).not.toBe("accepted");
  server.close();
});
