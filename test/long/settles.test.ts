/**
 * Every component with every argument settles: what `up` made, neither a second preview nor a `refresh` would change,
 * and `destroy` leaves what is declared to stay and nothing else. On a real API server with its controllers, where no
 * pod runs, so nothing that takes pods is waited for.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { alice, bob, containerBase } from "../../packages/drawbridge/src/host/base.trials.ts";
import { teamNamespace } from "../../packages/drawbridge/src/team/namespace.ts";
import { type ApiServer, startApiServer } from "../../scripts/lib/engine/api-server.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { addIstioKinds, addKinds, install } from "../support/attacks/server.ts";
import { everyArgument, type Instance, make, unset } from "../support/engine/every-argument.ts";
import { changes, everyKind, objects } from "../support/engine/settled.ts";

const perStack = 30;
/** A renamed component has the same namespace as one that moved there; two of a stack cannot. */
const instances = everyArgument().map(
  (one): Instance =>
    one.args.namespace === "renamed" ? { ...one, args: { ...one.args, namespace: "moved" } } : one,
);
const stacks = Array.from({ length: Math.ceil(instances.length / perStack) }, (_, index) =>
  instances.slice(index * perStack, (index + 1) * perStack),
).map((some) => [`${some[0]?.name} to ${some.at(-1)?.name}`, some] as const);

/** What the components' arguments take as given. */
const teams = ["team-a", "team-b", "team-c", "other"];
const places = ["gw", "gw2", "files", "files2", "istio-ingress", "monitoring"];

/** The namespaces of components that do not make their own. */
const given = instances
  .filter(({ kind, args }) => kind === "TeamMembers" || args.createNamespace === false)
  .map(({ name, args }) => String(args.namespace ?? args.name ?? name));

let api: ApiServer;
let everything: string;
let balancing: Balancing;

beforeAll(async () => {
  api = await startApiServer();
  await addIstioKinds(api);
  await addKinds(api, { group: "cert-manager.io", kinds: ["Certificate", "Issuer"] });
  await install(api, [
    ...teams.map((name) => teamNamespace(name, [])),
    ...[...places, ...given].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
  ]);
  everything = await everyKind(api.kubectl);
  balancing = giveAddresses(api);
});
afterAll(async () => {
  await balancing?.end();
  await api?.stop();
});

interface Balancing {
  end(): Promise<void>;
}

