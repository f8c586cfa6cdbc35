import { expect, it } from "vitest";
import { change } from "../sample.fixture.ts";
import { hostKeyLost } from "./host-key-lost.ts";

const key = (fields: Parameters<typeof change>[2]) =>
  hostKeyLost.check(change("Secret", "dev1-host-key", { of: "DevContainer dev1", ...fields }));

it("refuses a replaced or changed host key", () => {
  expect(key({ op: "replace" })).toEqual(["the host key of dev1 would be replaced"]);
  expect(key({ differing: ["stringData.ssh_host_ed25519_key"] })).toEqual([
    "the host key of dev1 would change",
  ]);
});

it("tells the key from the next one by their public halves", () => {
  const keys = (...lines: string[]) => ({
    metadata: { annotations: { "drawbridge.dev/public-keys": lines.join("\n") } },
  });
  const changed = (before: object, after: object) =>
    key({ before: before as never, after: after as never, differing: ["stringData"] });
  expect(changed(keys("a"), keys("b"))).toEqual(["the host key of dev1 would change"]);
  expect(changed(keys("a", "b"), keys("c"))).toEqual(["the host key of dev1 would change"]);
  expect(changed(keys("a"), keys("a", "b"))).toEqual([]);
  expect(changed(keys("a", "b"), keys("b"))).toEqual([]);
  expect(changed({}, keys("a"))).toEqual(["the host key of dev1 would change"]);
});

it("lets labels change, a container go, and ignores other Secrets", () => {
  expect(key({ differing: ["metadata.labels.team"] })).toEqual([]);
  expect(key({ op: "delete" })).toEqual([]);
  expect(hostKeyLost.check(change("Secret", "token", { of: "DevContainer dev1", op: "replace" }))).toEqual(
    [],
  );
});
