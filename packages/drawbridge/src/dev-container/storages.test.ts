import { describe, expect, it } from "vitest";
import { raising } from "../kit/fault.ts";
import type { MountsPlan } from "./args-mounts.ts";
import { checkStorages, storageScheduling } from "./storages.ts";

type StorageMount = MountsPlan["storage"][number];

const mount = (name: string, from: Partial<StorageMount["from"]> = {}): StorageMount => ({
  from: {
    name,
    namespace: "team-a",
    claimName: `${name}-storage`,
    accessMode: "ReadWriteOnce",
    gid: 1000,
    ...from,
  },
  mountPath: `/${name}`,
  readOnly: false,
});

const faults = (storage: StorageMount[], gid = 1000): string[] => {
  const found: string[] = [];
  const fault = raising((path, { message }) => void found.push(`${path.join(".")}: ${message}`));
  const mounts = storage.map(({ from }) => ({ storage: from }));
  checkStorages({ namespace: "team-a", user: { gid }, mounts }, fault);
  return found;
};

describe("storages in a container", () => {
  it("bring it to their node, unless many nodes may mount them", () => {
    const { labels, podAffinity } = storageScheduling([
      mount("raw", { accessMode: "ReadWriteMany" }),
      mount("models"),
    ]);
    expect(labels).toEqual({ "drawbridge.dev/node-group": "models" });
    expect(podAffinity).toEqual({
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          labelSelector: { matchLabels: { "drawbridge.dev/node-group": "models" } },
          topologyKey: "kubernetes.io/hostname",
        },
      ],
    });
    expect(storageScheduling([mount("raw", { accessMode: "ReadWriteMany" })])).toEqual({
      labels: {},
      podAffinity: undefined,
    });
  });

  it.each([
    [
      /^mounts\.1\.storage\.colocationGroup: is "raw", but "models" is in "models": their ReadWriteOnce volumes /,
      [mount("models"), mount("raw")],
    ],
    [
      /^mounts\.0\.storage\.namespace: is "team-b", but a pod can mount volumes of its own namespace only;/,
      [mount("models", { namespace: "team-b" })],
    ],
    [
      /^mounts\.0\.storage\.gid: is 2000, but the container's group is 1000, /,
      [mount("models", { gid: 2000 })],
    ],
    [/^mounts\.1\.storage\.name: "models" is mounted twice;/, [mount("models"), mount("models")]],
  ])("with %s", (expected, storage) => {
    expect(faults(storage)).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    ["one storage", [mount("models")]],
    [
      "two of one group",
      [mount("models", { colocationGroup: "work" }), mount("raw", { colocationGroup: "work" })],
    ],
  ])("takes %s", (_, storage) => {
    expect(faults(storage)).toEqual([]);
  });
});
