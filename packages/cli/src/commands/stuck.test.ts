/** `drawbridge list` and `doctor` for a pod that hangs, with a fake API server. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { doctor } from "./doctor.ts";
import { laptop } from "./laptop.fixture.ts";
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

let removeLaptop: () => Promise<void>;
beforeAll(async () => {
  const hostName = "dev1.team-a.dev.example.com";
  const ways = [{ way: "sshpod", pod: "dev1-0", namespace: "team-a" }];
  removeLaptop = await laptop(answers, [{ name: "dev1", hostName, ways }]);
});
afterAll(() => removeLaptop());

const why =
  "the pod is of an earlier specification (ImagePullBackOff of container dev: back-off; check the image's name in the stack, its registry, and the pull secret); if it stays: kubectl -n team-a delete pod dev1-0";

it("list says why the container is not ready and what to do", async () => {
  const [head, row, gap, ...rest] = (await list({})).split("\n");
  expect([head?.split(/ {2,}/)[3], row?.split(/ {2,}/)[3], gap]).toEqual(["POD", "Failing: OldPod", ""]);
  expect(rest).toEqual(["NOT READY  WHY", `dev1       ${why}`, ""]);
});

it("doctor says so before it tries the ways in", async () => {
  const lines: string[] = [];
  expect(await doctor("dev1", {}, (line) => lines.push(line))).toBe(false);
  expect(lines.slice(0, 2)).toEqual([`  FAIL pod: ${why}`, expect.stringMatching(/^dev1 by sshpod /)]);
  expect(lines.at(-1)).toBe("0 of 1 ways lead to a login");
});
