/** Labs as wholes: a second one beside the one that these tests run in, its repair, its end, and what is left of it. */
import { readFile } from "node:fs/promises";
import { down, execInLab, labLayout, silentProgress, status, up } from "@drawbridge-iac/lab";
import { afterAll, expect, test } from "vitest";
import { isAlive, type ProcessIdentity } from "../../packages/lab/src/cluster/host/processes.ts";
import { eventually, run } from "../../scripts/lib/lab/lab.ts";
import { machine } from "../support/lab/machine.ts";
import { descendantsOf, programPid } from "../support/lab/processes.ts";

const name = `second-${process.pid}`;
const layout = labLayout(name);
let before: Awaited<ReturnType<typeof machine>>;

afterAll(() => down(name));

test("a second lab starts beside the first; starting it again changes nothing", async () => {
  before = await machine();
  const lab = await up({ name, images: ["busybox"] }, silentProgress);
  expect([lab.started, lab.kubeconfig]).toEqual([true, layout.kubeconfig]);
  expect((await up({ name }, silentProgress)).started).toBe(false);
  expect((await status(name)).phase).toBe("ready");
});

test("two that start one name at once end in one lab, which nobody takes down", async () => {
  const twin = `twin-${process.pid}`;
  const main = "packages/lab/src/main.ts";
  const start = () => run(process.execPath, [main, "up", "--name", twin], { timeoutSeconds: 300 });
  try {
    const both = await Promise.all([start(), start()]);
    const refused = both.filter(({ code }) => code !== 0);
    expect(refused.length).toBeLessThan(2);
    for (const { stderr } of refused)
      expect(stderr).toMatch(
        /the lab "twin-\d+" is being started by (process \d+|another process); wait for it/,
      );
    expect((await status(twin)).phase).toBe("ready");
  } finally {
    await down(twin);
  }
});

test("its cluster is another one, with addresses of its own", async () => {
  const uid = ["get", "namespace", "kube-system", "-o", "jsonpath={.metadata.uid}"];
  const here = (await run("kubectl", uid)).stdout;
  expect(here).toMatch(/^[0-9a-f-]{36}$/);
  expect(await inSecond(`test "$(kubectl ${uid.slice(0, -1).join(" ")} '${uid.at(-1)}')" != ${here}`)).toBe(
    0,
  );
});

test("programs that are killed come back and the cluster works again", async () => {
  for (const program of ["containerd", "kubelet", "kube-apiserver"]) {
    const pid = programPid(layout.root, program);
    process.kill(pid, "SIGKILL");
    await eventually(`another ${program}`, async () => {
      const now = await status(name);
      const state = "programs" in now ? now.programs.find((one) => one.name === program) : undefined;
      return state?.pid !== undefined && state.restarts > 0 && state.lastEnd === "SIGKILL";
    });
  }
  const pod = "kubectl run probe --image=drawbridge.local/busybox:lab --restart=Never -- sleep 1000000";
  await eventually(
    "the API server",
    async () => (await inSecond("kubectl get --raw /readyz >/dev/null 2>&1")) === 0,
  );
  await eventually("a pod is accepted", async () => (await inSecond(`${pod} >/dev/null 2>&1`)) === 0);
  expect(await inSecond("kubectl wait --for=condition=Ready pod/probe --timeout=90s >/dev/null")).toBe(0);
});

test("nothing is left of it, and ending it again does nothing", async () => {
  const record = JSON.parse(await readFile(layout.record, "utf8")) as { init: ProcessIdentity };
  const processes = descendantsOf(record.init.pid);
  // The supervisor, nine programs and a pod, at least.
  expect(processes.length).toBeGreaterThan(10);
  expect(await down(name)).toBe(true);
  expect(processes.filter(isAlive)).toEqual([]);
  expect(await machine()).toEqual(before);
  expect(await down(name)).toBe(false);
  expect(await status(name)).toEqual({ name, phase: "absent" });
});

function inSecond(script: string): Promise<number> {
  return execInLab(name, ["sh", "-c", script]);
}
