/**
 * One team makes as many objects of each kind as its quota counts, each as large as the policies let it be, with every right
 * that one may have in a namespace, on an etcd and an API server of their own. What etcd and the API server then hold is printed, and with DRAWBRIDGE_RECORD=<file>
 * written there. Each further way to make etcd grow is refused, but one, which is measured.
 */
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultEtcdSize, defaultQuota } from "../../packages/drawbridge/src/istio/team-limits.ts";
import { quantityValue } from "../../packages/drawbridge/src/kubernetes/quantity.ts";
import { type ApiServer, startApiServer } from "../../scripts/lib/engine/api-server.ts";
import { eventually } from "../../scripts/lib/lab/lab.ts";
import type { ApiObject, ApiUser } from "../support/attacks/api-user.ts";
import { named, type Who } from "../support/attacks/attack.ts";
import { configMap } from "../support/attacks/heavy.ts";
import { addIstioKinds, install, policiesStand, usersOf } from "../support/attacks/server.ts";
import { accountObjects, admissionObjects, placeOf, policiesOf, stage } from "../support/attacks/stage.ts";
import { memoryOf } from "../support/lab/processes.ts";
import { restricted } from "../support/lab/restricted.ts";
import { compactedBytes, eachCounted, etcdBytes, largest } from "./full-etcd.fixture.ts";

const place = placeOf("heavy");
const judged = { policies: "heavy" };
const bound = quantityValue(defaultEtcdSize) as number;
const mebibytes = (bytes: number) => Math.round((bytes / 2 ** 20) * 10) / 10;
const tooLarge = /an object of \w+ may take \d+ bytes in etcd/;
const tooMany = /exceeded quota: team/;

const record: Record<string, number> = {};
let api: ApiServer;
let users: Readonly<Record<Who, ApiUser>>;
let owner: ApiUser;
/** The largest ConfigMap that there may be. */
let full: (number: number) => ApiObject;

beforeAll(async () => {
  api = await startApiServer();
  await addIstioKinds(api);
  await install(api, accountObjects);
  await install(api, stage(place, judged));
  await install(
    api,
    policiesOf(place).flatMap((one) => admissionObjects(one, judged)),
  );
  await policiesStand(api);
  users = await usersOf(api);
  owner = users.owner;
  full = await largest(owner, configMap(place, ""));
});

afterAll(async () => {
  for (const user of Object.values(users ?? {})) user.close();
  await api?.stop();
  const file = process.env.DRAWBRIDGE_RECORD;
  if (file !== undefined)
    writeFileSync(file, `${JSON.stringify({ team: { full: record } }, undefined, 1)}\n`);
});

const count = async (kind: string) =>
  (await api.kubectl(["-n", place.team, "get", kind, "-o", "name"])).split("\n").filter(Boolean).length;

/** Makes such objects until the quota refuses one, and no other reason may refuse any; returns how many were made. */
async function fillUp(of: (number: number) => ApiObject, from = 0): Promise<number> {
  let next = from;
  let isFull = false;
  let made = 0;
  const worker = async () => {
    while (!isFull) {
      next += 1;
      const { message } = await owner.post(of(next));
      if (tooMany.test(message)) isFull = true;
      else {
        expect(message).toBe("");
        made += 1;
      }
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return made;
}

describe("a way to make etcd grow", () => {
  const ways: Readonly<Record<string, () => Promise<{ readonly message: string }>>> = {
    "many field managers of one object": async () => {
      const fields = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, ""]));
      const one = { ...named(configMap(place, ""), "managed"), data: fields };
      for (let manager = 0; ; manager += 1) {
        const answer = await owner.apply(one, { manager: `m${manager}` });
        if (answer.message !== "" || manager > 100) return answer;
      }
    },
    finalizers: () =>
      owner.post(withMetadata("finalizers", { finalizers: many((index) => `example.com/${index}`) })),
    owners: () =>
      owner.post(
        withMetadata("owners", {
          ownerReferences: many((index) => ({
            ...{ apiVersion: "v1", kind: "ConfigMap", name: `own-${index}` },
            uid: `00000000-0000-0000-0000-0000000${10_000 + index}`,
          })),
        }),
      ),
    labels: () =>
      owner.post(
        withMetadata("labels", {
          labels: Object.fromEntries(many((index) => [`own-${index}`, "x".repeat(63)])),
        }),
      ),
    "a change of an object that is as large as it may be": async () => {
      await owner.apply(full(1));
      return owner.merge(full(1), { metadata: { annotations: { note: "x".repeat(1000) } } });
    },
    "further containers of a pod that is there": async () => {
      const pod = eachCounted(place).find(({ kind }) => kind === "Pod") as ApiObject;
      const one = await largest(owner, pod);
      expect(await owner.post(unscheduled(one(1)))).toMatchObject({ message: "" });
      const ephemeralContainers = [
        { name: "more", image: "none:1", args: ["x".repeat(20_000)], securityContext: restricted },
      ];
      return owner.merge(one(1), { spec: { ephemeralContainers } }, { subresource: "ephemeralcontainers" });
    },
    "the status of a claim": async () => {
      const claim = eachCounted(place).find(({ kind }) => kind === "PersistentVolumeClaim") as ApiObject;
      expect(await owner.post(claim)).toMatchObject({ message: "" });
      const condition = { type: "Own", status: "True", message: "x".repeat(100_000) };
      return owner.merge(claim, { status: { conditions: [condition] } }, { subresource: "status" });
    },
  };

  it.each(Object.entries(ways))("is no way: %s", async (_, attempt) => {
    expect((await attempt()).message).toMatch(tooLarge);
  });

  const many = <T>(of: (index: number) => T) => Array.from({ length: 5000 }, (_, index) => of(index));
  const withMetadata = (name: string, metadata: object): ApiObject => {
    const one = configMap(place, "x".repeat(330_000));
    return { ...one, metadata: { ...one.metadata, ...metadata, name } };
  };
});

