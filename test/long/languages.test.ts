/** The same team from TypeScript, Python and Go, on a cluster; and a class of a company around Team, in Python. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { teamNamespace } from "@drawbridge-iac/drawbridge/src/team/namespace";
import { imageRef, silentProgress } from "@drawbridge-iac/lab";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { languagePrograms } from "../../scripts/lib/engine/language-programs.ts";
import { stackOf } from "../../scripts/lib/engine/remote.ts";
import { languageEnv, programs as languageFolder } from "../../scripts/lib/engine/sdks.ts";
import { apply, expectSuccess, kubectl, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { type Given, team } from "../programs/languages/team.ts";
import { podNetwork, testSeed } from "../support/lab/cluster.ts";

const namespace = "team-languages";
const languages = ["Python", "Go"] as const;
type Language = (typeof languages)[number];

let folder: string;
let laptop: Laptop;
let programs: Awaited<ReturnType<typeof languagePrograms>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-languages-"));
  laptop = await Laptop.create("languages");
  programs = await languagePrograms(silentProgress);
  await apply(teamNamespace(namespace, [podNetwork]));
});

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"]);
  await rm(folder, { recursive: true, force: true });
  await laptop.remove();
});

const given = (greeting: string): Given => ({
  gateway: "gw-languages",
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

/** A program, and what it reads. */
interface Program {
  readonly words: readonly string[];
  readonly given: object;
  readonly env?: Record<string, string>;
}

const teamIn = (language: Language, greeting = "hello"): Program => ({
  words: programs[language],
  given: given(greeting),
});

/** Runs an operation of a program on the stack whose state is in `backend`; returns what it prints. */
async function operation(
  { words, given, env }: Program,
  backend: string,
  name: "preview" | "up" | "destroy",
  more: Record<string, string> = {},
): Promise<string> {
  const [command = "", ...args] = words;
  const { stdout } = await expectSuccess(
    run(command, [...args, name], {
      env: { ...(await languageEnv(backend)), ...env, ...more, DRAWBRIDGE_TEAM: JSON.stringify(given) },
      timeoutSeconds: 900,
    }),
  );
  return stdout;
}

async function up(program: Program, backend: string): Promise<Result> {
  return JSON.parse(await operation(program, backend, "up")) as Result;
}

/** How many resources a preview would make, change or leave alone. */
async function plan(program: Program, backend: string): Promise<Record<string, number>> {
  const digest = await operation(program, backend, "preview", { PULUMI_OPTION_JSON: "true" });
  return JSON.parse(digest.slice(digest.indexOf("{"))).changeSummary;
}

async function login(outputs: Result["outputs"], command: string, host = "dev1"): Promise<string> {
  await laptop.configure(outputs.sshConfig ?? "", outputs.knownHosts ?? "");
  return (await laptop.login(host, command, 120)).stdout;
}

const stateOf = (name: string) => mkdtemp(join(folder, `state-${name}-`));

/** What a stack makes in a team's namespace, and what others keep there. */
function objects(place = namespace): Promise<string> {
  const kinds = [
    "statefulsets,pods,services,secrets,configmaps,networkpolicies,virtualservices.networking.istio.io",
    "roles,rolebindings,resourcequotas",
  ];
  return kubectl(["get", kinds.join(","), "-n", place, "-o", "name"]);
}

// Data outlives a stack; the next one makes claims of the same names.
afterEach(() => kubectl(["-n", namespace, "delete", "pvc", "--all"]));

describe.each(languages)("a team in %s", (language) => {
  it("is previewed, brought up, logged into, edited, left unchanged and destroyed", async () => {
    const backend = await stateOf(language);
    const before = await objects();
    const planned = await plan(teamIn(language), backend);
    const made = await up(teamIn(language), backend);
    expect(made.changes).toEqual(planned);
    expect(made.outputs.phase).toBe("Ready");
    expect(await login(made.outputs, "echo $GREETING")).toBe("hello\n");

    const edited = await up(teamIn(language, "good day"), backend);
    expect(Object.keys(edited.changes).sort()).toEqual(["same", "update"]);
    expect(await login(edited.outputs, "echo $GREETING")).toBe("good day\n");

    const again = await up(teamIn(language, "good day"), backend);
    expect(Object.keys(again.changes)).toEqual(["same"]);
    expect(again.outputs).toEqual(edited.outputs);

    await operation(teamIn(language), backend, "destroy");
    // The claims stay; they are nobody's objects now.
    expect(await objects()).toBe(before);
  });
});

describe("a company's own class in Python, with two containers and a provider of its own", () => {
  const place = "team-company";
  afterAll(() => kubectl(["delete", "namespace", place, "--ignore-not-found", "--wait=false"]));

  it("is previewed, brought up, logged into, left unchanged and destroyed", async () => {
    const [python = ""] = programs.Python;
    const company: Program = {
      words: [python, resolve(languageFolder, "company.py")],
      given: {
        ...given(""),
        gateway: "gw-company",
        namespace: place,
        people: { alice: laptop.publicKey, bob: laptop.publicKey },
        block: await pageBlock("docs/team.md", "python", "class Department"),
        kubeconfig: await readFile(process.env.KUBECONFIG ?? "", "utf8"),
      },
      env: { KUBECONFIG: "/nonexistent" },
    };
    const backend = await stateOf("company");
    const planned = await plan(company, backend);
    const made = await up(company, backend);
    expect(made.changes).toEqual(planned);
    expect(await login(made.outputs, "hostname", "bob")).toBe("bob-0\n");
    const again = await up(company, backend);
    expect(Object.keys(again.changes)).toEqual(["same"]);
    await operation(company, backend, "destroy");
    const left = (await objects(place)).trim().split("\n");
    expect(left.filter((name) => !name.startsWith("configmap/"))).toEqual([]);
    const claims = await kubectl(["get", "pvc", "-n", place, "-o", "name"]);
    expect(claims).toBe("persistentvolumeclaim/alice-home\npersistentvolumeclaim/bob-home\n");
  });
});

describe("a stack that TypeScript made", () => {
  it("goes to Python and to Go and back without a change, under an open session", async () => {
    const backend = await stateOf("moved");
    const { stack, remove } = await stackOf("nodejs", async () => team(given("hello")), { backend });
    try {
      const made = await stack.up();
      const outputs = Object.fromEntries(
        Object.entries(made.outputs).map(([name, { value }]) => [name, value as string]),
      );
      expect(await login(outputs, "date +%s%N | tee stamp > /models/stamp; cat stamp")).toMatch(/^\d+\n$/);
      const session = laptop.openCounter("dev1");
      await session.reached(1);
      for (const language of languages) {
        const planned = await plan(teamIn(language), backend);
        expect([language, Object.keys(planned)]).toEqual([language, ["same"]]);
        const unchanged = await up(teamIn(language), backend);
        expect([language, Object.keys(unchanged.changes)]).toEqual([language, ["same"]]);
        expect(unchanged.outputs).toEqual(outputs);
      }
      expect(Object.keys((await stack.preview()).changeSummary)).toEqual(["same"]);
      expect([session.alive, session.unbroken]).toEqual([true, true]);
      await session.close();
      expect(await login(outputs, "cmp stamp /models/stamp && echo kept")).toBe("kept\n");
    } finally {
      await stack.destroy();
      await remove();
    }
  });
});
