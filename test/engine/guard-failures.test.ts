/** Previews that the real CLI does not bring to an end: none of them is "nothing dangerous". */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn, Stack } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, it } from "vitest";
import { containerBase } from "../../packages/drawbridge/src/host/base.trials.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";
import { guard } from "../support/engine/guard.ts";

/** What the CLI printed, and how it ended; the Automation API hands both on as an error's text. */
async function cliPreview(stack: Stack, stream: boolean, signal?: AbortSignal) {
  const { workspace } = stack;
  const streaming = stream ? { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1" } : {};
  workspace.envVars = { ...workspace.envVars, PULUMI_OPTION_JSON: "true", ...streaming };
  try {
    const { stdout } = await stack.preview(signal === undefined ? {} : { signal });
    return { code: 0, stdout: stdout.slice(stdout.indexOf("{")) };
  } catch (error) {
    const { stderr } = (error as { commandResult: { stderr: string } }).commandResult;
    const [, code] = /^Command (?:failed with exit code (\d+)|was killed)/.exec(stderr) ?? [];
    const begin = stderr.indexOf("\n{");
    return { code: Number(code ?? 130), stdout: begin < 0 ? "" : stderr.slice(begin + 1) };
  }
}

/** A resource of a provider that is nowhere. */
class Thing extends pulumi.CustomResource {}

const container = () => new DevContainer("dev1", containerBase as never);

const failing: Readonly<Record<string, readonly [program: () => unknown, ...said: string[]]>> = {
  throws: [
    () => {
      container();
      throw new Error("boom at preview");
    },
    "error: boom at preview",
  ],
  "misses a config value": [
    () => new pulumi.Config("drawbridge").require("team"),
    "Missing required configuration variable 'drawbridge:team'",
  ],
  "has bad arguments": [
    () => new DevContainer("dev1", { ...containerBase, image: 3, home: { size: "x" } } as never),
    'DevContainer "dev1": 2 faults in its arguments, nothing of it was created:',
    'home.size: "x" is not a quantity; write it like "500m", "4" or "16Gi"',
    "\n  - image: ",
  ],
  "finds no provider": [
    () => new Thing("nosuch:index:Thing", "x", {}),
    "no resource plugin 'pulumi-resource-nosuch' found",
  ],
  "reads from a cluster that nobody can reach": [
    () => k8s.core.v1.ConfigMap.get("settings", "team-a/settings"),
    "failed to read resource state due to unreachable cluster",
  ],
  "logs an error and goes on": [
    () => {
      container();
      pulumi.log.error("not today");
    },
    "error: not today",
  ],
};

async function withStack<T>(program: PulumiFn, use: (stack: Stack) => Promise<T>): Promise<T> {
  const { stack, removeState } = await testStack(program, { env: noCluster });
  return use(stack).finally(removeState);
}

describe.each([
  ["digest", false],
  ["stream of events", true],
])("the %s of a program", (_, stream) => {
  it.each(Object.entries(failing))(
    "that %s is not judged, and shows Pulumi's words",
    { timeout: 120_000 },
    async (_, [program, ...said]) => {
      await withStack(
        async () => {
          program();
          return {};
        },
        async (stack) => {
          const { code, stdout } = await cliPreview(stack, stream);
          expect(code).not.toBe(0);
          // The digest says it by itself; the exit code, which a script may lose, only adds to it.
          for (const options of [[], ["--pulumi-exit-code", String(code)]]) {
            const judged = await guard(stdout, ...options);
            expect(judged.code).toBe(2);
            expect(judged.report.split("\n")[0]).toBe("## drawbridge: not judged");
            expect(said.filter((words) => !judged.report.includes(words))).toEqual([]);
          }
        },
      );
    },
  );

  it("that is interrupted is not judged", { timeout: 120_000 }, async () => {
    const stop = new AbortController();
    await withStack(
      async () => {
        container();
        await new Promise((done) => setTimeout(done, 60_000));
        return {};
      },
      async (stack) => {
        setTimeout(() => stop.abort(), 8_000);
        const { code, stdout } = await cliPreview(stack, stream, stop.signal);
        expect(code).not.toBe(0);
        expect((await guard(stdout)).code).toBe(2);
        expect((await guard(stdout, "--pulumi-exit-code", String(code))).code).toBe(2);
      },
    );
  });

  it("that registers nothing is not judged, and one that ends well is", { timeout: 120_000 }, async () => {
    const nothing = await withStack(
      async () => ({}),
      (stack) => cliPreview(stack, stream),
    );
    expect({ code: nothing.code, judged: (await guard(nothing.stdout)).code }).toEqual({
      code: 0,
      judged: 2,
    });
    const something = await withStack(
      async () => {
        container();
        return {};
      },
      (stack) => cliPreview(stack, stream),
    );
    const judged = await guard(something.stdout, "--pulumi-exit-code", String(something.code));
    expect({ code: something.code, judged: judged.code, report: judged.report }).toMatchObject({
      code: 0,
      judged: 0,
    });
  });
});
