/** Patches change what a container promises nothing about; for a field on which a promise rests they are refused. */
import { expect, it } from "vitest";
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

const pod = (spec: unknown) => ({ patches: { workload: { spec: { template: { spec } } } } });

it.each<[string, Record<string, unknown>, string[]]>([
  [
    "the selector",
    { patches: { workload: { spec: { selector: { matchLabels: { a: "b" } } } } } },
    ["workload.spec.selector.matchLabels.a"],
  ],
  ["the whole spec", { patches: { workload: { spec: null } } }, ["workload.spec"]],
  [
    "names and namespace",
    { patches: { service: { metadata: { name: "x", namespace: "y" } } } },
    ["service.metadata.name", "service.metadata.namespace"],
  ],
  [
    "labels of ours",
    { patches: { home: { metadata: { labels: { "app.kubernetes.io/instance": "x", mine: "y" } } } } },
    ['home.metadata.labels["app.kubernetes.io/instance"]'],
  ],
  [
    "an open path that is one key",
    { patches: { workload: { "spec.template.spec": { dnsPolicy: "Default" } } } },
    ['workload["spec.template.spec"].dnsPolicy'],
  ],
  [
    "a container whose name is made like an open path",
    pod({ containers: [{ name: "dev.livenessProbe", image: "x:1", securityContext: { privileged: true } }] }),
    [
      "workload.spec.template.spec.containers[0].image",
      "workload.spec.template.spec.containers[0].securityContext.privileged",
    ],
  ],
  ["all labels at once", { patches: { home: { metadata: { labels: null } } } }, ["home.metadata.labels"]],
  [
    "the pod's security",
    pod({ securityContext: { runAsUser: 0 }, hostNetwork: true }),
    ["workload.spec.template.spec.hostNetwork", "workload.spec.template.spec.securityContext.runAsUser"],
  ],
  [
    "sshd's mounts",
    pod({ containers: [{ name: "dev", volumeMounts: [{ name: "host-key", mountPath: "/x" }] }] }),
    ["workload.spec.template.spec.containers[0].volumeMounts[0].mountPath"],
  ],
  [
    "the container's security",
    pod({ containers: [{ name: "dev", securityContext: { privileged: true } }] }),
    ["workload.spec.template.spec.containers[0].securityContext.privileged"],
  ],
  [
    "another container",
    pod({ containers: [{ name: "other", image: "a:1" }] }),
    ["workload.spec.template.spec.containers[0].image"],
  ],
  [
    "containers without names",
    pod({ containers: [{ tty: true }] }),
    ["workload.spec.template.spec.containers"],
  ],
  [
    "the host key",
    { patches: { hostKey: { stringData: { ssh_host_ed25519_key: "mine" } } } },
    ["hostKey.stringData.ssh_host_ed25519_key"],
  ],
  ["the walls", { patches: { network: { spec: { egress: [{}] } } } }, ["network.spec.egress"]],
  [
    "where the route leads",
    { access: { gateway }, patches: { route: { spec: { hosts: ["*"] } } } },
    ["route.spec.hosts"],
  ],
])("are refused at %s", (_, args, places) => {
  const found = faultsOf(args).map((fault) => {
    expect(fault).toMatch(/: cannot be set by a patch$/);
    return fault.slice("patches.".length, fault.indexOf(": "));
  });
  expect(found).toEqual(places);
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
