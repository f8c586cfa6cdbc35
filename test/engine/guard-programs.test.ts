/** Ten programs as their owners write them, brought up and then changed: the guard asks for one accepted line at most. */
import { DevContainer, InjectedSshd, SshRoute, Team } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { containerBase, image } from "../../packages/drawbridge/src/host/base.trials.ts";
import {
  findingNames,
  judge,
  parseAcceptances,
  parseBounds,
  readWholePreview,
} from "../../packages/guard/src/index.ts";
import {
  type KeptSecrets,
  keepSecrets,
  pretendUp,
  previewDigest,
  whole,
} from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack, unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { trialsOf } from "../../scripts/lib/trials/index.ts";

const until = new Date().toISOString().slice(0, 10);
const container = (name: string, args: object = {}, opts: pulumi.ComponentResourceOptions = {}) =>
  new DevContainer(name, { ...containerBase, ...args } as never, opts);
const memory = (isChanged: boolean) => ({ resources: { memory: isChanged ? "4Gi" : "2Gi" } });
const labelled: pulumi.ResourceTransform = ({ type, props, opts }) =>
  type.startsWith("kubernetes:") && type !== "pulumi:providers:kubernetes"
    ? {
        props: {
          ...props,
          metadata: {
            ...props.metadata,
            labels: { ...props.metadata?.labels, "example.com/owner": "research" },
          },
        },
        opts,
      }
    : undefined;
const restricted = {
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
};
const template = (labels: Record<string, string>, tag: string) => ({
  metadata: { labels },
  spec: {
    automountServiceAccountToken: false,
    containers: [{ name: "app", image: `registry.example.com/app:${tag}`, securityContext: restricted }],
  },
});
function deployment(name: string, isChanged: boolean) {
  const labels = { app: name };
  const metadata = { name, namespace: "team-a" };
  const spec = { selector: { matchLabels: labels }, template: template(labels, isChanged ? "2" : "1") };
  new k8s.apps.v1.Deployment(name, { metadata, spec });
  new k8s.core.v1.Service(name, { metadata, spec: { selector: labels, ports: [{ port: 80 }] } });
  new k8s.core.v1.ConfigMap(name, { metadata, data: { mode: isChanged ? "b" : "a" } });
}

class Workplace extends pulumi.ComponentResource {
  constructor(name: string, isChanged: boolean) {
    super("company:index:Workplace", name);
    container(name, memory(isChanged), { parent: this });
  }
}

interface Program {
  readonly program: (isChanged: boolean) => unknown;
  /** The line of the acceptance file that it needs. */
  readonly accepted?: { readonly rule: string; readonly object: string; readonly what: string };
}

const ownerLabel = {
  rule: "foreign-change",
  object: "*",
  what: "metadata.labels.example.com/owner is not what the arguments of dev1 say *",
};

const programs: Readonly<Record<string, Program>> = {
  "with a container that has another name by an alias": {
    program: (isChanged) =>
      isChanged
        ? container("alice", { name: "workbench" }, { aliases: [{ name: "workbench" }] })
        : container("workbench"),
  },
  "with a transform that was always there": {
    program: (isChanged) => container("dev1", memory(isChanged), { transforms: [labelled] }),
    accepted: ownerLabel,
  },
  "with a transform that is new": {
    program: (isChanged) => container("dev1", {}, isChanged ? { transforms: [labelled] } : {}),
    accepted: ownerLabel,
  },
  "with patches": {
    program: (isChanged) =>
      container("dev1", {
        patches: {
          workload: {
            spec: { template: { spec: { dnsConfig: { searches: [isChanged ? "b.com" : "a.com"] } } } },
          },
        },
      }),
  },
  "with a class of its own around a container": { program: (isChanged) => new Workplace("dev1", isChanged) },
  "with a provider of its own": {
    program: (isChanged) => {
      const provider = new k8s.Provider("east", { kubeconfig: pulumi.secret(unreachableKubeconfig) });
      container("dev1", memory(isChanged), { provider });
    },
    accepted: {
      rule: "unknown-value",
      object: "kubernetes east",
      what: "its kubeconfig is not shown, and may start a program",
    },
  },
  "with an application beside a container": {
    program: (isChanged) => {
      container("dev1");
      deployment("web", isChanged);
    },
  },
  "with an sshd in its own application": {
    program: (isChanged) => {
      const podTemplate = template({ app: "box" }, isChanged ? "2" : "1");
      const box = new InjectedSshd("box", { ...trialsOf("InjectedSshd").base("box"), podTemplate } as never);
      const spec = { selector: { matchLabels: { app: "box" } }, template: box.podTemplate as never };
      new k8s.apps.v1.Deployment("box", { metadata: { name: "box", namespace: "team-a" }, spec });
    },
  },
  "with a route to what a chart made, and a home that is adopted": {
    program: (isChanged) => {
      new SshRoute("box", trialsOf("SshRoute").base("box") as never, { protect: true });
      container("dev1", { home: { claimName: "alice-data" }, image: isChanged ? `${image}-2` : image });
    },
  },
  "with a namespace of its own that becomes a team's": {
    program: (isChanged) => {
      const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
      const namespace = new k8s.core.v1.Namespace("research", { metadata: { name: "research", labels } });
      const { name } = namespace.metadata;
      const team = new Team("research", { namespace: name, createNamespace: false });
      container("dev1", { namespace: team.namespace, ...memory(isChanged) });
    },
  },
};

// One line says that its own objects are welcome there.
const bounds = parseBounds({ namespaces: ["team-a", "research"] }, "bounds");

it.each(Object.entries(programs))("a program %s", { timeout: 300_000 }, async (_, { program, accepted }) => {
  const secrets: KeptSecrets = new Map();
  let isChanged = false;
  const run = async () => {
    if (!isChanged) keepSecrets(secrets);
    program(isChanged);
  };
  const { stack, removeState } = await testStack(run, { env: noCluster });
  const found = async (lines: readonly object[]) => {
    const { code, refused, unjudged, failures } = judge(
      readWholePreview(await previewDigest(stack, whole)),
      parseAcceptances(lines, "accepted.yaml", Object.keys(findingNames), new Date()),
      new Date(),
      bounds,
    );
    return { code, found: [...refused, ...unjudged, ...failures].map(({ rule, text }) => `${rule} ${text}`) };
  };
  const lines = accepted === undefined ? [] : [{ ...accepted, until }];
  try {
    const before = await found([]);
    expect(await found(lines)).toEqual({ code: 0, found: [] });
    await pretendUp(stack, secrets);
    isChanged = true;
    const after = await found([]);
    expect(await found(lines)).toEqual({ code: 0, found: [] });
    expect(Math.min(1, before.code + after.code)).toBe(lines.length);
  } finally {
    await removeState();
  }
});

it("are ten", () => expect(Object.keys(programs)).toHaveLength(10));
