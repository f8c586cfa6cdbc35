/** What is left of a lab of more than one node: nothing, whatever its nodes were doing. */
import { readFile } from "node:fs/promises";
import {
  down,
  execInLab,
  freezeNode,
  labLayout,
  silentProgress,
  status,
  stopNode,
  up,
} from "@drawbridge-iac/lab";
import { afterAll, expect, test } from "vitest";
import { isAlive, type ProcessIdentity } from "../../packages/lab/src/cluster/host/processes.ts";
import { run } from "../../scripts/lib/lab/lab.ts";
import { machine } from "../support/lab/machine.ts";
import { descendantsOf } from "../support/lab/processes.ts";

const name = `three-${process.pid}`;
const layout = labLayout(name);

afterAll(() => down(name));

test("a lab is ended with all its nodes, a running, a frozen and a stopped one", async () => {
  const before = await machine();
  expect((await up({ name, nodes: 3, images: ["busybox"] }, silentProgress)).started).toBe(true);
  await expect(up({ name, nodes: 2 }, silentProgress)).rejects.toThrow(
    `the lab "${name}" runs with 3 nodes, not 2; end it first: drawbridge-lab down --name ${name}`,
  );
  const pods = ["lab-node-2", "lab-node-3"].map((node) => {
    const overrides = JSON.stringify({ spec: { nodeName: node } });
    return `kubectl run on-${node} --image=drawbridge.local/busybox:lab --overrides='${overrides}' -- sleep 1000000`;
  });
  const wait = "kubectl wait --for=condition=Ready pod --all --timeout=90s";
  expect(await execInLab(name, ["sh", "-euc", `{ ${[...pods, wait].join("; ")}; } >/dev/null`])).toBe(0);

  const inits = await Promise.all(
    ["instance.json", "lab-node-2/node.json", "lab-node-3/node.json"].map(async (file) => {
      const text = await readFile(`${layout.root}/${file}`, "utf8");
      return (JSON.parse(text) as { init: ProcessIdentity }).init;
    }),
  );
  const processes = inits.flatMap(({ pid }) => descendantsOf(pid));
  // Of each further node: init, supervisor, three programs, and a pod with its shim and its pause.
  for (const { pid } of inits.slice(1)) expect(descendantsOf(pid).length).toBeGreaterThan(7);
  // Each has a network, mounts and process numbers of its own.
  for (const kind of ["net", "mnt", "pid"]) {
    const links = await Promise.all(inits.map(({ pid }) => run("readlink", [`/proc/${pid}/ns/${kind}`])));
    expect(new Set(links.map(({ stdout }) => stdout)).size).toBe(3);
  }

  await stopNode(name, "lab-node-2");
  await freezeNode(name, "lab-node-3");
  const found = await status(name);
  expect(
    "nodes" in found && found.nodes.map((node) => [node.name, node.state, node.programs.length]),
  ).toEqual([
    ["lab-node-2", "stopped", 0],
    ["lab-node-3", "frozen", 3],
  ]);
  expect(await down(name)).toBe(true);
  expect(processes.filter(isAlive)).toEqual([]);
  expect(await machine()).toEqual(before);
  expect(await status(name)).toEqual({ name, phase: "absent" });
});