/** No node takes it. */
function unscheduled(pod: ApiObject): ApiObject {
  return { ...pod, spec: { ...(pod.spec as object), nodeSelector: { of: "nobody" } } };
}

it("takes a large ConfigMap that is none too large", async () => {
  expect(await owner.post(configMap(place, "x".repeat(200 * 1024)))).toMatchObject({ message: "" });
});

it("holds no more than its etcdSize in etcd, whatever its people may write", async () => {
  record.empty_bytes = await compactedBytes(api.etcd);
  record.api_server_empty_memory = memoryOf(api.pid);
  const made: Record<string, number> = {};
  for (const one of eachCounted(place)) {
    const of = await largest(owner, one);
    if (one.kind !== "Pod") made[one.kind] = await fillUp(of, 100);
    else {
      // Finished ones stay beside the next; the last round ends at the count of all.
      for (let round = 1; round <= 5; round += 1) {
        made.Pod = (made.Pod ?? 0) + (await fillUp((number) => unscheduled(of(number)), round * 1000));
        await api.kubectl(["-n", place.team, "get", "pods", "-o", "name"]).then((names) =>
          Promise.all(
            names.split("\n").flatMap((line) => {
              const name = /^pod\/(own-1\d+)$/.exec(line)?.[1];
              if (name === undefined) return [];
              return [
                users.collector.merge(
                  named(one, name),
                  { status: { phase: "Failed" } },
                  { subresource: "status" },
                ),
              ];
            }),
          ),
        );
      }
    }
    const more = await owner.post(of(99));
    expect(`one ${one.kind} more: ${more.message}`).toMatch(tooMany);
  }
  record.full_bytes = await compactedBytes(api.etcd);
  record.api_server_full_memory = memoryOf(api.pid);
  const grown = record.full_bytes - record.empty_bytes;
  record.grown_bytes = grown;
  console.log(`made ${JSON.stringify(made)}\nMiB ${JSON.stringify(mapped(record))}`);
  // Controllers make them too; a flood passes a quota by one or two.
  const most = Number(defaultQuota["count/replicasets.apps"]);
  expect(Math.abs((await count("replicasets")) - most)).toBeLessThan(most / 100);
  expect(grown).toBeLessThan(bound);
  // The measure is no looser than it has to be.
  expect(grown).toBeGreaterThan(bound / 2);
  // Of one that goes, but is not gone, the place is taken.
  const kept = full(150);
  const small = { metadata: { finalizers: ["example.com/kept"] }, data: { text: "" } };
  expect(await owner.merge(kept, small)).toMatchObject({ message: "" });
  await owner.remove(kept);
  expect((await owner.post(full(5))).message).toMatch(tooMany);
  await owner.merge(kept, { metadata: { finalizers: null } });
}, 1_500_000);

it("writes history as fast as it can, which is gone once etcd compacts it", async () => {
  const before = await compactedBytes(api.etcd);
  const one = full(151);
  const seconds = 20;
  const end = Date.now() + seconds * 1000;
  const loop = async (of: number) => {
    for (let turn = 0; Date.now() < end; turn += 1) {
      const answer = await owner.merge(one, {
        data: {
          text: (one as unknown as { data: { text: string } }).data.text.replace(
            /^.{20}/,
            `${of}-${turn}`.padEnd(20, "y"),
          ),
        },
      });
      // Two at once may meet; nothing else may refuse one.
      if (answer.status !== 409) expect(answer.message).toBe("");
    }
  };
  await Promise.all([1, 2, 3, 4].map(loop));
  record.history_bytes_per_second = ((await etcdBytes(api.etcd)) - before) / seconds;
  console.log(`history: ${mebibytes(record.history_bytes_per_second)} MiB/s`);
  await eventually(
    "etcd without the history",
    async () => (await compactedBytes(api.etcd)) < before + 2 ** 23,
    60,
  );
});

const mapped = (all: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(all).map(([name, bytes]) => [name, mebibytes(bytes)]));
