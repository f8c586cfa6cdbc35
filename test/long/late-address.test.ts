/** A LoadBalancer whose address comes late, in TypeScript and in YAML: what is made before, and what people are told after. */
import { DevContainer, type HostCondition, SshGateway } from "@drawbridge-iac/drawbridge";
import { teamNamespace } from "@drawbridge-iac/drawbridge/src/team/namespace";
import { imageRef } from "@drawbridge-iac/lab";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { previewDigest, unknown } from "../../scripts/lib/engine/digest.ts";
import { testStack, valuesOf } from "../../scripts/lib/engine/engine.ts";
import { asEvents, plannedInEvents } from "../../scripts/lib/engine/remote.ts";
import { apply, eventually, getObject, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { drainSeconds, noLimits, podNetwork, testDomain, testSeed } from "../support/lab/cluster.ts";
import { compared, withYaml } from "../support/pages/yaml.ts";

const team = "team-late";
const gatewayName = "gw-late";
const address = "10.201.1.90";

let laptop: Laptop;
beforeAll(async () => {
  laptop = await Laptop.create();
  await apply(teamNamespace(team, [podNetwork]));
});
afterEach(async () => {
  await release();
  // Data outlives a stack; the next one makes claims of the same names.
  await kubectl(["-n", team, "delete", "pvc", "--all"]);
});
afterAll(async () => {
  await kubectl(["delete", "namespace", team, "--wait=false"]);
  await laptop.remove();
});

/** Another Service has the address, until it is released. */
async function hold(): Promise<void> {
  const spec = { type: "LoadBalancer", loadBalancerIP: address, ports: [{ port: 80 }] };
  await apply({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "holder", namespace: "default" },
    spec,
  });
  await eventually("its address", async () => (await ingressOf("default", "holder")) !== undefined);
}
const release = () => kubectl(["-n", "default", "delete", "service", "holder", "--ignore-not-found"]);

async function ingressOf(namespace: string, name: string): Promise<unknown> {
  type Service = { status: { loadBalancer?: { ingress?: unknown } } };
  return (await getObject<Service>(["-n", namespace, "service", name])).status.loadBalancer?.ingress;
}

interface Options {
  /** Whether Pulumi waits for the address. */
  readonly awaits?: boolean;
  /** What stands in `access`, where that is not the gateway itself. */
  readonly access?: object;
}

const argsOf = ({ awaits = true }: Options) => ({
  gateway: {
    name: gatewayName,
    domain: testDomain,
    replicas: 1,
    drainSeconds,
    connectionLimits: noLimits,
    resources: { requests: { cpu: "50m", memory: "128Mi" } },
    loadBalancer: {
      preset: "metallb" as const,
      address,
      ...(awaits ? {} : { annotations: { "pulumi.com/skipAwait": "true" } }),
    },
  },
  container: {
    namespace: team,
    image: imageRef("devcontainer"),
    authorizedKeys: [laptop.publicKey],
    hostKey: { seed: testSeed },
    home: { size: "64Mi" },
    resources: { requests: { cpu: "20m" }, memory: "128Mi" },
  },
});

const told = ["sshConfig", "knownHosts", "sshTarget", "status"] as const;
const languages = {
  async TypeScript<T>(options: Options, use: (stack: Stack) => Promise<T>): Promise<T> {
    const { stack, removeState } = await testStack(async () => {
      const args = argsOf(options);
      const gateway = new SshGateway("gateway", args.gateway);
      const container = new DevContainer("dev1", {
        ...args.container,
        access: options.access ?? { gateway },
      });
      return Object.fromEntries(told.map((name) => [name, container[name]]));
    });
    return use(stack).finally(removeState);
  },
  YAML<T>(options: Options, use: (stack: Stack) => Promise<T>): Promise<T> {
    const { gateway, container } = argsOf(options);
    const resources = {
      gateway: { type: "drawbridge:SshGateway", properties: gateway },
      dev1: {
        type: "drawbridge:DevContainer",
        properties: { ...container, access: { gateway: "${gateway}" } },
      },
    };
    const outputs = Object.fromEntries(told.map((name) => [name, `\${dev1.${name}}`]));
    const text = `name: drawbridge-test\nruntime: yaml\nresources: ${JSON.stringify(resources)}\noutputs: ${JSON.stringify(outputs)}\n`;
    return withYaml(text, use, {});
  },
};

/** The Kubernetes objects that a preview shows. */
async function planned(stack: Stack): Promise<Map<string, { readonly inputs?: object }>> {
  const all = plannedInEvents(await previewDigest(stack, asEvents));
  return new Map(
    [...all].flatMap(([urn, object]) => (urn.includes("kubernetes:") ? [[urn, compared(object)]] : [])),
  );
}

