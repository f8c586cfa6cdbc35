/**
 * Secrets in words: what the real CLI and the guard say of stack files with a secret where none may stand, and of those where
 * all stand in their places. More of the first: test/long.
 */
import { readFile, writeFile } from "node:fs/promises";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { ProjectCopy } from "../../scripts/lib/stacks/stacks.ts";
import { leaksAt, printed, report, withOption } from "../support/secrets/draw.ts";
import { leakFinder, random, secretText } from "../support/secrets/leaks.ts";

let project: ProjectCopy;

beforeAll(async () => {
  project = await ProjectCopy.create({ cluster: false });
});
afterAll(() => project.remove());

it("no piece of a secret is in preview, up, report or validate, wherever in the file it is put", async () => {
  const { bad, seen } = await leaksAt(project, { platform: 4, team: 8 }, "engine");
  console.log(seen);
  expect(bad).toEqual([]);
});

describe("a team's stack", () => {
  const secret = secretText(random("twin"));
  const leaks = leakFinder([secret]);
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB carol";
  const gateway = {
    name: "ssh",
    namespace: "ssh",
    domain: "dev.example.com",
    plainPort: 80,
    address: "192.0.2.7",
  };
  const container = { image: "registry.example.com/dev:1", authorizedKeys: [key] };
  let stack: Stack;
  let cipher: { secure: string };
  let salt: string;

  beforeAll(async () => {
    stack = await project.open("team-a");
    await stack.setConfig("drawbridge:hostKeySeed", { value: secret, secret: true });
    const text = await readFile(project.fileOf("team-a"), "utf8");
    cipher = { secure: /hostKeySeed:\s+secure: (\S+)/.exec(text)?.[1] ?? "" };
    salt = /^encryptionsalt: .*$/m.exec(text)?.[0] ?? "";
  });

  const write = (config: object, file = project.fileOf("team-a")) =>
    writeFile(file, `${salt}\n${stringify({ config: { "drawbridge:hostKeySeed": cipher, ...config } })}`);
  const team = (more: object) => ({
    "drawbridge:team": { namespace: "team-a", gateway, containerDefaults: container, ...more },
  });
  const preview = () => printed((onOutput) => stack.preview({ onOutput, diff: true }));

  it("with secrets in all their places is previewed, and neither it nor a failing up says one", async () => {
    const proxy = { name: "files", namespace: "files" };
    await write(
      team({
        storages: {
          models: {
            browse: { proxy, credentials: [{ user: "alice", password: cipher }] },
            prepare: { image: "a/b:1", command: ["true"], secretEnv: { TOKEN: cipher } },
          },
        },
        containers: { dev1: { secretEnv: { TOKEN: cipher }, hostKey: { seed: cipher } } },
      }),
    );
    const shown = await preview();
    expect(shown).toMatch(/drawbridge:index:DevContainer/);
    const digest = await withOption(
      stack,
      { PULUMI_OPTION_JSON: "true", PULUMI_OPTION_SHOW_SAMES: "true" },
      () => printed((onOutput) => stack.preview({ onOutput })),
    );
    const judged = await report(digest.slice(digest.indexOf("{")), "0");
    expect(judged).toMatch(/^## drawbridge: (nothing dangerous|refused)/);
    const up = await printed((onOutput) => stack.up({ onOutput }));
    expect(up).toMatch(/unreachable|refused/);
    expect([shown, digest, judged, up].map(leaks)).toEqual([[], [], [], []]);
  });

  it("that Pulumi is asked to show in plain, in a stream of events, is hidden by the guard", async () => {
    const options = {
      PULUMI_OPTION_JSON: "true",
      PULUMI_OPTION_SHOW_SAMES: "true",
      PULUMI_OPTION_SHOW_SECRETS: "true",
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
    };
    const events = await withOption(stack, options, () => printed((onOutput) => stack.preview({ onOutput })));
    expect(leaks(events)).not.toEqual([]);
    const judged = await report(events.slice(events.indexOf("{")), "0");
    expect(judged).toMatch(/^## drawbridge: (nothing dangerous|refused)/);
    expect(leaks(judged)).toEqual([]);
  });

  it.each<[string, () => Promise<void>, RegExp]>([
    [
      "as a whole secret",
      async () => {
        await write({});
        const whole = JSON.stringify({ namespace: ["x".repeat(40), secret], containers: {} });
        await stack.setConfig("drawbridge:team", { value: whole, secret: true });
      },
      /drawbridge:team \(line \d+\): is a secret/,
    ],
    [
      "as the registry of all images",
      () => write({ ...team({ containers: { dev1: {} } }), "drawbridge:imageRegistry": cipher }),
      /drawbridge:imageRegistry \(line \d+\): is a secret/,
    ],
    [
      "as the platform, whose people are named",
      () => write(team({ platform: cipher, containers: { dev1: { people: ["carol"] } } })),
      /drawbridge:team\.platform \(line \d+\): is a secret/,
    ],
  ])("%s is refused without a word of it", async (_, written, fault) => {
    await written();
    const said = await preview();
    expect(said).toMatch(fault);
    expect(leaks(said)).toEqual([]);
  });

  it("from another file than the stack's own is refused: which of its values are secrets is not known", async () => {
    const other = `${project.folder}/other.yaml`;
    const read = () => withOption(stack, { PULUMI_OPTION_CONFIG_FILE: other }, preview);
    await write(team({ containers: {} }));
    await write(team({ namespace: ["x".repeat(40), cipher], containers: {} }), other);
    const said = await read();
    expect(said).toMatch(/drawbridge:team.*: holds secrets, and Pulumi\.team-a\.yaml does not say which/);
    expect(leaks(said)).toEqual([]);
    // Without a secret in a part, every value is plain.
    await write(team({ containers: { dev1: {} } }), other);
    expect(await read()).toMatch(/drawbridge:index:DevContainer/);
  });

  it("with numbers that readers of YAML do not read alike is taken", async () => {
    const odd = `root: false, ssh: {port: 0x16}, user: {uid: 1_000}`;
    await write(team({ containers: { dev1: { odd: {} }, dev2: { secretEnv: { A: cipher } } } }));
    const file = project.fileOf("team-a");
    await writeFile(
      file,
      (await readFile(file, "utf8")).replace("odd: {}", odd.replaceAll(", ", "\n        ")),
    );
    expect(await preview()).toMatch(/drawbridge:index:DevContainer/);
  });

  it("does not read a secret output of the platform's stack", async () => {
    const platform = await project.open("platform", async () => {
      const { secret: hidden } = await import("@pulumi/pulumi");
      return { gateway: hidden({ ...gateway, name: secret }), people: hidden({ [secret]: { keys: [] } }) };
    });
    await platform.up();
    const { gateway: _, ...rest } = team({
      platform: "platform",
      containers: { dev1: { people: ["carol"] } },
    })["drawbridge:team"];
    await write({ "drawbridge:team": rest });
    const said = await preview();
    expect(said).toMatch(/has none of the outputs gateway/);
    expect(leaks(said)).toEqual([]);
  });
});
