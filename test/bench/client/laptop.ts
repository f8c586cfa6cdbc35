/** A laptop that knows N containers behind a gateway on loopback; all of them are one sshd. */
import { rm } from "node:fs/promises";
import { type SshTarget, sshTargetKind } from "@drawbridge-iac/manifests";
import { type InstalledCli, installCli } from "../../support/clients/cli.ts";
import {
  type LoopbackGateway,
  type LoopbackSshd,
  startGateway,
  startSshd,
} from "../../support/clients/loopback-ssh.ts";
import type { Removal } from "../cleanup.ts";
import { teamSize } from "../support/teams.ts";

const hostOf = (index: number) => `dev${index}.team-${Math.floor(index / teamSize)}.dev.example.com`;

export class ClientLaptop {
  readonly cli: InstalledCli;
  readonly sshd: LoopbackSshd;
  readonly gateway: LoopbackGateway;

  private constructor(cli: InstalledCli, sshd: LoopbackSshd, gateway: LoopbackGateway) {
    this.cli = cli;
    this.sshd = sshd;
    this.gateway = gateway;
  }

  static async create(most: number, later: (removal: Removal) => void): Promise<ClientLaptop> {
    const [cli, sshd] = await Promise.all([installCli(), startSshd()]);
    later(() => Promise.all([cli.remove(), sshd.stop()]));
    const routes = Array.from({ length: most }, (_, index) => [`${hostOf(index)}:22`, { port: sshd.port }]);
    const gateway = await startGateway(Object.fromEntries(routes));
    later(async () => gateway.stop());
    return new ClientLaptop(cli, sshd, gateway);
  }

  /** The stack's outputs with the first `count` containers. */
  outputs(count: number): string {
    const targets = Array.from({ length: count }, (_, index): SshTarget => {
      const way = {
        way: "gateway",
        address: "127.0.0.1",
        port: this.gateway.port,
        tls: false,
        mutual: false,
      };
      return {
        kind: sshTargetKind,
        name: `dev${index}`,
        namespace: `team-${Math.floor(index / teamSize)}`,
        user: "root",
        hostName: hostOf(index),
        port: 22,
        hostKeys: [this.sshd.hostPublicKey],
        ways: [way] as SshTarget["ways"],
        home: "/root",
      };
    });
    return JSON.stringify({ targets: targets.map((target) => JSON.stringify(target)) });
  }

  /** Forgets all containers. */
  async forget(): Promise<void> {
    await rm(`${this.cli.home}/.ssh`, { recursive: true, force: true });
  }

  /** A program of ours, which must end well; the seconds that it took, and what it said. */
  async time(args: readonly string[], input = ""): Promise<{ seconds: number; stdout: string }> {
    const began = performance.now();
    const { code, stdout, stderr } = await this.cli.run(args, { input, timeoutSeconds: 1800 });
    if (code !== 0) throw new Error(`drawbridge ${args.join(" ")}: ${stderr.trim()}${stdout.slice(-200)}`);
    return { seconds: (performance.now() - began) / 1000, stdout };
  }
}
