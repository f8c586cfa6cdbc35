/** Real frps, frpc and authorizer on loopback, with the configuration that the components write. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  deriveServerCertificate,
  type ServerCertificate,
} from "@drawbridge-iac/drawbridge/src/frp-server/certificate";
import {
  frpsFile,
  frpsPaths,
  frpsToml,
  metricsPasswordVariable,
  unitsFile,
} from "@drawbridge-iac/drawbridge/src/frp-server/configuration";
import { deriveMetricsPassword } from "@drawbridge-iac/drawbridge/src/frp-server/secrets";
import { frpAccessSchema } from "@drawbridge-iac/drawbridge/src/host/frpc/args";
import { type KnownFrpcPlan, planFrpc } from "@drawbridge-iac/drawbridge/src/host/frpc/plan";
import {
  frpcCaFile,
  frpcFile,
  frpcPath,
  frpcTokenVariable,
} from "@drawbridge-iac/drawbridge/src/host/frpc/toml";
import { frpsPorts } from "@drawbridge-iac/drawbridge/src/host/ways/frp";
import { parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { ensureTools } from "../../../packages/lab/src/tools/index.ts";
import { freePort } from "../free-port.ts";
import { eventually } from "../lab/lab.ts";

export const seed = "a seed of a test stack, long enough to be one";
export const suffix = "ssh.example.com";

/** A running program and what it wrote. */
export class Program {
  output = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor(file: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(file, args, {
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    this.#ended = new Promise((resolve) => this.#child.once("close", () => resolve()));
  }

  /** Waits until the output holds `text`, counted from `offset`. */
  async says(text: string, seconds = 20, offset = 0): Promise<void> {
    await eventually(
      `the output ${JSON.stringify(text)}`,
      async () => {
        if (this.output.slice(offset).includes(text)) return true;
        throw new Error(this.output.slice(-2000));
      },
      seconds,
    );
  }

  /** SIGSTOP makes it as silent as a cut network does, until SIGCONT. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.signal(signal);
    await this.#ended;
  }
}

/** frps with the authorizer beside it, as in one pod. */
export class FrpServerOnLoopback {
  readonly ports = { server: 0, connect: 0, metrics: 0, authorizer: 0, authorizerMetrics: 0 };
  readonly certificate: ServerCertificate = deriveServerCertificate(seed, "frp/frp", ["frps.test"]);
  authorizer!: Program;
  frps!: Program;
  readonly #units: Record<string, unknown>;
  #folder = "";
  #binary = "";

  private constructor(units: Record<string, unknown>) {
    this.#units = units;
  }

  static async start(units: Record<string, unknown> = {}): Promise<FrpServerOnLoopback> {
    const server = new FrpServerOnLoopback(units);
    await server.#prepare();
    await server.startAuthorizer();
    await server.startFrps();
    return server;
  }

  async #prepare(): Promise<void> {
    this.#binary = (await ensureTools(["frps"], silentProgress)).frps;
    this.#folder = await mkdtemp(join(tmpdir(), "drawbridge-frps-"));
    for (const port of Object.keys(this.ports) as (keyof typeof this.ports)[])
      this.ports[port] = await freePort();
    await mkdir(join(this.#folder, "tls"));
    await writeFile(join(this.#folder, "tls/tls.crt"), this.certificate.certificate);
    await writeFile(join(this.#folder, "tls/tls.key"), this.certificate.privateKey);
    await this.setUnits(this.#units);
    await writeFile(join(this.#folder, frpsFile), this.#toml());
  }

  /** The component's own frps.toml, with this machine's paths and ports. */
  #toml(): string {
    let toml = frpsToml().replaceAll(frpsPaths.certificate, join(this.#folder, "tls"));
    for (const port of ["server", "connect", "metrics", "authorizer"] as const) {
      toml = toml.replace(String(frpsPorts[port]), String(this.ports[port]));
    }
    return toml;
  }

  /** Replaces the platform's file, as a changed ConfigMap does. */
  async setUnits(units: Record<string, unknown>): Promise<void> {
    // All clients have one address here, and limits have tests of their own.
    const limits = { logins: null, perClient: null, perClientAndContainer: null };
    await writeFile(this.unitsFile, JSON.stringify({ domainSuffix: suffix, units, limits }));
  }

  get unitsFile(): string {
    return join(this.#folder, unitsFile);
  }

  async startAuthorizer(): Promise<void> {
    this.authorizer = new Program(process.execPath, [
      "packages/controllers/src/frp-authorizer/main.ts",
      `--port=${this.ports.authorizer}`,
      `--metrics-port=${this.ports.authorizerMetrics}`,
      `--units=${this.unitsFile}`,
    ]);
    await this.authorizer.says('"listening"');
  }

  async startFrps(): Promise<void> {
    this.frps = new Program(this.#binary, ["-c", join(this.#folder, frpsFile)], {
      [metricsPasswordVariable]: deriveMetricsPassword(seed, "frp/frp"),
    });
    await this.frps.says("frps started successfully");
  }

  /** The plan of a container's frpc for this server; a test may tamper with it. */
  frpc(namespace: string, name: string): KnownFrpcPlan {
    const plan = planFrpc(
      name,
      namespace,
      parseArgs("frp", name, frpAccessSchema, {
        server: {
          serverAddr: "127.0.0.1",
          serverName: "frps.test",
          serverPort: this.ports.server,
          address: "127.0.0.1",
          connectPort: this.ports.connect,
          caBundle: this.certificate.caBundle,
          domain: suffix,
          authorizer: { namespace: "frp", serviceAccountName: "frp" },
        },
      }),
    );
    if (plan === undefined) throw new Error("frp is not enabled");
    return plan as KnownFrpcPlan;
  }

  async stop(): Promise<void> {
    await this.frps.stop();
    await this.authorizer.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Starts frpc as its pod does, with the component's text or one that was tampered with. */
export async function startFrpc(
  toml: string,
  token: string,
  caBundle: string,
): Promise<Program & { readonly remove: () => Promise<void> }> {
  const { frpc } = await ensureTools(["frpc"], silentProgress);
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-frpc-"));
  await writeFile(join(folder, frpcCaFile), caBundle);
  await writeFile(join(folder, frpcFile), toml.replaceAll(frpcPath, folder));
  const program = new Program(frpc, ["-c", join(folder, frpcFile)], { [frpcTokenVariable]: token });
  return Object.assign(program, {
    remove: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** A stand-in for sshd: greets with its name, then echoes. */
export async function greeter(greeting: string): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.write(`${greeting}\n`);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** What a client of the CONNECT port gets: the status line, and the first line through the tunnel if it is open. */
interface Tunnel {
  readonly status: string;
  readonly greeting: string | undefined;
  readonly socket: Socket;
}

export function connectThrough(
  port: number,
  host: string,
  version = "1.1",
  address = "127.0.0.1",
): Promise<Tunnel> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address, () => {
      socket.write(`CONNECT ${host}:22 HTTP/${version}\r\nHost: ${host}:22\r\n\r\n`);
    });
    let text = "";
    const settle = () => {
      const [head, ...rest] = text.split("\r\n\r\n");
      const status = head?.split("\r\n")[0] ?? "";
      const line = rest.join("\r\n\r\n");
      if (status.includes(" 200 ") && !line.includes("\n") && !socket.destroyed) return;
      resolve({ status, greeting: status.includes(" 200 ") ? line.split("\n")[0] : undefined, socket });
    };
    socket.setTimeout(15_000, () => socket.destroy(new Error(`no answer for ${host} within 15 s`)));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\r\n\r\n")) settle();
    });
    socket.on("error", reject);
    socket.on("close", settle);
  });
}
