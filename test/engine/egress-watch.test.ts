/** Grants watched on shared connections, as the API server itself does it, by a right to one name. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sharedWatches } from "../../packages/controllers/src/egress-authorizer/shared-watch.ts";
import { type ApiServer, startApiServer } from "../../scripts/lib/engine/api-server.ts";

let api: ApiServer;

beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api?.stop());

it("rings at the beginning and at each change of that one, and is refused for another", async () => {
  const { clusters } = JSON.parse(readFileSync(api.kubeconfigs.nobody, "utf8"));
  const { server, "certificate-authority": ca } = clusters[0].cluster;
  const folder = mkdtempSync(join(tmpdir(), "watch-"));
  writeFileSync(join(folder, "ca.crt"), readFileSync(ca));
  writeFileSync(join(folder, "token"), "nobody");
  for (const name of ["mine", "other"]) await api.kubectl(["create", "configmap", name]);
  const right = ["--verb=get,watch", "--resource=configmaps", "--resource-name=mine"];
  await api.kubectl(["create", "role", "one", ...right]);
  await api.kubectl(["create", "rolebinding", "one", "--role=one", "--user=nobody"]);

  const watch = sharedWatches(server, folder, "test");
  const end = new AbortController();
  const path = (name: string) =>
    `/api/v1/namespaces/default/configmaps?watch=1&fieldSelector=metadata.name%3D${name}&timeoutSeconds=60`;
  const rings = Array.from({ length: 120 }, () => 0);
  const many = rings.map((_, index) =>
    watch(path("mine"), () => (rings[index] = (rings[index] ?? 0) + 1), end.signal).catch(() => "ended"),
  );
  /** Each of them; an event that comes in two pieces rings twice. */
  const rung = (since: readonly number[], seconds: number) =>
    vi.waitFor(
      () => expect(rings.filter((count, index) => count <= (since[index] ?? 0))).toEqual([]),
      seconds * 1000,
    );
  // By itself, and by what is there already.
  await rung(
    rings.map(() => 1),
    10,
  );
  const other = vi.fn();
  await watch(path("other"), other, end.signal);
  expect(other).not.toHaveBeenCalled();
  for (const change of [["patch", "-p", '{"data":{"hosts":"a.example"}}'], ["delete"]]) {
    const [verb = "", ...rest] = change;
    const before = [...rings];
    await api.kubectl([verb, "configmap", "mine", ...rest]);
    await rung(before, 2);
  }
  end.abort();
  expect(await Promise.all(many)).toEqual(many.map(() => "ended"));
});
