/** Whatever arguments are valid give manifests that the real API server accepts under Pod Security "restricted". */

import type { DevContainerInput } from "@drawbridge-iac/drawbridge/src/dev-container/args";
import { devContainerSchema } from "@drawbridge-iac/drawbridge/src/dev-container/args-checks";
import { devContainerObjects } from "@drawbridge-iac/drawbridge/src/dev-container/objects";
import { type DevContainerPlan, planDevContainer } from "@drawbridge-iac/drawbridge/src/dev-container/plan";
import { parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import type { Manifest } from "@drawbridge-iac/drawbridge/src/kubernetes/manifest";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apply, kubectl } from "../../scripts/lib/lab/lab.ts";

const namespace = "team-any";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const seed = "only-for-tests-0123456789abcdef0123456789abcdef";

beforeAll(async () => {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  const space = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } };
  await apply(space);
});
afterAll(() => kubectl(["delete", "namespace", namespace, "--wait=false"]));

const label = fc.stringMatching(/^[a-z][-a-z0-9]{0,20}[a-z0-9]$/);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const path = fc.stringMatching(/^\/(srv|opt|data)\/[a-z][A-Za-z0-9_.-]{0,12}[a-z]$/);

const mode = fc.constantFrom(
  { ssh: { mode: "image" }, args: ["jupyter"] } as const,
  { ssh: { mode: "injected", image: "sshd-bundle:1" }, command: ["a"] } as const,
  { ssh: { mode: "injected", image: "sshd-bundle:1", port: 2222 }, runImageCommand: true } as const,
  { ssh: { mode: "sidecar", image: "devcontainer:1" }, command: ["a"], args: ["b"] } as const,
);

const gpu = fc.record({
  count: fc.integer({ min: 1, max: 8 }),
  resource: fc.constantFrom("nvidia.com/gpu", "nvidia.com/mig-1g.10gb"),
  product: fc.constantFrom(undefined, "NVIDIA-A100-SXM4-80GB"),
});
const resources = fc.record({
  requests: fc.record({ cpu: fc.constantFrom("100m", "2") }),
  limits: fc.constantFrom({}, { cpu: "3" }, { cpu: "4500m" }),
  memory: fc.constantFrom("64Mi", "1.5Gi", "32G"),
  gpu: maybe(gpu),
  ephemeralStorage: maybe(fc.constant("10Gi")),
});
const nodeAffinity = (zones: string[]) => ({
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [
      { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: zones }] },
    ],
  },
});

const ports = fc
  .uniqueArray(fc.integer({ min: 1024, max: 65535 }), { maxLength: 4 })
  .map((numbers) =>
    numbers
      .filter((port) => port !== 2222)
      .map((port, index) => ({ name: `p-${index}`, port, throughGateway: index % 2 === 0 })),
  );

const container = fc
  .record({
    name: label,
    mode,
    resources,
    ports,
    user: fc.record({ name: fc.constantFrom("jovyan", "dev_1"), uid: fc.integer({ min: 1000, max: 60000 }) }),
    env: fc.dictionary(
      fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,10}$/),
      fc.string().filter((text) => !/[\r\n\0]/.test(text)),
    ),
    persist: fc.record({ paths: fc.uniqueArray(path, { maxLength: 3 }) }),
    mounts: fc.uniqueArray(label, { maxLength: 3 }),
    home: fc.record({ size: fc.constantFrom("1Gi", "500Mi"), storageClassName: maybe(label) }),
    scheduling: fc.record({
      nodeSelector: fc.dictionary(label, label, { maxKeys: 2 }),
      affinity: maybe(
        fc
          .array(label, { minLength: 1, maxLength: 2 })
          .map((zones) => ({ nodeAffinity: nodeAffinity(zones) })),
      ),
      tolerations: fc.array(
        fc.record({ key: label, effect: fc.constantFrom(undefined, "NoExecute" as const) }),
        { maxLength: 2 },
      ),
    }),
    egress: fc.record({
      internet: fc.boolean(),
      deny: fc.constantFrom([], ["192.0.2.0/24", "2001:db8::/32"]),
      allow: fc.constantFrom([], [{ cidr: "10.1.0.0/16", ports: [443] }, { cidr: "fd00::/8" }]),
    }),
    ingress: fc.constantFrom(
      [],
      [
        { namespace: "ci", ports: [8080] },
        { podLabels: { a: "b" }, ports: [1, 2] },
      ],
    ),
    serviceAccount: fc.record({ token: fc.boolean() }),
    startupScript: maybe(fc.string().map((text) => `#!/bin/sh\n${text.replaceAll("\0", "")}`)),
    proxy: maybe(fc.record({ http: fc.constant("http://proxy:3128"), except: fc.constant([".corp"]) })),
    trustedCa: maybe(fc.record({ configMapName: label })),
    pod: fc.record({
      eviction: fc.constantFrom("never" as const, "allowed" as const),
      stopWarningSeconds: fc.integer({ min: 0, max: 55 }),
    }),
    running: fc.boolean(),
    next: fc.boolean(),
  })
  .map(({ mode, mounts, next, ...rest }): DevContainerInput => {
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    return {
      namespace,
      image: "registry.example.com/devcontainer:1.4.0",
      authorizedKeys: [key],
      hostKey: { seed, ...(next ? { next: { seed, generation: 2 } } : {}) },
      access: { gateway: { name: "ssh", namespace: "ssh", domain: "dev.example.com", plainPort: 80 } },
      ...(JSON.parse(JSON.stringify({ ...known, ...mode })) as object),
      mounts: mounts.map((claim) => ({ claimName: claim, mountPath: `/mnt/${claim}` })),
    } as DevContainerInput;
  });

/** Every manifest of a container. */
function manifestsOf(plan: DevContainerPlan): Manifest[] {
  const hostKey = { privateKey: "private", nextPrivateKey: "next", publicKeys: ["public"] };
  const objects = devContainerObjects(plan, { hostKey, frpc: undefined, env: undefined });
  return Object.values(objects).flatMap((object) => (object ? [object.manifest] : []));
}

describe("any valid arguments", () => {
  it("give manifests that are accepted, with a pod that passes restricted", async () => {
    // Ten at a time: each call of kubectl costs more than what it sends.
    await fc.assert(
      fc.asyncProperty(fc.array(container, { minLength: 10, maxLength: 10 }), async (batch) => {
        const manifests = batch.flatMap((args, index) => {
          const name = `${args.name}-${index}`;
          const parsed = parseArgs("DevContainer", name, devContainerSchema, { ...args, name });
          return manifestsOf(planDevContainer(name, parsed));
        });
        const pods = manifests.flatMap((one) => (one.kind === "StatefulSet" ? [podOf(one)] : []));
        const items = [...manifests, ...pods];
        const sent = JSON.stringify({ apiVersion: "v1", kind: "List", items });
        const accepted = await kubectl(["apply", "--dry-run=server", "-o", "name", "-f", "-"], sent);
        expect(accepted.trim().split("\n")).toHaveLength(items.length);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});

/** Pod Security only warns about a StatefulSet; its pod is what would be refused. */
function podOf(set: Manifest<"StatefulSet">): object {
  const { template } = set.spec as unknown as { template: { metadata: object; spec: object } };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...template.metadata, name: `${set.metadata.name}-0`, namespace },
    spec: template.spec,
  };
}
