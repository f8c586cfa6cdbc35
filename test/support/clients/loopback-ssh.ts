/** A real sshd and a small CONNECT gateway on loopback, for what the client does on the way to them. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { sshdBundleFolder } from "../../../scripts/lib/clients/cli.ts";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { eventually, must } from "../../../scripts/lib/lab/lab.ts";
import { TestCa } from "../lab/certificates.ts";

export interface LoopbackSshd {
  readonly port: number;
  readonly hostPublicKey: string;
  /** Private key that may log in as root. */
  readonly userKey: string;
  readonly folder: string;
  stop(): Promise<void>;
}

const ownArchitecture = process.arch === "arm64" ? "arm64" : "amd64";

/** A sshd bundle other than the one for this machine, perhaps of another architecture. */
interface OtherSshd {
  /** Folder with the archives. */
  readonly archives: string;
  readonly architecture: string;
  /** The program that runs programs of that architecture. */
  readonly emulator?: string;
}

/** Where sshd listens, if not on loopback. */
interface Listening {
  readonly addresses: readonly string[];
  readonly port: number;
  /** The command that runs another one in that network. */
  readonly inside: readonly string[];
}

/** Starts the bundle's sshd for root on a free port, or elsewhere. */
export async function startSshd(other?: OtherSshd, elsewhere?: Listening): Promise<LoopbackSshd> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-sshd-"));
  const { archives = await sshdBundleFolder(), architecture = ownArchitecture, emulator } = other ?? {};
  await must("tar", ["-xzf", join(archives, `sshd-bundle-${architecture}.tar.gz`), "-C", folder]);
  await mkdir(join(folder, "etc"));
  await writeFile(join(folder, "etc", "passwd"), "sshd:x:65534:65534::/:/bin/false\n");
  const [hostKey, userKey] = [join(folder, "host_key"), join(folder, "user_key")];
  for (const key of [hostKey, userKey])
    await must("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key]);
  const { addresses, port, inside } = elsewhere ?? {
    addresses: ["127.0.0.1"],
    port: await freePort(),
    inside: [],
  };
  const [address = ""] = addresses;
  const bin = join(folder, "bin");
  // sshd starts these two itself, and knows of no emulator.
  const helper = async (name: string) => {
    if (emulator === undefined) return join(bin, name);
    const script = join(folder, name);
    await writeFile(script, `#!/bin/sh\nexec ${emulator} ${join(bin, name)} "$@"\n`, { mode: 0o755 });
    return script;
  };
  await writeFile(
    join(folder, "sshd_config"),
    [
      ...addresses.map((one) => `ListenAddress ${one}`),
      `Port ${port}`,
      `HostKey ${hostKey}`,
      "PidFile none",
      `SshdSessionPath ${await helper("sshd-session")}`,
      `SshdAuthPath ${await helper("sshd-auth")}`,
      `AuthorizedKeysFile ${userKey}.pub`,
      "StrictModes no",
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "PerSourcePenalties no",
      "MaxStartups 1000",
      "Subsystem sftp internal-sftp",
      "",
    ].join("\n"),
  );
  const words = [...inside, emulator, join(bin, "sshd"), "-D", "-e", "-f", join(folder, "sshd_config")];
  const [program = "", ...args] = words.filter((word) => word !== undefined);
  const child = spawn(program, args, { stdio: "ignore" });
  await eventually(`sshd at ${address}`, () => canConnect(port, address), 10);
  return {
    port,
    hostPublicKey: (await readFile(`${hostKey}.pub`, "utf8")).trim(),
    userKey,
    folder,
    async stop() {
      child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function canConnect(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, address);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      resolve(true);
      socket.destroy();
    });
  });
}

/** A gateway's answer to CONNECT: an HTTP status, or the port on loopback that it leads to. */
type Route = { readonly status: number } | { readonly port: number };

export interface LoopbackGateway {
  readonly port: number;
  stop(): void;
}

/** A gateway that answers each `host:port` by a table, plain or in TLS. */
export async function startGateway(
  routes: Readonly<Record<string, Route>>,
  secure?: tls.TlsOptions,
): Promise<LoopbackGateway> {
  const sockets = new Set<net.Socket>();
  const accept = (socket: net.Socket) => {
    sockets.add(socket.on("error", () => undefined));
    let head = "";
    socket.on("data", function read(chunk: Buffer) {
      head += chunk.toString("latin1");
      // As Envoy does with what is not HTTP, for example the beginning of TLS.
      if (!head.startsWith("CONNECT".slice(0, head.length))) {
        socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
        return;
      }
      if (!head.includes("\r\n\r\n")) return;
      socket.removeListener("data", read).pause();
      const route = routes[/^CONNECT (\S+) HTTP\/1\.[01]\r\n/.exec(head)?.[1] ?? ""] ?? { status: 404 };
      if ("status" in route) {
        socket.end(`HTTP/1.1 ${route.status} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const inner = net.connect(route.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(inner).pipe(socket);
      });
      inner.on("error", () => socket.destroy()).on("close", () => socket.destroy());
      socket.on("close", () => inner.destroy());
    });
  };
  const server = secure === undefined ? net.createServer(accept) : tls.createServer(secure, accept);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** An authority with a certificate for `localhost`, one that has expired, and one for a client. */
export async function makeCertificates(folder: string) {
  const ca = await TestCa.create("test CA", folder);
  const forHost = { subject: "/CN=localhost", names: "DNS=localhost" };
  return {
    ca: ca.certFile,
    server: await ca.issue("server", forHost),
    expired: await ca.issue("expired", { ...forHost, expired: true }),
    client: await ca.issue("client", { subject: "/CN=alice", names: "URI=spiffe://example.com/user/alice" }),
  };
}