const kinds =
  "statefulset,service,configmap,secret,networkpolicy,role,rolebinding,persistentvolumeclaim,virtualservice";
/** What there is in the team's namespace, as it was written. */
async function objects(): Promise<object[]> {
  type Item = Record<"kind" | "spec" | "data" | "rules" | "subjects", unknown> & {
    metadata: { name: string };
  };
  const { items } = await getObject<{ items: Item[] }>(["-n", team, kinds]);
  const ofCluster = { volumeName: undefined };
  return items.map(({ kind, metadata: { name }, spec, data, rules, subjects }) => ({
    ...{ kind, name, data, rules, subjects },
    spec: { ...(spec as object), ...ofCluster },
  }));
}

const gatewayState = ({ status }: Record<string, unknown>) =>
  (status as { conditions: HostCondition[] }).conditions.find(({ type }) => type === "GatewayRoute");

/** The container is reached by the gateway, and a login says so. */
async function reachedByGateway(outputs: Record<string, unknown>): Promise<void> {
  expect(gatewayState(outputs)).toMatchObject({ status: true, reason: "Routed" });
  expect(outputs.sshConfig).toContain(`ProxyCommand proxytunnel -q -p ${address}:80 `);
  await laptop.configure(String(outputs.sshConfig), String(outputs.knownHosts));
  expect((await laptop.login("dev1", "hostname")).stdout).toBe("dev1-0\n");
}

const isReady = async () => {
  const { status } = await getObject<{ status: { readyReplicas?: number } }>([
    "-n",
    team,
    "statefulset",
    "dev1",
  ]);
  return status.readyReplicas === 1;
};
const asksInVain = async () => {
  const { metadata } = await getObject<{ metadata: { uid: string } }>([
    "-n",
    gatewayName,
    "service",
    gatewayName,
  ]);
  const { items } = await getObject<{ items: { reason: string }[] }>([
    ...["-n", gatewayName, "events", "--field-selector", `involvedObject.uid=${metadata.uid}`],
  ]);
  return items.some(({ reason }) => reason === "AllocationFailed");
};

const made = new Map<string, object[]>();

describe.each([
  ["TypeScript", "the container runs", isReady],
  // Pulumi's host for YAML goes on when all outputs of a component are known.
  ["YAML", "the gateway asks for it", asksInVain],
] as const)("an address that comes late, in %s", (language, moment, isSeen) => {
  it(`is in no object, which the preview shows whole, and in sshConfig when it comes after ${moment}`, async () => {
    const ref = { name: gatewayName, namespace: gatewayName, domain: testDomain, plainPort: 80 };
    const expected = await languages.TypeScript({ access: { gateway: ref, address } }, planned);
    await hold();
    await languages[language]({}, async (stack) => {
      const found = await planned(stack);
      expect(found).toEqual(expected);
      const own = [...found].flatMap(([urn, { inputs }]) =>
        urn.includes("::dev1-") ? [JSON.stringify(inputs)] : [],
      );
      expect(own.length).toBeGreaterThan(5);
      expect(own.filter((inputs) => inputs.includes(`"dev1.${team}.${testDomain}"`))).not.toEqual([]);
      expect(own.filter((inputs) => inputs.includes(unknown))).toEqual([]);

      const up = stack.up();
      try {
        // Whatever ends first: an `up` that fails says more than a wait that is in vain.
        await Promise.race([eventually(moment, isSeen, 240), up]);
        expect(await ingressOf(gatewayName, gatewayName)).toBeUndefined();
      } finally {
        await release();
      }
      const { outputs } = await up;
      await reachedByGateway(valuesOf(outputs));
      made.set(language, await objects());
      expect(Object.keys((await stack.up()).summary.resourceChanges ?? {})).toEqual(["same"]);
      await stack.destroy();
    });
  });

  it("that nobody waits for is missed in status, where sshConfig leads no other way, and read by a refresh", async () => {
    await hold();
    await languages[language]({ awaits: false }, async (stack) => {
      const without = valuesOf((await stack.up()).outputs);
      expect(gatewayState(without)).toMatchObject({ status: false, reason: "NoAddress" });
      expect(without.sshConfig ?? undefined).toBeUndefined();
      expect((without.sshTarget as { ways: object[] }).ways).toEqual([
        { way: "sshpod", pod: "dev1-0", namespace: team },
      ]);
      await release();
      await eventually("the address", async () => (await ingressOf(gatewayName, gatewayName)) !== undefined);
      await reachedByGateway(valuesOf((await stack.up({ refresh: true })).outputs));
      await stack.destroy();
    });
  });
});

it("the objects of both languages are the same", () => {
  expect(made.get("TypeScript")?.length).toBeGreaterThan(8);
  expect(made.get("YAML")).toEqual(made.get("TypeScript"));
});
