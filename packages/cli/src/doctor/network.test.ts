import { expect, it } from "vitest";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import { networkRequirements } from "./network.ts";

const refused = new KubeError(403, 'namespaces is forbidden: User "dev" cannot create resource "namespaces"');

it("asks for the platform team where it may make no namespace, and tries nothing", async () => {
  const kube = { create: () => Promise.reject(refused) } as unknown as Kube;
  expect(await networkRequirements(kube, { image: "image" })).toEqual([
    {
      step: "network",
      ok: false,
      text: `was refused: ${refused.said}; ask the platform team to run drawbridge doctor --network`,
    },
  ]);
});

it("says why a pod does not start, and deletes the namespace all the same", async () => {
  const removed: string[] = [];
  const waiting = { containerStatuses: [{ state: { waiting: { reason: "ImagePullBackOff" } } }] };
  const kube = {
    create: () => Promise.resolve(),
    get: () => Promise.resolve({ metadata: { uid: "1" }, status: waiting }),
    remove: async (path: string) => void removed.push(path),
  } as unknown as Kube;
  expect(
    await networkRequirements(kube, { image: "image", limits: { startSeconds: 0, policySeconds: 0 } }),
  ).toEqual([
    {
      step: "network",
      ok: false,
      text: expect.stringMatching(
        /^not tried: a pod did not start: listener: ImagePullBackOff, .*; see --image$/,
      ),
    },
  ]);
  expect(removed).toEqual([expect.stringMatching(/^\/api\/v1\/namespaces\/drawbridge-doctor-[0-9a-f]{8}$/)]);
});

it("passes on what is no refusal", async () => {
  const kube = { create: () => Promise.reject(new Error("no network")) } as unknown as Kube;
  await expect(networkRequirements(kube, { image: "image" })).rejects.toThrow("no network");
});
