/**
 * What a program in Python or Go meets in its life: wrong arguments, values that are known later, secrets, objects that
 * exist already, an end by force, and an SDK of another version. The API server here is real, and has no nodes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DevContainer, FrpServer } from "@drawbridge-iac/drawbridge";
import { ensureTools, silentProgress } from "@drawbridge-iac/lab";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { type ApiServer, startApiServer } from "../../scripts/lib/engine/api-server.ts";
import { previewDigest } from "../../scripts/lib/engine/digest.ts";
import { noCluster, takesOver } from "../../scripts/lib/engine/engine.ts";
import { asEvents, outputsIn, plannedIn, stackOf, withoutSources } from "../../scripts/lib/engine/remote.ts";
import {
  goWith,
  languageEnv,
  programFiles,
  programs,
  pythonWith,
  runToFile,
  sdksIn,
} from "../../scripts/lib/engine/sdks.ts";
import { eventually, expectSuccess, run } from "../../scripts/lib/lab/lab.ts";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { releasedSchema } from "../../scripts/release/sdks.ts";

const version = projectVersion();
const sameVersion = "the SDK and the plugin must have the same version";
const image = "registry.example.com/team/image:1.0.0";
const frpSeed = "only-for-tests-frp-0123456789abcdef0123456789";

const folder = temporaryFolder();
let python: string;
let api: ApiServer;
/** The words that start the programs, by language. */
let started: Record<string, string[]>;

beforeAll(async () => {
  const sdks = await sdksIn(folder);
  python = await pythonWith(sdks, join(folder, "python"));
  const module = await goWith(sdks, join(folder, "go"), await programFiles("life.go", "operate.go"));
  await expectSuccess(module.go("vet", "."));
  await expectSuccess(module.go("build", "-o", "life", "."));
  started = { Python: [python, resolve(programs, "life.py")], Go: [join(module.folder, "life")] };
  api = await startApiServer();
  await api.kubectl(["create", "namespace", "team-a"]);
});
afterAll(async () => {
  await api?.stop();
});

/** A project of a language with a state of its own, and ways to run an operation of one of the programs there. */
async function projectOf(language: string, name: string) {
  const project = join(folder, `${language}-${name}`);
  await mkdir(project, { recursive: true });
  await writeFile(
    join(project, "Pulumi.yaml"),
    `name: drawbridge-test\nruntime: ${language.toLowerCase()}\n`,
  );
  const env = async (more: object) => ({ ...(await languageEnv(join(project, "state"))), ...more });
  const words = (program: string, operation: string) => [
    ...(started[language] ?? []),
    project,
    program,
    operation,
  ];
  const options = (more: object) => env(more).then((all) => ({ folder, cwd: project, env: all }));
  return {
    /** Without a cluster. */
    async preview(program: string, more: Readonly<Record<string, string>> = {}) {
      return runToFile(words(program, "preview"), await options({ ...noCluster, ...more }));
    },
    /** On the API server. */
    async operate(program: string, operation: string) {
      return runToFile(words(program, operation), await options({ KUBECONFIG: api.kubeconfigs.admin }));
    },
    /** Starts an operation that can be ended by force, with everything that it started. */
    async begin(program: string, operation: string) {
      const [command = "", ...args] = words(program, operation);
      const all = { ...process.env, ...(await env({ KUBECONFIG: api.kubeconfigs.admin })) };
      const child = spawn(command, args, { cwd: project, env: all, detached: true, stdio: "ignore" });
      const ended = once(child, "exit");
      return async () => {
        process.kill(-(child.pid as number), "SIGKILL");
        await ended;
      };
    },
  };
}

const changesIn = (said: { stdout: string }) => JSON.parse(said.stdout).changes as Record<string, number>;

/** The faults that the engine shows, each once. */
function faultsIn({ stdout, stderr }: { stdout: string; stderr: string }): string[] {
  const lines = `${stdout}${stderr}`.matchAll(/^ *- ([\w.[\]]+: .*)$/gm);
  return [...new Set([...lines].map(([, fault = ""]) => fault))];
}

const keyTypes =
  "allowed: ssh-ed25519, sk-ssh-ed25519@openssh.com, ecdsa-sha2-nistp256, ecdsa-sha2-nistp384, ecdsa-sha2-nistp521, sk-ecdsa-sha2-nistp256@openssh.com, ssh-rsa";

