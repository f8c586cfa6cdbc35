/**
 * A loopback port for each container. Whatever speaks SSH to an address and a port gets in there, by every way that
 * `drawbridge proxy` goes, and sees the same host key.
 */
import { mkdir } from "node:fs/promises";
import net from "node:net";
import { dirname } from "node:path";
import { knownHostsLine } from "@drawbridge-iac/drawbridge/src/host/client-texts/known-hosts";
import { viaOf } from "@drawbridge-iac/drawbridge/src/host/client-texts/proxy-command";
import { readOptional, replace } from "../files.ts";
import type { KnownStacks, KnownTarget } from "../known-stacks.ts";
import { table } from "../list/table.ts";
import { firstWay } from "../proxy/first-way.ts";
import { parseVia } from "../proxy/via.ts";
import { tlsOn } from "../targets.ts";
import { withBlock } from "../user-config.ts";
import { hostAndPort } from "./loopback-ports.ts";
import { serve } from "./serve.ts";

/** The one address that every system has; containers differ by their ports. */
const loopbackAddress = "127.0.0.1";

const byPort = ({ targets, loopback: ports }: KnownStacks): Map<number, KnownTarget> =>
  new Map(targets.map((known) => [ports[hostAndPort(known.target)] ?? 0, known]));

export function portTable(stacks: KnownStacks, isServed: (port: number) => boolean = () => true): string {
  const rows = [...byPort(stacks)]
    .filter(([port]) => isServed(port))
    .map(([port, { alias, target }]) => [alias, target.user, loopbackAddress, String(port)]);
  return table([["NAME", "USER", "HOST", "PORT"], ...rows]);
}

export class LoopbackServers {
  readonly #servers = new Map<number, net.Server>();
  #containers = new Map<number, KnownTarget>();
  readonly #knownHosts: string;
  readonly #warn: (text: string) => void;

  /**
   * @param knownHosts the file in which clients look a host key up
   * @param warn gets why a port cannot be had or a connection is refused
   */
  constructor(knownHosts: string, warn: (text: string) => void) {
    this.#knownHosts = knownHosts;
    this.#warn = warn;
  }

  /** Serves these containers and no others. Open connections stay. Returns a table of what is served. */
  async follow(stacks: KnownStacks): Promise<string> {
    this.#containers = byPort(stacks);
    await this.#pinHostKeys();
    for (const [port, server] of this.#servers) {
      if (this.#containers.has(port)) continue;
      server.close();
      this.#servers.delete(port);
    }
    const missing = [...this.#containers.keys()].filter((port) => !this.#servers.has(port));
    await Promise.all(missing.map((port) => this.#listen(port)));
    return portTable(stacks, (port) => this.#servers.has(port));
  }

  async #pinHostKeys(): Promise<void> {
    const lines = [...this.#containers].flatMap(([port, { target }]) =>
      target.hostKeys.map((key) => knownHostsLine([loopbackAddress], port, key)),
    );
    try {
      await mkdir(dirname(this.#knownHosts), { recursive: true, mode: 0o700 });
      await replace(this.#knownHosts, withBlock(await readOptional(this.#knownHosts), lines.join("")));
    } catch (error) {
      const why = (error as Error).message;
      this.#warn(`no host key is written, so programs will ask about them or refuse: ${why}`);
    }
  }

  #listen(port: number): Promise<void> {
    const server = net.createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (client) => {
      void this.#serve(client, port);
    });
    return new Promise((resolve) => {
      server.once("error", (error: NodeJS.ErrnoException) => {
        const { alias = "" } = this.#containers.get(port) ?? {};
        const [why, cure] =
          error.code === "EADDRINUSE"
            ? ["another program has it, maybe a second listen", "stop that program"]
            : [error.message, "mend that"];
        this.#warn(
          `${alias} has no port: ${loopbackAddress}:${port} cannot be used (${why}); ${cure}, then run drawbridge listen again`,
        );
        resolve();
      });
      server.listen(port, loopbackAddress, () => {
        this.#servers.set(port, server);
        // Too many open files are an error here, which must not end the connections that stand.
        server.removeAllListeners("error").on("error", ({ message }) => {
          this.#warn(`${loopbackAddress}:${port} takes no more connections now: ${message}`);
        });
        resolve();
      });
    });
  }

  async #serve(client: net.Socket, port: number): Promise<void> {
    const known = this.#containers.get(port);
    if (known === undefined) return void client.destroy();
    const warn = (text: string) => this.#warn(`${known.alias}: ${text}`);
    try {
      const refusal = await serve(client, () => openWay(known, warn), warn);
      if (refusal !== undefined) warn(`a connection is refused: ${refusal}`);
    } catch (error) {
      warn((error as Error).message);
    }
  }
}

function openWay(known: KnownTarget, warn: (text: string) => void) {
  const { hostName, port, user, ways } = known.target;
  const gateway = ways.find(({ way }) => way === "gateway");
  return firstWay(
    ways.map((way) => parseVia(viaOf(way))),
    {
      host: hostName,
      port,
      user,
      // Every known target has an sshd of its own.
      ownSshd: true,
      tls: gateway === undefined ? known.tls : tlsOn(gateway, known),
      tell: () => undefined,
      warn,
    },
  );
}
