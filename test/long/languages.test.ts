/** The same team from TypeScript, Python and Go, on a cluster. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DevContainer, SshGateway, StorageAccessor } from "@drawbridge-iac/drawbridge";
import { imageRef } from "@drawbridge-iac/lab";
import { teamNamespace } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drainSeconds, testDomain, testSeed } from "../support/cluster.ts";
import { eventually, kubectl, Laptop, run } from "../support/lab.ts";
import { expectSuccess } from "../support/outsider.ts";
import { stackOf } from "../support/remote.ts";
import {
  programs as folderOfPrograms,
  goWith,
  languageEnv,
  programFiles,
  pythonWith,
  sdksIn,
} from "../support/sdks.ts";

const namespace = "team-languages";
const gateway = "gw-languages";

let folder: string;
let laptop: Laptop;
let programs: Record<string, { readonly command: string; readonly args: readonly string[] }>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-languages-"));
  laptop = await Laptop.create("languages");
  const sdks = await sdksIn(folder);
  const python = await pythonWith(sdks, join(folder, "python"));
  const files = await programFiles("operate.go", "team.go");
  const { folder: module, go } = await goWith(sdks, join(folder, "go"), files);
  await expectSuccess(go("build", "-o", "team", "."));
  programs = {
    Python: { command: python, args: [resolve(folderOfPrograms, "team.py")] },
    Go: { command: join(module, "team"), args: [] },
  };
  const object = teamNamespace(namespace, ["10.244.0.0/16"]);
  await kubectl(["apply", "-f", "-"], JSON.stringify(object));
});

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"]);
  await rm(folder, { recursive: true, force: true });
  await laptop.remove();
});

const given = (greeting: string) => ({
  gateway,
  namespace,
  images: { proxy: "auto", container: imageRef("devcontainer") },
  keys: [laptop.publicKey],
  seed: testSeed,
  greeting,
});

interface Result {
  readonly changes: Record<string, number>;
  readonly outputs: Record<string, string>;
}

/** Runs an operation of a language's program against the state in `backend`; returns what it prints. */
async function operation(
  language: string,
  backend: string,
  name: string,
  greeting: string,
  more: Record<string, string> = {},
): Promise<string> {
  const { command, args } = programs[language]!;
  const { stdout } = await expectSuccess(
    run(command, [...args, name], {
      env: {
        ...(await languageEnv(backend)),
        ...more,
        DRAWBRIDGE_TEAM: JSON.stringify(given(greeting)),
      },
      timeoutSeconds: 900,
    }),
  );
  return stdout;
}

async function up(language: string, backend: string, greeting = "hello"): Promise<Result> {
  return JSON.parse(await operation(language, backend, "up", greeting)) as Result;
}

/** How many resources a preview would make, change or leave alone. */
async function plan(language: string, backend: string): Promise<Record<string, number>> {
  const digest = await operation(language, backend, "preview", "hello", { PULUMI_OPTION_JSON: "true" });
  return JSON.parse(digest.slice(digest.indexOf("{"))).changeSummary;
}

/** The same team in TypeScript, its components in the program. */
async function team(): Promise<Record<string, unknown>> {
  const { images, keys, seed, greeting } = given("hello");
  const ingress = new SshGateway(gateway, {
    domain: testDomain,
    image: images.proxy,
    replicas: 1,
    drainSeconds,
    loadBalancer: { preset: "generic" },
  });
  const storage = new StorageAccessor("models", { namespace, size: "64Mi" });
  const { name } = storage.ref;
  const container = new DevContainer(
    "dev1",
    {
      namespace,
      image: images.container,
      authorizedKeys: keys,
      hostKey: { seed: pulumi.secret(seed) },
      ssh: { mode: "image" },
      resources: { memory: "256Mi", requests: { cpu: "50m" } },
      home: { size: "64Mi" },
      env: { GREETING: greeting },
      access: { gateway: ingress.ref },
      storage: [{ from: { name, namespace, claimName: storage.claimName }, mountPath: "/models" }],
    },
    { dependsOn: [ingress, storage] },
  );
  const { sshConfig, knownHosts, sshTarget, status } = container;
  return { sshConfig, knownHosts, sshTarget, phase: status.phase, claimName: storage.claimName };
}

async function login(outputs: Result["outputs"], command: string): Promise<string> {
  await laptop.configure(outputs.sshConfig ?? "", outputs.knownHosts ?? "");
  const outcome = await eventually(
    "a login",
    async () => {
      const tried = await laptop.ssh(["dev1", command]);
      if (tried.code === 255) throw new Error(tried.stderr);
      return tried;
    },
    120,
  );
  return outcome.stdout;
}

describe.each(["Python", "Go"])("a team in %s", (language) => {
  let backend: string;
  beforeAll(async () => {
    backend = await mkdtemp(join(folder, "state-"));
  });

  it("is previewed, brought up, logged into, edited, left unchanged and destroyed", async () => {
    const planned = await plan(language, backend);
    const made = await up(language, backend);
    expect(made.changes).toEqual(planned);
    expect(made.outputs.phase).toBe("Ready");
    expect(await login(made.outputs, "echo $GREETING")).toBe("hello\n");

    const edited = await up(language, backend, "good day");
    expect(edited.changes.update).toBeGreaterThan(0);
    expect(Object.keys(edited.changes).sort()).toEqual(["same", "update"]);
    expect(await login(edited.outputs, "echo $GREETING")).toBe("good day\n");

    const again = await up(language, backend, "good day");
    expect(Object.keys(again.changes)).toEqual(["same"]);
    await operation(language, backend, "destroy", "hello");
    const left = await kubectl(["-n", namespace, "get", "statefulset", "-o", "name"]);
    expect(left).toBe("");
    // Data outlives a stack, and the next language makes the same claims.
    await kubectl(["-n", namespace, "delete", "pvc", "--all"]);
  });
});

describe("a stack that TypeScript made", () => {
  it("previews no change from Python and from Go, with the same outputs", async () => {
    const backend = await mkdtemp(join(folder, "state-"));
    const { stack, remove } = await stackOf("nodejs", team, { backend });
    try {
      const { outputs } = await stack.up();
      for (const language of ["Python", "Go"]) {
        const planned = await plan(language, backend);
        expect([language, Object.keys(planned)]).toEqual([language, ["same"]]);
        const unchanged = await up(language, backend);
        expect([language, Object.keys(unchanged.changes)]).toEqual([language, ["same"]]);
        const plain = Object.entries(outputs).map(([name, { value }]) => [name, value]);
        expect(unchanged.outputs).toEqual(Object.fromEntries(plain));
      }
    } finally {
      await stack.destroy();
      await remove();
    }
  });
});
