import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressPlugin, Desk } from "./given-out.ts";

const result =
  '{\n  "cniVersion": "1.0.0",\n  "ips": [{ "address": "10.244.1.7/24", "gateway": "10.244.1.1" }]\n}';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-given-out-"));
  const fake = `#!/bin/sh\nprintf '%s %s\\n' "$CNI_COMMAND" "$(cat)" >> "$0.log"\n[ "$CNI_COMMAND" = DEL ] || cat <<END\n${result}\nEND\n`;
  await writeFile(join(folder, "host-local"), fake, { mode: 0o755 });
  await writeFile(join(folder, "plugin"), addressPlugin(folder, 1), { mode: 0o755 });
});
afterAll(() => rm(folder, { recursive: true }));

function plugin(command: string, uid: string) {
  const env = {
    ...process.env,
    CNI_COMMAND: command,
    CNI_ARGS: `IgnoreUnknown=1;K8S_POD_UID=${uid};K8S_POD_NAME=a`,
  };
  const running = promisify(execFile)(join(folder, "plugin"), [], { env });
  running.child.stdin?.end("{}");
  return running;
}

test("an address is given out when its rules are in force, and to another pod when its own are", async () => {
  let isAnswering = true;
  const desk = new Desk(folder, () => {
    if (isAnswering) desk.answer(desk.all);
  });
  expect((await plugin("ADD", "first")).stdout.trim()).toBe(result);
  expect(desk.all).toEqual([{ address: "10.244.1.7", uid: "first" }]);
  expect(desk.waiting(desk.all)).toEqual([]);
  expect((await plugin("ADD", "second")).stdout.trim()).toBe(result);
  expect(desk.all).toEqual([{ address: "10.244.1.7", uid: "second" }]);
  expect((await plugin("DEL", "second")).stdout).toBe("");
  isAnswering = false;
  desk.close();
});

test("without an answer, or with one for the pod that had it before, nothing is given out", async () => {
  const desk = new Desk(folder, () => {});
  const refused = await plugin("ADD", "third").catch((error: { code: number; stdout: string }) => error);
  expect(refused).toMatchObject({
    code: 1,
    stdout: '{"cniVersion": "1.0.0", "code": 11, "msg": "no NetworkPolicy is in force for 10.244.1.7 yet"}',
  });
  expect(desk.waiting(desk.all)).toEqual([{ address: "10.244.1.7", uid: "third" }]);
  desk.close();
});
