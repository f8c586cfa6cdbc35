/** Every argument of every component, set once: through the plugin, and from Python, the same objects as in TypeScript. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentProgress } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pulumiTools } from "../../packages/lab/src/pulumi.ts";
import { readPreview } from "../../packages/preview-guard/src/index.ts";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { makeSdks } from "../../scripts/release/sdks.ts";
import { type KeptSecrets, keepSecrets, pretendUp, previewDigest } from "../support/digest.ts";
import { unreachableKubeconfig } from "../support/engine.ts";
import { everyArgument, inPython, make } from "../support/every-argument.ts";
import { run } from "../support/lab.ts";
import { expectSuccess } from "../support/outsider.ts";
import { Remote, stackOf, withPlugin } from "../support/remote.ts";
import { pythonWith } from "../support/sdks.ts";

const cluster = { PULUMI_K8S_KUBECONFIG: unreachableKubeconfig, KUBECONFIG: "/nonexistent" };
const instances = everyArgument();
let folder: string;
let partly: Set<string>;

/** `<operation> <urn>` of the objects that would change, of which the made-up state has the whole. */
const changed = (changes: readonly string[]) =>
  changes.filter((change) => {
    const [op, urn = ""] = change.split(" ");
    return op !== "same" && urn.includes("$kubernetes:") && !partly.has(urn);
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-arguments-"));
  const kept: KeptSecrets = new Map();
  const program = async () => {
    keepSecrets(kept);
    for (const instance of instances) make(instance);
  };
  const { stack, remove } = await stackOf("nodejs", program, {
    backend: join(folder, "state"),
    env: cluster,
  });
  partly = await pretendUp(stack, kept);
  await remove();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("through the plugin", async () => {
  const program = async () => {
    for (const [kind, name, args] of instances) new Remote(kind, name, args);
  };
  const { stack, remove } = await stackOf("nodejs", program, {
    backend: join(folder, "state"),
    env: cluster,
  });
  try {
    const changes = readPreview(await previewDigest(stack)).map(({ op, urn }) => `${op} ${urn}`);
    expect(changes.length).toBeGreaterThan(1000);
    expect(changed(changes)).toEqual([]);
  } finally {
    await remove();
  }
});

it("from Python", async () => {
  const sdks = join(folder, "sdks");
  await makeSdks(sdks, projectVersion(), silentProgress);
  const python = await pythonWith(sdks, join(folder, "python"), projectVersion());
  const list = join(folder, "instances.json");
  await writeFile(list, JSON.stringify(instances.map(inPython)));
  const tools = await pulumiTools(silentProgress);
  const { stdout } = await expectSuccess(
    run(python, ["test/programs/languages/everything.py", list], {
      env: {
        ...tools.env,
        ...cluster,
        PATH: withPlugin(tools.env.PATH),
        PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "only for tests",
      },
      timeoutSeconds: 1800,
    }),
  );
  const changes = JSON.parse(stdout) as string[];
  expect(changes.length).toBeGreaterThan(1000);
  expect(changed(changes)).toEqual([]);
});
