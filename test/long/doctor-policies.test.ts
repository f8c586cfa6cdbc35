/** What `doctor` reads in NetworkPolicies, beside what enforces them here: random policies over a few pods. FUZZ_SEED repeats. */
import { createServer } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  blockingPolicies,
  type End,
  type NetworkPolicy,
} from "../../packages/cli/src/doctor/network-policies.ts";
import { addresses } from "../../packages/lab/src/cluster/addresses.ts";
import { apply, eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { pod } from "../support/lab/lab-objects.ts";

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1e9);
const rounds = Number(process.env.FUZZ_ROUNDS ?? 30);
const ports = [8080, 8081] as const;
const spaces = ["a", "b"].map((tier) => ({ name: `doctor-${process.pid}-${tier}`, labels: { tier } }));
const nodeAt = addresses.controlPlane;

/** An end of connections: a pod, or the node, which only an address names. */
interface Spot {
  readonly name: string;
  readonly end: End | { readonly address: string };
  address: string;
}
const spots: Spot[] = spaces.flatMap(({ name: namespace, labels: namespaceLabels }) =>
  [{ app: "x" }, { app: "y" }, { app: "x", kind: "z" }].map((labels, index) => ({
    name: `p${index}`,
    end: { namespace, namespaceLabels, labels },
    address: "",
  })),
);
const pods = [...spots];
spots.push({ name: "node", end: { address: nodeAt }, address: nodeAt });
const namespaceOf = ({ end }: Spot) => ("namespace" in end ? end.namespace : "");

const labels = fc.record({ app: fc.constantFrom("x", "y"), kind: fc.constant("z") }, { requiredKeys: [] });
const expression = fc.record({
  key: fc.constantFrom("app", "kind", "none"),
  operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
});
const selector = fc.oneof(
  fc.record({ matchLabels: labels }),
  expression.map((one) => ({
    matchExpressions: [{ ...one, ...(one.operator.endsWith("n") ? { values: ["x", "z"] } : {}) }],
  })),
);
const namespaceSelector = fc.constantFrom(
  {},
  { matchLabels: { tier: "a" } },
  { matchExpressions: [{ key: "tier", operator: "NotIn", values: ["a"] }] },
);
const block = fc.record(
  { cidr: fc.constantFrom("0.0.0.0/0", "10.201.0.0/24"), except: fc.constant(["10.201.0.0/28"]) },
  { requiredKeys: ["cidr"] },
);
const peer = fc.oneof(
  fc.record({ podSelector: selector }),
  fc.record({ namespaceSelector }),
  fc.record({ namespaceSelector, podSelector: selector }),
  block.map((ipBlock) => ({ ipBlock })),
);
const portRule = fc.constantFrom(
  { port: 8080 },
  { port: 8081, protocol: "TCP" },
  { port: 8000, endPort: 8080 },
  { port: 8080, protocol: "UDP" },
  { protocol: "TCP" },
  { port: "http" },
);
const rule = (peers: "from" | "to") =>
  fc.record({ [peers]: fc.array(peer, { maxLength: 2 }), ports: fc.array(portRule, { maxLength: 2 }) });
const policy = fc.record({
  namespace: fc.constantFrom(...spaces.map(({ name }) => name)),
  spec: fc.record(
    {
      podSelector: selector,
      policyTypes: fc.constantFrom(["Ingress"], ["Egress"], ["Ingress", "Egress"]),
      ingress: fc.array(rule("from"), { maxLength: 2 }),
      egress: fc.array(rule("to"), { maxLength: 2 }),
    },
    { requiredKeys: ["podSelector"] },
  ),
});
type Policies = readonly (NetworkPolicy & { readonly metadata: { readonly namespace: string } })[];
const policies = fc.array(policy, { minLength: 1, maxLength: 4 }).map((all) =>
  all.map(({ namespace, spec }, index) => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: `p${index}`, namespace },
    spec,
  })),
) as fc.Arbitrary<Policies>;

/** What only the cluster knows: a pod's address, and the number of a named port. */
const isVague = (all: Policies, to: Spot) =>
  /"http"/.test(JSON.stringify(all)) || ("namespace" in to.end && /ipBlock/.test(JSON.stringify(all)));

