/**
 * Every argument of every component, set once: a stack that TypeScript made is previewed from other languages, whose
 * programs plan the same objects, outputs and secrets, byte for byte, and so no change. No cluster is reached.
 */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KeptSecrets, keepSecrets, pretendUp, previewDigest } from "../support/digest.ts";
import { unreachableKubeconfig } from "../support/engine.ts";
import { everyArgument, type Instance, make, unset } from "../support/every-argument.ts";
import { containerBase } from "../support/field-edits/container-base.ts";
import { run } from "../support/lab.ts";
import { expectSuccess } from "../support/outsider.ts";
import { goProgram, pythonProgram } from "../support/program-text.ts";
import { plannedIn, stackOf } from "../support/remote.ts";
import { goWith, languageEnv, programFiles, programs, pythonWith, sdksIn } from "../support/sdks.ts";

const cluster = { PULUMI_K8S_KUBECONFIG: unreachableKubeconfig, KUBECONFIG: "/nonexistent" };
const instances = everyArgument();
/** A preview says what stays the same too. */
const whole = { PULUMI_OPTION_SHOW_SAMES: "true" };
let folder: string;
let python: string;
let module: Awaited<ReturnType<typeof goWith>>;
/** What a second preview from TypeScript plans. */
let expected: Map<string, object>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-languages-"));
  const sdks = await sdksIn(folder);
  python = await pythonWith(sdks, join(folder, "python"));
  await cp(join(programs, "operate.py"), join(folder, "operate.py"));
  module = await goWith(sdks, join(folder, "go"), {
    ...(await programFiles("operate.go")),
    "main.go": goProgram([]),
  });
  const kept: KeptSecrets = new Map();
  const program = async () => {
    keepSecrets(kept);
    for (const instance of instances) make(instance);
  };
  const backend = join(folder, "state");
  const { stack, remove } = await stackOf("nodejs", program, { backend, env: cluster });
  await pretendUp(stack, kept);
  expected = plannedIn(await previewDigest(stack, whole));
  await remove();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program of these components in a language, as the words that start it. */
const write: Record<string, (instances: readonly Instance[]) => Promise<string[]>> = {
  async Python(instances) {
    const file = join(folder, "program.py");
    await writeFile(file, pythonProgram(instances));
    return [python, file];
  },
  async Go(instances) {
    await module.write("main.go", goProgram(instances));
    await expectSuccess(module.go("build", "-o", "program", "."));
    return [join(module.folder, "program")];
  },
};

async function preview(words: readonly string[], backend: string, env: Record<string, string> = {}) {
  const [command = "", ...args] = [...words, "preview"];
  const all = { ...(await languageEnv(join(folder, backend))), ...cluster, ...env };
  return await run(command, args, { env: all, timeoutSeconds: 1800 });
}

it("the programs leave no argument out", () => {
  expect(unset(instances)).toEqual([]);
  expect(expected.size).toBeGreaterThan(1000);
});

describe.each(Object.entries(write))("in %s", (language, written) => {
  it("the same program plans the same, and no change", async () => {
    const words = await written(instances);
    const { stdout } = await expectSuccess(preview(words, "state", { PULUMI_OPTION_JSON: "true", ...whole }));
    const found = plannedIn(stdout);
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    // One by one, so that a difference can be read.
    for (const [urn, resource] of expected) expect([urn, found.get(urn)]).toEqual([urn, resource]);
  });

  it("all that is wrong is said at once, as in the program, without a stack of the plugin's", async () => {
    const args = {
      ...containerBase,
      namespace: "Team A",
      hostKey: { seed: "Qx7vN" },
      authorizedKeys: ["nonsense"],
      storage: [{ from: { name: "Models", namespace: "team-a", claimName: "models" }, mountPath: "models" }],
    };
    const words = await written([{ kind: "DevContainer", name: "dev1", args }]);
    const { code, stdout, stderr } = await preview(words, `wrong-${language}`);
    const text = `${stdout}${stderr}`;
    expect(code).not.toBe(0);
    expect(text).toContain('DevContainer "dev1": 5 faults in its arguments, nothing was created:');
    const paths = [...text.matchAll(/^ *- (\S+?): /gm)].map(([, path]) => path);
    expect([...new Set(paths)]).toEqual(wrongPaths[language]);
    expect(text).not.toMatch(/\.[cm]?[jt]s:\d+:\d+|node:internal/);
    expect(text).not.toContain("Qx7vN");
  });
});

const wrongPaths: Record<string, string[]> = {
  Python: [
    "authorized_keys[0]",
    "host_key.seed",
    "namespace",
    "storage[0].from_.name",
    "storage[0].mount_path",
  ],
  Go: ["AuthorizedKeys[0]", "HostKey.Seed", "Namespace", "Storage[0].From.Name", "Storage[0].MountPath"],
};