const faults: Record<string, string[]> = {
  Python: [
    "access.gateway.domain: is missing; set it to a string",
    "authorizedKeys[0]: is empty; set it to a string, or leave it out",
    `authorizedKeys[1]: does not start with a key type; ${keyTypes}`,
    "hostKey: is missing; set its seed (derived per container) or privateKey (your own ed25519 key)",
    'namespace: must be a string, not 7; put it in quotes: "7"',
    'ssh: unknown key "colour"; known: mode, image, port, resources, loginGraceSeconds, maxStartups, userCa, sessionsValidFrom',
    'ssh.port: must be a whole number, not the text "22"; remove the quotes',
  ],
  Go: [
    "access.gateway.domain: is missing; set it to a string",
    "authorizedKeys[0]: is empty; set it to a string, or leave it out",
    `authorizedKeys[1]: does not start with a key type; ${keyTypes}`,
    "hostKey: is missing; set its seed (derived per container) or privateKey (your own ed25519 key)",
    'namespace: "" is not a DNS label; use at most 63 lower-case letters, digits and inner hyphens',
    "ssh.port: 0 is not a port; use a whole number from 1 to 65535",
  ],
};

describe.each(["Python", "Go"])("in %s", (language) => {
  it("unknown and missing arguments, wrong types and nothing at all are faults, said at once", async () => {
    const said = await (await projectOf(language, "wrong")).preview("wrong");
    expect(said.code).not.toBe(0);
    expect(faultsIn(said)).toEqual(faults[language]);
    const text = `${said.stdout}${said.stderr}`;
    expect(text).toContain(`DevContainer "dev1": ${faults[language]?.length} faults in its arguments`);
    expect(text).not.toMatch(/\.[cm]?[jt]s:\d+:\d+|node:internal/);
    // Only what one of the two does not know may come of two versions.
    expect(text.includes(sameVersion)).toBe(language === "Python");
  });

  it("a required argument that is missing is the SDK's to refuse", async () => {
    const said = await (await projectOf(language, "missing")).preview("missing");
    expect(said.code).not.toBe(0);
    expect(`${said.stdout}${said.stderr}`).toContain(
      language === "Python"
        ? "TypeError: Missing required property 'namespace'"
        : "invalid value for required argument 'Image'",
    );
  });

  it("outputs and secrets go in, and secrets come out, as in TypeScript", async () => {
    const project = await projectOf(language, "secrets");
    const { stdout } = await expectSuccess(project.preview("secrets", { PULUMI_OPTION_JSON: "true" }));
    const { stack, remove } = await stackOf("nodejs", async () => withSecrets(), { env: noCluster });
    const expected = plannedIn(await previewDigest(stack));
    const outputs = outputsIn(await previewDigest(stack, asEvents));
    await remove();
    const found = plannedIn(stdout);
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    const objects = [...expected].filter(([urn]) => urn.includes("kubernetes:"));
    expect(objects.length).toBeGreaterThan(10);
    for (const [urn, object] of objects) {
      expect([urn, withoutSources(found.get(urn))]).toEqual([urn, withoutSources(object)]);
    }
    const json = { PULUMI_OPTION_JSON: "true", ...asEvents };
    const events = await expectSuccess(project.preview("secrets", json));
    expect(outputsIn(events.stdout)).toEqual(outputs);
    const [password] = [...outputs].flatMap(([urn, of]) => (urn.includes("pulumi:Stack") ? [of] : []));
    expect(JSON.stringify(password)).toMatch(/^\{"password":\{.*"ciphertext":"\[secret\]"\}\}$/);
    expect(events.stdout).not.toContain(frpSeed);
    expect(stdout).not.toContain(frpSeed);
  });

  it("an object that is there already can be taken over, by `import` in a transform", async () => {
    const project = await projectOf(language, "import");
    const claims = () => api.kubectl(["get", "pvc", "-n", "team-a", "-o", "name"]);
    expect(changesIn(await expectSuccess(project.operate("claim", "up")))).toEqual({ create: 3 });
    await expectSuccess(project.operate("claim", "destroy"));
    expect(await claims()).toBe("persistentvolumeclaim/models-storage\n");
    const uid = ["get", "pvc", "-n", "team-a", "models-storage", "-o", "jsonpath={.metadata.uid}"];
    const before = await api.kubectl(uid);

    const again = await project.operate("claim", "up");
    if (await takesOver()) {
      expect(changesIn(again)).toEqual({ create: 3 });
      expect(await api.kubectl(uid)).toBe(before);
      await expectSuccess(project.operate("claim", "destroy"));
    } else {
      expect(again.code).not.toBe(0);
      expect(`${again.stdout}${again.stderr}`).toContain('"models-storage" already exists');
    }

    expect(changesIn(await expectSuccess(project.operate("imported", "up"))).import).toBe(1);
    expect(await api.kubectl(uid)).toBe(before);
    // Without the transform from then on.
    expect(changesIn(await expectSuccess(project.operate("claim", "up")))).toEqual({ same: 3 });
    await expectSuccess(project.operate("claim", "destroy"));
    await api.kubectl(["delete", "pvc", "-n", "team-a", "models-storage"]);
  });

  it("a stack whose program was killed is locked until it is cancelled, and works then", async () => {
    const project = await projectOf(language, "cancel");
    const kill = await project.begin("waiting", "up");
    try {
      await eventually("the Job", () => api.kubectl(["get", "job", "-n", "team-a", "waited-prepare-1"]), 240);
    } finally {
      await kill();
    }
    const locked = await project.operate("claim", "up");
    expect(locked.code).not.toBe(0);
    expect(`${locked.stdout}${locked.stderr}`).toContain("the stack is currently locked by 1 lock(s)");
    await expectSuccess(project.operate("claim", "cancel"));
    expect(changesIn(await expectSuccess(project.operate("claim", "up"))).create).toBe(2);
    await expectSuccess(project.operate("claim", "destroy"));
    await api.kubectl(["delete", "job,pvc", "-n", "team-a", "--all"]);
  });
});