/** Each connection by its name, as `doctor` reads it: undefined where it lets through what it cannot know. */
function read(all: Policies): Map<string, boolean | undefined> {
  const within = (namespace: string) => all.filter(({ metadata }) => metadata.namespace === namespace);
  const found = new Map<string, boolean | undefined>();
  for (const from of pods)
    for (const to of spots.filter((one) => one !== from))
      for (const port of ports) {
        const out = blockingPolicies(within(namespaceOf(from)), "Egress", from.end as End, to.end, port);
        const into =
          "address" in to.end
            ? []
            : blockingPolicies(within(namespaceOf(to)), "Ingress", to.end, from.end, port);
        const isOpen = out.length + into.length === 0;
        found.set(connection(from, to, port), isOpen && isVague(all, to) ? undefined : isOpen);
      }
  return found;
}

const connection = (from: Spot, to: Spot, port: number) =>
  `${namespaceOf(from).slice(-1)}/${from.name} to ${namespaceOf(to).slice(-1)}/${to.name} ${port}`;

/** Which connections open now. */
async function tried(): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>();
  const each = pods.map(async (from) => {
    const aims = spots.filter((to) => to !== from).flatMap((to) => ports.map((port) => ({ to, port })));
    const knocks = aims.map(
      ({ to, port }, index) =>
        `(nc -w 1 ${to.address} ${port} </dev/null >/dev/null 2>&1 && echo ${index}) &`,
    );
    const command = [
      "exec",
      "-n",
      namespaceOf(from),
      from.name,
      "--",
      "sh",
      "-c",
      `${knocks.join("\n")}\nwait`,
    ];
    const { stdout } = await run("kubectl", command);
    const open = new Set(stdout.trim().split("\n"));
    aims.forEach(({ to, port }, index) => {
      found.set(connection(from, to, port), open.has(String(index)));
    });
  });
  await Promise.all(each);
  return found;
}

const servers = ports.map((port) =>
  createServer((socket) => {
    socket.on("error", () => {});
    socket.end("x");
  }).listen(port, nodeAt),
);

beforeAll(async () => {
  for (const { name, labels: own } of spaces)
    await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels: own } });
  const listening = ports.map((port) => `httpd -p ${port} -h /tmp`).join("\n");
  for (const { name, end } of pods) {
    const made = pod(name, (end as End).labels ?? {}, `${listening}\nexec sleep 1000000`) as {
      metadata: object;
    };
    await apply({ ...made, metadata: { ...made.metadata, namespace: (end as End).namespace } });
  }
  for (const spot of pods)
    spot.address = await eventually(`the address of ${spot.name}`, async () => {
      const { status } = await getObject<{ status: { podIP?: string; phase: string } }>([
        ...["-n", namespaceOf(spot), "pod", spot.name],
      ]);
      return status.phase === "Running" ? status.podIP : undefined;
    });
});

afterAll(async () => {
  for (const server of servers) server.close();
  await kubectl(["delete", "namespace", ...spaces.map(({ name }) => name), "--wait=false"]);
});

it(`agrees with what is enforced, and errs only where it cannot know (seed ${seed})`, async () => {
  await eventually("all pods listening", async () => [...(await tried()).values()].every(Boolean));
  const seen = { open: 0, shut: 0, unknown: 0 };
  for (const all of fc.sample(policies, { seed, numRuns: rounds })) {
    await apply(...all);
    const expected = read(all);
    let wrong: string[] = [];
    const agrees = async () => {
      const found = await tried();
      wrong = [...expected].flatMap(([name, isOpen]) =>
        isOpen === undefined || found.get(name) === isOpen ? [] : [`${name} is ${isOpen ? "shut" : "open"}`],
      );
      return wrong.length === 0;
    };
    // The engine hears of new policies a moment later.
    await eventually("agreement", agrees, 20).catch(() => {});
    expect(wrong, JSON.stringify(all, undefined, 1)).toEqual([]);
    for (const isOpen of expected.values())
      seen[isOpen === undefined ? "unknown" : isOpen ? "open" : "shut"] += 1;
    for (const { name } of spaces) await kubectl(["-n", name, "delete", "networkpolicies", "--all"]);
  }
  console.log(`${rounds} rounds of policies: ${JSON.stringify(seen)}`);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