/** Gives every LoadBalancer an address, as a cloud would. */
function giveAddresses({ kubectl }: ApiServer): Balancing {
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
  const path =
    '{range .items[?(@.spec.type=="LoadBalancer")]}{.metadata.namespace} {.metadata.name} {.status.loadBalancer.ingress}{"\\n"}{end}';
  let isOver = false;
  const loop = async () => {
    while (!isOver) {
      const found = await kubectl(["get", "services", "--all-namespaces", `--output=jsonpath=${path}`]);
      for (const line of found.split("\n")) {
        const [namespace, name, ingress] = line.split(" ");
        if (!namespace || !name || ingress) continue;
        const patch = ["--subresource=status", "--type=merge", `--patch=${JSON.stringify({ status })}`];
        // It may be gone by now.
        await kubectl(["-n", namespace, "patch", "service", name, ...patch]).catch(() => undefined);
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  const ended = loop();
  return {
    end: () => {
      isOver = true;
      return ended;
    },
  };
}

/** Kinds whose creation the provider waits for. */
const awaited = /^kubernetes:(apps\/v1:|batch\/v1:Job|core\/v1:(Service|PersistentVolumeClaim)$)/;

/**
 * Registers the components; no pod is waited for. Notes what this hides: an empty map, which would never settle, and
 * a Service that would hold an `up` for ten seconds.
 */
function program(some: readonly Instance[], hidden: string[]) {
  return async () => {
    pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => {
      const { annotations, labels } = props.metadata ?? {};
      for (const map of [annotations, labels])
        if (map !== undefined && Object.keys(map).length === 0) hidden.push(`empty map: ${type} ${name}`);
      if (type === "kubernetes:core/v1:Service" && isSlow(props.spec, annotations))
        hidden.push(`slow: ${name}`);
      if (!awaited.test(type)) return undefined;
      // The components tell a LoadBalancer's address, so that alone is waited for.
      const waitLonger =
        props.spec.type === "LoadBalancer"
          ? { "pulumi.com/waitFor": "jsonpath={.status.loadBalancer.ingress[0].ip}" }
          : { "pulumi.com/skipAwait": "true" };
      const metadata = { ...props.metadata, annotations: { ...annotations, ...waitLonger } };
      return { props: { ...props, metadata }, opts };
    });
    for (const instance of some) make(instance);
  };
}

/** The provider looks for ten seconds whether a cluster IP with a selector stays; a LoadBalancer's address comes later. */
const isSlow = (spec: { clusterIP?: string; type?: string }, annotations: object | undefined) =>
  spec.clusterIP !== "None" &&
  spec.type !== "LoadBalancer" &&
  !("pulumi.com/skipAwait" in (annotations ?? {}));

interface Kept {
  readonly type: string;
  readonly id: string;
  readonly retainOnDelete?: boolean;
}

/** What the state says that a removal leaves, in the words of `objects`. */
async function kept(stack: Stack): Promise<string[]> {
  const { deployment } = await stack.exportStack();
  const { resources } = deployment as { resources: Kept[] };
  return resources
    .filter(({ retainOnDelete }) => retainOnDelete === true)
    .map(({ type, id }) => `${type.split(":").at(-1)} ${id.includes("/") ? id : `/${id}`}`);
}

/** What Kubernetes puts into a namespace that stays. */
function within(one: string): string[] {
  const [, name] = /^Namespace \/(.+)$/.exec(one) ?? [];
  return name === undefined ? [] : [`ConfigMap ${name}/kube-root-ca.crt`, `ServiceAccount ${name}/default`];
}

it("every argument is in the stacks", () => {
  expect(unset(instances)).toEqual([]);
});

let total = 0;
describe.each(stacks)("%s", (_, some) => {
  it("settles", async () => {
    const hidden: string[] = [];
    const there = () => objects(api.kubectl, everything, "--all-namespaces");
    const before = await there();
    const { stack, removeState } = await testStack(program(some, hidden), {
      // Thirty gateways are 1,150 resources, and a file of megabytes is not written after each.
      env: {
        KUBECONFIG: api.kubeconfigs.admin,
        PULUMI_EXPERIMENTAL: "true",
        PULUMI_SKIP_CHECKPOINTS: "true",
      },
    });
    onTestFinished(async () => {
      await stack.destroy();
      await removeState();
    });
    const { summary } = await stack.up();
    const made = summary.resourceChanges?.create ?? 0;
    expect(made).toBeGreaterThan(some.length);
    total += made;
    console.log(`${made} resources, ${total} in all`);
    expect(hidden).toEqual([]);
    expect(await changes(stack, "preview")).toEqual([]);
    expect(await changes(stack, "refresh")).toEqual([]);
    expect(await changes(stack, "preview")).toEqual([]);

    const stays = await kept(stack);
    await stack.destroy();
    const left = [...before, ...stays, ...stays.flatMap(within)].sort();
    await expect.poll(there, { timeout: 300_000, interval: 2000 }).toEqual(left);
    for (const one of stays) {
      const [kind = "", place = ""] = one.split(" ");
      const [namespace = "", name = ""] = place.split("/");
      expect(kind).toMatch(/^(PersistentVolumeClaim|Namespace)$/);
      await api.kubectl(["-n", namespace || "default", "delete", kind, name]);
    }
  });
});

it.each([
  ["replaced", "false", { replace: 1, update: 1 }],
  ["changed in place", "true", { update: 2 }],
] as const)("new keys leave the workload alone where ConfigMaps are %s", async (_, mutable, expected) => {
  const container = (keys: string[]) =>
    program([{ kind: "DevContainer", name: "keys", args: { ...containerBase, authorizedKeys: keys } }], []);
  const { stack, setProgram, removeState } = await testStack(container([alice]), {
    env: { KUBECONFIG: api.kubeconfigs.admin, PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE: mutable },
  });
  await stack.up();
  const workload = () =>
    api.kubectl([
      "-n",
      "team-a",
      "get",
      "statefulset",
      "keys",
      "-o",
      "jsonpath={.metadata.uid} {.metadata.generation}",
    ]);
  const before = await workload();
  setProgram(container([alice, bob]));
  const { same: _same, ...changed } = (await stack.up()).summary.resourceChanges ?? {};
  expect(changed).toEqual(expected);
  expect(await workload()).toBe(before);
  expect(await changes(stack, "refresh")).toEqual([]);
  await stack.destroy();
  await removeState();
  await api.kubectl(["-n", "team-a", "delete", "pvc", "keys-home"]);
});
