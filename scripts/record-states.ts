/**
 * `sh scripts/run record-states [case …]`, inside a lab or with KUBECONFIG: brings up each case of
 * `scripts/lib/engine/recorded.ts`, keeps its state in `test/recorded/<case>/`, and removes it again. Run it before a
 * release, whose states the next one is then tested against.
 */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigMap } from "@pulumi/pulumi/automation/index.js";
import { imageRef, lineProgress } from "../packages/lab/src/index.ts";
import { inlineStack, pulumiTools } from "../packages/lab/src/pulumi.ts";
import { type RecordedName, recordedCases, recordedPassphrase } from "./lib/engine/recorded.ts";
import { recordedText } from "./lib/recorded-state.ts";
import {
  labPlatform,
  labTeam,
  openStorage,
  ProjectCopy,
  plainOutputs,
  setPaths,
} from "./lib/stacks/stacks.ts";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const secret = (value: string) => ({ value, secret: true });
const seed = secret("only-for-tests-0123456789abcdef0123456789abcdef");
const plain = (values: Record<string, string>): ConfigMap =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));

/** Configuration of the examples, with images that a lab has. */
const examples: Partial<Record<RecordedName, ConfigMap>> = {
  minimal: {
    ...plain({ image: imageRef("devcontainer"), "authorizedKeys[0]": key }),
    hostKeySeed: seed,
  },
  storage: {
    ...plain({
      "images.container": imageRef("devcontainer"),
      "images.tools": imageRef("busybox"),
      "images.proxy": imageRef("proxyv2"),
      "images.dufs": imageRef("dufs"),
      "authorizedKeys[0]": key,
    }),
    hostKeySeed: seed,
    alicePassword: secret("only-for-tests-alice"),
  },
  "frp-without-istio": {
    ...plain({
      image: imageRef("devcontainer"),
      frpsImage: imageRef("frps"),
      frpcImage: imageRef("frpc"),
      authorizerImage: imageRef("programs"),
      "apiServer[0].cidr": "0.0.0.0/0",
      "authorizedKeys[0]": key,
    }),
    hostKeySeed: seed,
    frpSeed: seed,
  },
};

/** Keeps a stack that is up. Its state comes from the backend's own file, in which secrets are encrypted. */
async function keep(name: RecordedName, backend: string, stackFile: string): Promise<void> {
  const { project } = recordedCases[name];
  const folder = join("test/recorded", name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "Pulumi.yaml"), `name: ${project}\nruntime: nodejs\n`);
  await cp(stackFile, join(folder, `Pulumi.${name}.yaml`));
  const text = await readFile(join(backend, ".pulumi/stacks", project, `${name}.json`), "utf8");
  const { version, checkpoint } = JSON.parse(text);
  const state = { version, deployment: checkpoint.latest };
  await writeFile(join(folder, "state.json"), recordedText(state));
  console.log(`${name}: recorded`);
}

async function recordExample(name: RecordedName, config: ConfigMap): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `drawbridge-record-${name}-`));
  const { project, program } = recordedCases[name];
  await writeFile(join(folder, "Pulumi.yaml"), `name: ${project}\nruntime: nodejs\n`);
  const stack = await inlineStack(await pulumiTools(lineProgress()), {
    stack: name,
    project,
    program: program(folder),
    workDir: folder,
    backend: join(folder, "backend"),
    passphrase: recordedPassphrase,
  });
  await stack.setAllConfig(config, true);
  try {
    await stack.up();
    await keep(name, join(folder, "backend"), join(folder, `Pulumi.${name}.yaml`));
  } finally {
    await stack.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A team that the platform makes. */
const teamWithRoot = {
  "platform.teams.team-rec-b.deployers.groups[0]": "team-rec-b-deployers",
  "platform.teams.team-rec-b.limits.default.memory": "256Mi",
  "platform.teams.team-rec-b.allowedPrivateNetworks[0]": "10.1.0.0/16",
  "platform.teams.team-rec-b.root.containersInside": "true",
};

/** Platform and team-a together, since the team needs the platform's outputs. */
async function recordStacks(): Promise<void> {
  const project = await ProjectCopy.create({ cluster: true });
  const namespaces = await project.rename("rec");
  const platform = await project.open("platform");
  const team = await project.open("team-a");
  try {
    await project.setSecrets(platform);
    await project.setSecrets(team);
    await setPaths(platform, { ...labPlatform, ...teamWithRoot });
    await setPaths(team, { ...labTeam, "team.containers.dev1.authorizedKeys[0]": key });
    await openStorage(team);
    await platform.up();
    await setPaths(team, await plainOutputs(platform));
    await team.up();
    await keep("platform", project.backend, project.fileOf("platform"));
    await keep("team-a", project.backend, project.fileOf("team-a"));
  } finally {
    await team.destroy();
    await platform.destroy();
    const teams = [namespaces.team, "team-rec-b"];
    spawnSync("kubectl", ["delete", "namespace", ...teams, "--ignore-not-found", "--wait=false"]);
    await project.remove();
  }
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
if (isWanted("platform") || isWanted("team-a")) await recordStacks();
for (const [name, config] of Object.entries(examples)) {
  if (isWanted(name)) await recordExample(name as RecordedName, config);
}
