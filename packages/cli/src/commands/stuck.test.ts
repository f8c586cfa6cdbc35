/** `drawbridge list` and `doctor` before a pod that hangs; the API server alone is played. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sshTargetKind } from "@drawbridge-iac/manifests";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { doctor } from "./doctor.ts";
import { list } from "./list.ts";

const waiting = { reason: "ImagePullBackOff", message: "back-off" };
const answers: Record<string, object> = {
  "/api/v1/namespaces/team-a/pods/dev1-0": {
    metadata: { name: "dev1-0", namespace: "team-a", labels: { "controller-revision-hash": "old" } },
    spec: { containers: [{ name: "dev" }] },
    status: { phase: "Pending", containerStatuses: [{ name: "dev", state: { waiting } }] },
  },
  "/apis/apps/v1/namespaces/team-a/statefulsets/dev1": {
    metadata: { generation: 3 },
    spec: { replicas: 1 },
    status: { observedGeneration: 3, replicas: 1, currentRevision: "old", updateRevision: "new" },
  },
};

let home: string;
let server: Server;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "drawbridge-stuck-"));
  server = createServer(({ url = "" }, response) => {
    response.statusCode = answers[url] === undefined ? 404 : 200;
    response.end(JSON.stringify(answers[url] ?? { message: "not found" }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = {
    clusters: [
      { name: "c", cluster: { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } },
    ],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  const target = {
    kind: sshTargetKind,
    name: "dev1",
    namespace: "team-a",
    user: "jovyan",
    hostName: "dev1.team-a.dev.example.com",
    port: 22,
    hostKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ"],
    ways: [{ way: "sshpod", pod: "dev1-0", namespace: "team-a" }],
    home: "/home/jovyan",
  };
  const sources = [{ label: "a", options: {}, targets: [target], storages: [] }];
  await mkdir(join(home, ".ssh/drawbridge"), { recursive: true });
  await writeFile(join(home, ".ssh/drawbridge/targets.json"), JSON.stringify({ sources }));
  await writeFile(join(home, "kubeconfig"), JSON.stringify(kubeconfig));
  vi.stubEnv("HOME", home);
  vi.stubEnv("KUBECONFIG", join(home, "kubeconfig"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  server.close();
  await rm(home, { recursive: true });
});

const why =
  "the pod is of an earlier specification (ImagePullBackOff of container dev: back-off); if it stays: kubectl -n team-a delete pod dev1-0";

it("list says why the container is not ready and what to do", async () => {
  const [head, row, gap, ...rest] = (await list({})).split("\n");
  expect([head?.split(/ {2,}/)[3], row?.split(/ {2,}/)[3], gap]).toEqual(["POD", "Failing: OldPod", ""]);
  expect(rest).toEqual(["NOT READY  WHY", `dev1       ${why}`, ""]);
});

it("doctor says so before it walks the ways", async () => {
  const lines: string[] = [];
  expect(await doctor("dev1", {}, (line) => lines.push(line))).toBe(false);
  expect(lines.slice(0, 2)).toEqual([`  FAIL pod: ${why}`, expect.stringMatching(/^dev1 by sshpod /)]);
  expect(lines.at(-1)).toBe("0 of 1 ways lead to a login");
});
