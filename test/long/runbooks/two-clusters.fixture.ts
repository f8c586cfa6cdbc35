/**
 * A second lab beside the one that a test runs in, and programs that reach either by the context of one kubeconfig: labs
 * have the same addresses, each in a network of its own.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { down, labLayout, silentProgress, up } from "@drawbridge-iac/lab";
import { inside } from "../../../packages/lab/src/cluster/host/processes.ts";
import { runningInit } from "../../../packages/lab/src/cluster/records.ts";
import { run } from "../../../scripts/lib/lab/lab.ts";

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: object }[];
  readonly users: readonly { readonly user: object }[];
}

export class SecondCluster {
  readonly name: string;
  /** The beginning of a command that runs in its network. */
  readonly enter: readonly string[];

  private constructor(name: string, enter: readonly string[]) {
    this.name = name;
    this.enter = enter;
  }

  static async create(name: string): Promise<SecondCluster> {
    await up({ name }, silentProgress);
    const [program = "", ...args] = inside(await runningInit(name), ["net"], []);
    return new SecondCluster(name, [program, ...args]);
  }

  /** A kubeconfig with the contexts `old` (current) and `new`. */
  async contexts(file: string): Promise<void> {
    const read = async (path: string) => JSON.parse(await readFile(path, "utf8")) as Kubeconfig;
    const both = {
      old: await read(process.env.KUBECONFIG ?? ""),
      new: await read(labLayout(this.name).kubeconfig),
    };
    const named = Object.entries(both);
    const merged = {
      apiVersion: "v1",
      kind: "Config",
      clusters: named.map(([name, { clusters }]) => ({ name, cluster: clusters[0]?.cluster })),
      users: named.map(([name, { users }]) => ({ name, user: users[0]?.user })),
      contexts: named.map(([name]) => ({ name, context: { cluster: name, user: name } })),
      "current-context": "old",
    };
    await writeFile(file, JSON.stringify(merged), { mode: 0o600 });
  }

  /** Puts a kubectl and a pulumi into a folder that run in the network of the cluster whose context they use. */
  async programs(folder: string, path: string): Promise<void> {
    const found = async (name: string) =>
      (await run("sh", ["-c", `command -v ${name}`], { env: { PATH: path } })).stdout.trim();
    const kubectl = await found("kubectl");
    const words = this.enter.map((word) => `'${word}'`).join(" ");
    for (const program of [kubectl, await found("pulumi")]) {
      const script = `#!/bin/sh
        context=$('${kubectl}' config current-context)
        case " $* " in *" --context new "*) context=new ;; *" --context old "*) context=old ;; esac
        if [ "$context" = new ]; then exec ${words} '${program}' "$@"; fi
        exec '${program}' "$@"
      `;
      await writeFile(join(folder, program.split("/").at(-1) ?? ""), script, { mode: 0o755 });
    }
  }

  async remove(): Promise<void> {
    await down(this.name);
  }
}