/** The program `secrets`. */
function withSecrets(): pulumi.Inputs {
  const frp = new FrpServer("frp", {
    domain: "ssh.example.com",
    seed: pulumi.secret(frpSeed),
    authorizer: { image },
    egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
    loadBalancer: { preset: "generic" },
  });
  new DevContainer("dev1", {
    namespace: "team-a",
    image: frp.address.apply(() => image),
    ssh: { mode: "none" },
    secretEnv: { PASSWORD: frp.metricsPassword },
  });
  return { password: frp.metricsPassword };
}

describe("an SDK of another version", () => {
  interface Released {
    readonly resources: Record<string, { inputProperties: Record<string, object> }>;
  }

  /** Previews a call in Python with an SDK made of a changed schema. */
  async function previewWith(name: string, change: (schema: Released) => void, call: string) {
    const { "sdk-generator": generator } = await ensureTools(["sdk-generator"], silentProgress);
    const work = join(folder, name);
    await mkdir(work);
    const schema = releasedSchema("0.0.9") as Released;
    change(schema);
    await writeFile(join(work, "schema.json"), JSON.stringify(schema));
    await expectSuccess(run(generator, ["generate", join(work, "schema.json"), work]));
    const installed = join(work, "installed");
    await cp(join(work, "python/pulumi_drawbridge"), join(installed, "pulumi_drawbridge"), {
      recursive: true,
    });
    const program = join(work, "program.py");
    await writeFile(program, `import pulumi_drawbridge as drawbridge\ndrawbridge.${call}\n`);
    await writeFile(join(work, "Pulumi.yaml"), "name: drawbridge-test\nruntime: python\n");
    const env = { ...(await languageEnv(join(work, "state"))), ...noCluster, PYTHONPATH: installed };
    const words = [python, resolve(programs, "example.py"), program, work];
    const { code, stdout, stderr } = await runToFile(words, { folder, cwd: work, env });
    return { code, text: `${stdout}${stderr}` };
  }

  const container = `DevContainer("dev1", namespace="team-a", image="${image}", ssh={"mode": "none"}`;

  it("that knows less is enough for what it knows", async () => {
    const lacking = ({ resources }: Released) => {
      delete resources["drawbridge:index:DevContainer"]?.inputProperties.running;
    };
    const { code, text } = await previewWith("older", lacking, `${container})`);
    expect({ code, faults: text.includes("fault") }).toEqual({ code: 0, faults: false });
    expect(text).toContain("drawbridge:index:DevContainer dev1 create");
  });

  it("that knows an argument more is told so in one sentence", async () => {
    const more = ({ resources }: Released) => {
      Object.assign(resources["drawbridge:index:DevContainer"]?.inputProperties ?? {}, {
        colour: { type: "string", plain: true },
      });
    };
    const { code, text } = await previewWith("newer", more, `${container}, colour="red")`);
    expect(code).not.toBe(0);
    expect(text).toMatch(/ - \(arguments\): unknown key "colour"; known: /);
    expect(text).toContain(`This is the plugin of drawbridge ${version}; ${sameVersion}.`);
  });

  it("that knows a component more is told so in one sentence", async () => {
    const more = ({ resources }: Released) => {
      const known = resources["drawbridge:index:TeamMembers"];
      if (known !== undefined) resources["drawbridge:index:Telescope"] = known;
    };
    const { code, text } = await previewWith("other", more, 'Telescope("far", namespace="team-a")');
    expect(code).not.toBe(0);
    expect(text).toContain(
      `there is no component drawbridge:index:Telescope in drawbridge ${version}; ${sameVersion}`,
    );
    expect(text).not.toMatch(/\.[cm]?[jt]s:\d+:\d+|node:internal/);
  });
});
