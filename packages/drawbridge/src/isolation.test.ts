/**
 * The objects that keep teams apart, whole, as `recorded/isolation-*.yaml` has them: a change of one is a changed line
 * in the review. `npm run test:unit -- packages/drawbridge/src/isolation.test.ts -u` writes them anew. That each
 * of them holds is shown by the attacks in `test/lab`.
 */
import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import {
  DevContainer,
  FrpServer,
  SshGateway,
  StorageAccessor,
  StorageProxy,
  Team,
  TeamPolicies,
} from "./index.ts";
import {
  asBuilt,
  containers,
  frpServers,
  gateways,
  isolationKinds,
  storages,
  teams,
} from "./isolation.fixture.ts";

/** Kinds of which only the rights of their pods are recorded. */
const workloads = ["Deployment", "StatefulSet", "Job"];

type Metadata = { name: string; annotations?: Record<string, string> };
type Inputs = Record<string, unknown> & { kind: string; metadata: Metadata };

function template(inputs: Inputs): unknown {
  const { metadata, spec } = (
    inputs.spec as unknown as { template: { metadata: object; spec: Record<string, unknown> } }
  ).template;
  const containers = (all: unknown) =>
    ((all ?? []) as Record<string, unknown>[]).map(({ name, securityContext }) => ({
      name,
      securityContext,
    }));
  const { hostUsers, serviceAccountName, automountServiceAccountToken, securityContext } = spec;
  return {
    kind: inputs.kind,
    name: inputs.metadata.name,
    pods: {
      metadata,
      ...(hostUsers === undefined ? {} : { hostUsers }),
      ...{ serviceAccountName, automountServiceAccountToken, securityContext },
      containers: containers(spec.containers),
      initContainers: containers(spec.initContainers),
    },
  };
}

/** The isolating objects of what a program makes, in the order of their kinds and names. */
async function isolationOf(program: () => void): Promise<string> {
  const registered: Inputs[] = [];
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      if (typeof inputs.kind === "string") registered.push(inputs);
      // A load balancer that has its address, which others wait for.
      return { id: name, state: { ...inputs, status: { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } } } };
    },
    call: ({ inputs }) => inputs,
  });
  program();
  // What waits for another resource is registered a moment later.
  for (let before = -1; before !== registered.length; ) {
    before = registered.length;
    await pulumi.runtime.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const name = ({ kind, metadata }: Inputs) => `${kind} ${metadata.name}`;
  const objects = registered
    .toSorted((a, b) => name(a).localeCompare(name(b)))
    .flatMap<unknown>((inputs) => {
      if (isolationKinds.includes(inputs.kind)) return [asBuilt(inputs)];
      return workloads.includes(inputs.kind) ? [template(inputs)] : [];
    });
  return textOf(objects);
}

const textOf = (objects: readonly unknown[]) =>
  objects.map((object) => stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 })).join("---\n");

/** What each case registers. */
const cases: Record<string, () => void> = {
  ...programs(gateways, (args) => new SshGateway("ssh", args)),
  ...programs(containers, (args) => new DevContainer("dev1", args)),
  ...programs(teams, (args) => new Team("team-a", args)),
  "team-policies": () => void new TeamPolicies("teams"),
  ...programs(frpServers, (args) => new FrpServer("frp", args)),
  ...programs(storages, ({ proxy, browse, storage }) => {
    const { ref } = new StorageProxy("files", proxy);
    new StorageAccessor("models", { ...storage, browse: { ...browse, proxy: ref } });
  }),
};

function programs<Args>(all: Record<string, Args>, program: (args: Args) => unknown) {
  const entries = Object.entries(all);
  return Object.fromEntries(entries.map(([name, args]) => [name, () => void program(args)]));
}

it.each(Object.entries(cases))("are what is recorded: %s", async (name, program) => {
  await expect(await isolationOf(program)).toMatchFileSnapshot(`recorded/isolation-${name}.yaml`);
});
