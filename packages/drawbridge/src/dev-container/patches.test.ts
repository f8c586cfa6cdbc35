/** Patches change what a container promises nothing about; for a field on which a promise rests they are refused. */
import { expect, it } from "vitest";
import { cases } from "../kit/faults.fixture.ts";
import { patched } from "../kubernetes/patch.ts";
import type { DevContainerInput } from "./args.ts";
import { faultsOf, gateway, planOf } from "./plan.fixture.ts";
import { statefulSet } from "./stateful-set.ts";

it("are merged by name in lists of named things, and replace other lists", () => {
  const plan = planOf({
    patches: {
      workload: {
        metadata: { annotations: { "backup.example.com/skip": "true" } },
        spec: {
          template: {
            spec: {
              dnsConfig: { searches: ["corp.example.com"] },
              containers: [
                { name: "dev", tty: true, resources: { claims: [{ name: "gpu" }] }, readinessProbe: null },
              ],
            },
          },
        },
      },
    },
  });
  const before = statefulSet(plan) as never as { spec: { template: { spec: Record<string, never> } } };
  const after = patched(statefulSet(plan), plan.patches.workload) as unknown as typeof before & {
    metadata: { annotations: unknown };
  };
  const { containers, dnsConfig, ...rest } = after.spec.template.spec as never as Record<string, unknown>;
  const { containers: own, ...others } = before.spec.template.spec as never as Record<string, unknown>;
  const [dev] = own as { readinessProbe?: unknown; resources: object }[];
  const { readinessProbe, ...kept } = dev ?? { resources: {} };
  expect(readinessProbe).toEqual({
    exec: { command: ["/usr/local/lib/drawbridge/sshd-listens", "22"] },
    periodSeconds: 10,
    failureThreshold: 3,
  });
  expect(containers).toEqual([
    { ...kept, tty: true, resources: { ...kept.resources, claims: [{ name: "gpu" }] } },
  ]);
  expect(dnsConfig).toEqual({ searches: ["corp.example.com"] });
  expect(rest).toEqual(others);
  expect(after.metadata.annotations).toEqual({ "backup.example.com/skip": "true" });
});

const pod = (spec: object) => ({ workload: { spec: { template: { spec } } } });
const inPod = "workload.spec.template.spec";

it.each(cases`
  { patches: { workload: { spec: { selector: { matchLabels: { a: b } } } } } } → workload.spec.selector.matchLabels.a
  { patches: { workload: { spec: null } } } → workload.spec
  { patches: { service: { metadata: { name: x, namespace: y } } } }
    → service.metadata.name
    → service.metadata.namespace
  { patches: { home: { metadata: { labels: { app.kubernetes.io/instance: x, mine: y } } } } }
    → home.metadata.labels["app.kubernetes.io/instance"]
  { patches: { workload: { spec.template.spec: { dnsPolicy: Default } } } } → workload["spec.template.spec"].dnsPolicy
  { patches: ${pod({ containers: [{ name: "dev.livenessProbe", image: "x:1", securityContext: { privileged: true } }] })} }
    → ${inPod}.containers[0].image
    → ${inPod}.containers[0].securityContext.privileged
  { patches: { home: { metadata: { labels: null } } } } → home.metadata.labels
  { patches: ${pod({ securityContext: { runAsUser: 0 }, hostNetwork: true })} }
    → ${inPod}.hostNetwork
    → ${inPod}.securityContext.runAsUser
  { patches: ${pod({ containers: [{ name: "dev", volumeMounts: [{ name: "host-key", mountPath: "/x" }] }] })} }
    → ${inPod}.containers[0].volumeMounts[0].mountPath
  { patches: ${pod({ containers: [{ name: "dev", securityContext: { privileged: true } }] })} }
    → ${inPod}.containers[0].securityContext.privileged
  { patches: ${pod({ containers: [{ name: "other", image: "a:1" }] })} } → ${inPod}.containers[0].image
  { patches: ${pod({ containers: [{ tty: true }] })} } → ${inPod}.containers
  { patches: { hostKey: { stringData: { ssh_host_ed25519_key: mine } } } } → hostKey.stringData.ssh_host_ed25519_key
  { patches: { network: { spec: { egress: [{}] } } } } → network.spec.egress
  { access: { gateway: ${gateway} }, patches: { route: { spec: { hosts: ["*"] } } } } → route.spec.hosts
`)("are refused: %s", (_, args, places) => {
  expect(faultsOf(args)).toEqual(places.map((place) => `patches.${place}: cannot be set by a patch`));
});

it("are refused for an object that the container does not have", () => {
  const metadata = { metadata: { labels: { a: "b" } } };
  const args: Partial<DevContainerInput> = {
    home: { claimName: "old" },
    patches: { home: metadata, persist: metadata, route: metadata },
  };
  expect(faultsOf(args)).toEqual([
    "patches.home: has nothing to change: home.claimName adopts a claim, which is never changed",
    "patches.persist: has nothing to change without persist.paths",
    "patches.route: has nothing to change without access.gateway",
  ]);
  expect(faultsOf({ patches: { worklod: metadata } })).toEqual(['patches: unknown key "worklod"']);
});
