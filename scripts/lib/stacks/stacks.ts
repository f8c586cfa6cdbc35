/** The stacks that ship, as copies that a test may write to, on a file backend of its own. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigMap, Stack } from "@pulumi/pulumi/automation/index.js";
import { program } from "../../../packages/drawbridge/src/stacks/program/index.ts";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { inlineStack, pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { unreachableKubeconfig } from "../engine/engine.ts";

export type StackName = "platform" | "team-a" | "team-gpu";

/** Secrets of the test stacks, which must not show up in plain anywhere. */
export const stackSecrets = {
  hostKeySeed: "engine-test-seed-0123456789abcdef0123456789",
  frpSeed: "engine-test-frp-seed-0123456789abcdef01234567",
  password: "engine-test-password-0123456789",
} as const;

/** The namespaces of a renamed project. */
export type ProjectNamespaces = Record<"gateway" | "frp" | "files" | "team" | "gpu", string>;

/** A copy of the project folder. */
export class ProjectCopy {
  readonly folder: string;
  readonly #env: Record<string, string>;

  private constructor(folder: string, env: Record<string, string>) {
    this.folder = folder;
    this.#env = env;
  }

  /** @param cluster whether the cluster of KUBECONFIG is used, instead of one out of reach */
  static async create({ cluster }: { cluster: boolean }): Promise<ProjectCopy> {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-stacks-"));
    await mkdir(join(folder, "stacks"));
    await cp("Pulumi.yaml", join(folder, "Pulumi.yaml"));
    for (const file of ["Pulumi.platform.yaml", "Pulumi.team-a.yaml", "Pulumi.team-gpu.yaml", "main.ts"]) {
      await cp(join("stacks", file), join(folder, "stacks", file));
    }
    const nowhere = { KUBECONFIG: join(folder, "kubeconfig"), PULUMI_K8S_KUBECONFIG: unreachableKubeconfig };
    return new ProjectCopy(folder, cluster ? {} : nowhere);
  }

  get backend(): string {
    return join(this.folder, "state");
  }

  fileOf(stack: StackName): string {
    return join(this.folder, "stacks", `Pulumi.${stack}.yaml`);
  }

  /** Gives all stacks names that end in `suffix`, so that a cluster can be shared. */
  async rename(suffix: string): Promise<ProjectNamespaces> {
    const [gateway, frp, files, team, gpu] = ["ssh-ingress", "frp", "files", "team", "gpu"].map(
      (name) => `${name}-${suffix}`,
    );
    for (const stack of ["platform", "team-a", "team-gpu"] as const) {
      const text = (await readFile(this.fileOf(stack), "utf8"))
        .replaceAll("ssh-ingress", `${gateway}`)
        .replaceAll("name: frp\n", `name: ${frp}\n`)
        .replaceAll("frp.frp.svc", `${frp}.${frp}.svc`)
        .replaceAll(
          "namespace: frp, serviceAccountName: frp",
          `namespace: ${frp}, serviceAccountName: ${frp}`,
        )
        .replaceAll(/name(space)?: files\n/g, `name$1: ${files}\n`)
        .replaceAll("namespace: team-a\n", `namespace: ${team}\n`)
        .replaceAll("namespace: team-gpu\n", `namespace: ${gpu}\n`)
        .replaceAll("storageClassName: shared\n", `storageClassName: ${gpu}\n`);
      await writeFile(this.fileOf(stack), text);
    }
    return { gateway, frp, files, team, gpu } as ProjectNamespaces;
  }

  /** A stack of the project, with `run` in the place of its own program if given. */
  async open(stack: StackName, run?: () => Promise<Record<string, unknown>>): Promise<Stack> {
    return inlineStack(await pulumiTools(silentProgress), {
      stack,
      project: "drawbridge",
      program: run ?? (() => program(this.folder)),
      workDir: this.folder,
      backend: this.backend,
      passphrase: "only for tests",
      env: this.#env,
    });
  }

  /** Sets the secrets that every first `up` needs. */
  async setSecrets(stack: Stack): Promise<void> {
    const key = stack.name === "platform" ? "frpSeed" : "hostKeySeed";
    await stack.setConfig(`drawbridge:${key}`, { value: stackSecrets[key], secret: true });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** Sets many values by their paths below `drawbridge:`, with one call of the CLI. */
export function setPaths(stack: Stack, values: Readonly<Record<string, string>>): Promise<void> {
  const config: ConfigMap = {};
  for (const [path, value] of Object.entries(values)) config[`drawbridge:${path}`] = { value };
  return stack.setAllConfig(config, true);
}

/** The platform with images that the lab has, in a size that fits it. */
export const labPlatform: Readonly<Record<string, string>> = {
  "platform.gateway.replicas": "1",
  "platform.frp.image": imageRef("frps"),
  "platform.frp.authorizer.image": imageRef("programs"),
  // Fits any cluster.
  "platform.frp.egress.apiServer[0].cidr": "0.0.0.0/0",
  "platform.storageProxy.image": imageRef("proxyv2"),
  "platform.storageProxy.replicas": "1",
  "platform.storageProxy.drainSeconds": "3",
};

/** The same for a team. */
export const labTeam: Readonly<Record<string, string>> = {
  "team.storages.models.size": "64Mi",
  "team.storages.models.prepare.image": imageRef("busybox"),
  "team.storages.models.browse.image": imageRef("dufs"),
  "team.containerDefaults.image": imageRef("devcontainer"),
  "team.containerDefaults.home.size": "1Gi",
  "team.containerDefaults.resources.requests.cpu": "50m",
  "team.containerDefaults.resources.memory": "256Mi",
  "team.containerDefaults.access.frp.image": imageRef("frpc"),
};

/** The same for a team with GPUs. */
export const labGpuTeam: Readonly<Record<string, string>> = {
  "team.storages.datasets.size": "64Mi",
  "team.storages.checkpoints.size": "64Mi",
  "team.containerDefaults.image": imageRef("devcontainer"),
  "team.containerDefaults.home.size": "1Gi",
  "team.containers.trainer.resources.requests.cpu": "50m",
  "team.containers.trainer.resources.memory": "256Mi",
  "team.containers.trainer.resources.sharedMemory": "64Mi",
  "team.containers.notebook.resources.requests.cpu": "50m",
  "team.containers.notebook.resources.memory": "256Mi",
};

/** Opens the storage of team-a to alice. */
export async function openStorage(team: Stack): Promise<void> {
  const accessor = "drawbridge:team.storages.models.browse";
  await team.setConfig(`${accessor}.credentials[0].user`, { value: "alice" }, true);
  const password = { value: stackSecrets.password, secret: true };
  await team.setConfig(`${accessor}.credentials[0].password`, password, true);
  await team.setConfig(`${accessor}.enabled`, { value: "true" }, true);
}

/** The outputs of a running platform, as values that a team's file spells out. */
export async function plainOutputs(platform: Stack): Promise<Record<string, string>> {
  const outputs = await platform.outputs();
  const gateway = outputs.gateway?.value as { address: string };
  const frp = outputs.frp?.value as { address: string; caBundle: string };
  const storageProxy = outputs.storageProxy?.value as { address: string };
  return {
    "team.gateway.address": gateway.address,
    "team.frp.address": frp.address,
    "team.frp.caBundle": frp.caBundle,
    "team.storageProxy.address": storageProxy.address,
  };
}
