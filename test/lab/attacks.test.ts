/**
 * The attacks that matter most, by a neighbour with exactly the deployer's role or with all of his own namespace, on the
 * running gateway. All of them: test/engine/admission-policies.test.ts and test/long/attacks-gateway.test.ts.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectorLabels } from "../../packages/drawbridge/src/kubernetes/labels.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { applyByForce, eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { apiAttacks } from "../support/attacks/api-attacks.ts";
import type { ApiObject } from "../support/attacks/api-user.ts";
import { named } from "../support/attacks/attack.ts";
import { ownGateway } from "../support/attacks/foreign-gateways.ts";
import { entry } from "../support/attacks/istio.ts";
import { endpoints, slice } from "../support/attacks/kubernetes.ts";
import { AttackLab } from "../support/attacks/lab.ts";
import { furtherName, route } from "../support/attacks/route.ts";
import { placeOf } from "../support/attacks/stage.ts";
import { askFromOutside, type Knocks } from "../support/clients/many-clients.ts";
import { restricted } from "../support/lab/restricted.ts";

const place = placeOf("atk");
let lab: AttackLab;

beforeAll(async () => {
  // With the limits that a gateway has by default.
  lab = await AttackLab.create(place, {});
});

afterAll(() => lab?.remove());

/** The first line of the gateway's answer to a CONNECT, and what comes behind it. */
async function connect(host: string): Promise<string[]> {
  const request = `CONNECT ${host}:22 HTTP/1.1\\r\\nHost: ${host}:22\\r\\n\\r\\n`;
  const script = '(printf "%b" "$1"; sleep 2) | nc -w 5 "$2" 80';
  const { stdout } = await run("sh", ["-c", script, "sh", request, lab.address]);
  return stdout.split("\r\n").filter((line) => /^(HTTP|SSH)/.test(line));
}

const chosen = [
  "another's name, the gateway written another way: name.namespace, new",
  "another's name, the gateway written another way: name.namespace.svc.cluster.local, changed",
  "a name that is not one's own: all of the domain, new",
  "one's own name, another destination: the API server, changed",
  "a field that a container's route does not have: mirror, new",
  "a Service that is another name for somebody else: another's container, changed",
  "an egress rule for a private network: all without exception, changed",
  "the default deny, removed",
  "the deployer's role, changed",
  "a Gateway of a team with the gateway's pods: no selector, new",
  "a ServiceEntry of a team with a name of the cluster's: its own, new",
  "a ServiceEntry of a team with an endpoint inside the proxy: a unix socket, new",
  "a slice by hand: another's container, new",
  "a forged address of a pod",
  "a DestinationRule of a team that the gateway obeys: by default, new",
  "the namespace: the mark, removed",
];

describe("a neighbour is refused, and his own work is not", () => {
  it.each(chosen)("%s", async (name) => {
    const attack = apiAttacks.find((one) => one.name === name);
    if (attack === undefined) throw new Error(`no attack is called "${name}"`);
    const user = lab.users[attack.who];
    expect(await attack.twin(user, place)).toMatchObject({ message: "" });
    expect((await attack.attempt(user, place)).message).toMatch(attack.refusal);
  });
});

describe("the deployer's role", () => {
  const forbidden =
    /^\S+ "\S+" is forbidden: User "system:serviceaccount:attackers:deployer" cannot \w+ resource /;
  const objects: Readonly<Record<string, () => ApiObject>> = {
    "a Gateway": () => ownGateway(place, "owner"),
    "a ServiceEntry": () => entry(place, "owner"),
    "an EndpointSlice": () => slice(place, "owner", "192.0.2.7"),
    Endpoints: () => endpoints(place, "owner", "192.0.2.7"),
    "a route in another's namespace": () => {
      const object = route(place);
      return { ...object, metadata: { ...object.metadata, namespace: place.victim } };
    },
    "a Secret in another's namespace": () => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "box-host-key", namespace: place.victim },
    }),
    "a ServiceAccount": () => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "x", namespace: place.team },
    }),
    "a ResourceQuota": () => ({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "team", namespace: place.team },
    }),
    "its Namespace": () => ({ apiVersion: "v1", kind: "Namespace", metadata: { name: place.team } }),
  };

  it.each(Object.entries(objects))("has no right to %s", async (_what, object) => {
    const answer = await lab.users.deployer.apply(object(), { dryRun: true });
    expect(answer.status).toBe(403);
    expect(answer.message).toMatch(forbidden);
  });

  it("has none to write a status or to take a token", async () => {
    const pod: ApiObject = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "stage", namespace: place.team },
    };
    const options = { dryRun: true, subresource: "status" };
    const answer = await lab.users.deployer.merge(pod, { status: { podIP: "10.244.0.9" } }, options);
    expect([answer.status, answer.message]).toEqual([
      403,
      expect.stringMatching(/cannot patch resource "pods\/status"/),
    ]);
    const may = [
      "auth",
      "can-i",
      "create",
      "serviceaccounts/default",
      "--subresource=token",
      "-n",
      place.team,
    ];
    const as = "--as=system:serviceaccount:attackers:deployer";
    expect((await run("kubectl", [...may, as])).stdout.trim()).toBe("no");
    const twin = ["auth", "can-i", "create", "services", "-n", place.team, as];
    expect((await run("kubectl", twin)).stdout.trim()).toBe("yes");
  });

  it("hands on no right that it has not, and those that it has", async () => {
    const binding = (name: string): ApiObject => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "hand-on", namespace: place.team },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "eve" }],
    });
    const give = (name: string) => lab.users.deployer.apply(binding(name), { dryRun: true });
    expect((await give("view")).message).toBe("");
    for (const name of ["edit", "admin", "cluster-admin"]) {
      expect((await give(name)).message).toMatch(/attempting to grant RBAC permissions not currently held/);
    }
  });
});

describe("names lead where they led", () => {
  it("one's own new name is answered, another's is not, and the victim logs in to what is his", async () => {
    const own = `own.${place.team}.${place.gateway.domain}`;
    const mine = `mine.${place.team}.${place.gateway.domain}`;
    expect(await lab.users.deployer.apply(named(furtherName(place, mine), "mine"))).toMatchObject({
      status: 201,
    });
    await eventually("the new name", async () => (await connect(mine)).length === 2);
    for (const name of [own, mine])
      expect(await connect(name)).toEqual(["HTTP/1.1 200 OK", expect.stringMatching(/^SSH-2\.0-/)]);
    expect(await connect(`free.${place.victim}.${place.gateway.domain}`)).toEqual(["HTTP/1.1 404 Not Found"]);
    expect(await lab.laptop.ssh(["box", "hostname"])).toMatchObject({ code: 0, stdout: "box-0\n" });
  });
});

describe("a client without a key", () => {
  it("is refused when it opens 40 tunnels at once, while others get in", async () => {
    const knocks = (from: string, times: number): Knocks => ({
      from,
      authority: `box.${place.victim}.${place.gateway.domain}:22`,
      times,
      atOnce: true,
    });
    const target = { address: lab.address, port: 80 };
    const [flood, other] = await askFromOutside(target, [knocks("192.0.2.91", 40), knocks("192.0.2.92", 1)]);
    const [opened = 0, refused = 0] = ["200 OK", "429 Too Many Requests"].map((said) => flood?.[said]);
    expect(opened + refused).toBe(40);
    // 30 at once; while they come, the limit may give back one or two.
    expect([8, 9, 10]).toContain(refused);
    expect(other).toEqual({ "200 OK": 1 });
  });
});

describe("what the gateway's pods may reach", () => {
  const namespace = place.gateway.namespace;
  /** Knocks from a pod with the gateway's labels; it is never ready, so nobody is sent to it. */
  const knock = async (pod: string, address: string, port: number, inNamespace = namespace) => {
    const script = `(sleep 2) | nc -w 4 ${address} ${port} </dev/null >/tmp/said 2>&1; echo "$? $(head -c 7 /tmp/said)"`;
    return (await run("kubectl", ["-n", inNamespace, "exec", pod, "--", "sh", "-c", script])).stdout.trim();
  };
  const probe = (name: string, labels: object, of = namespace) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: of, labels },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: "probe",
          image: imageRef("busybox"),
          imagePullPolicy: "IfNotPresent",
          command: ["httpd", "-f", "-p", "8080", "-h", "/"],
          readinessProbe: { exec: { command: ["false"] }, periodSeconds: 60 },
          securityContext: restricted,
        },
      ],
    },
  });
  /** What pods knock at: address and port. */
  let targets: Readonly<Record<string, readonly [string, number]>>;

  beforeAll(async () => {
    await applyByForce(
      probe("as-gateway", selectorLabels("ssh-gateway", place.gateway.name)),
      probe("free", {}),
      probe("web", {}, place.bystander),
    );
    const podIp = (of: string, name: string) =>
      eventually(`the address of ${name}`, async () => {
        const { status } = await getObject<{ status: { podIP?: string; phase: string } }>([
          "-n",
          of,
          "pod",
          name,
        ]);
        return status.phase === "Running" ? status.podIP : undefined;
      });
    await Promise.all([podIp(namespace, "as-gateway"), podIp(namespace, "free")]);
    type Nodes = { items: { status: { addresses: { address: string }[] } }[] };
    const node = (await getObject<Nodes>(["nodes"])).items[0]?.status.addresses[0]?.address ?? "";
    type Service = { spec: { clusterIP: string } };
    const { spec } = await getObject<Service>(["-n", "istio-system", "service/istiod"]);
    targets = {
      "the API server": ["10.96.0.1", 443],
      "the kubelet": [node, 10250],
      "istiod's debugging": [spec.clusterIP, 15014],
      "a bystander's pod": [await podIp(place.bystander, "web"), 8080],
      "a neighbour's pod that is no container": [await podIp(place.team, "stage"), 8080],
    };
  });

  it("is a container's sshd", async () => {
    const { status } = await getObject<{ status: { podIP: string } }>(["-n", place.victim, "pod", "box-0"]);
    expect(await knock("as-gateway", status.podIP, 22)).toBe("0 SSH-2.0");
  });

  it("is nothing that answers another pod of the same namespace", async () => {
    const found: Record<string, string[]> = {};
    for (const [name, [address, port]] of Object.entries(targets)) {
      found[name] = [await knock("free", address, port), await knock("as-gateway", address, port)].map(
        (said) => (said.startsWith("0") ? "open" : "shut"),
      );
    }
    expect(found).toEqual({
      "the API server": ["open", "shut"],
      "the kubelet": ["open", "shut"],
      "istiod's debugging": ["open", "shut"],
      "a bystander's pod": ["open", "shut"],
      // Its own namespace's default deny shuts it for everybody.
      "a neighbour's pod that is no container": ["shut", "shut"],
    });
  });

  it("and a team's pod that no policy names reaches nobody, while the same pod elsewhere does", async () => {
    const [address, port] = targets["a bystander's pod"] as [string, number];
    expect((await knock("stage", address, port, place.team)).startsWith("0")).toBe(false);
    expect((await knock("free", address, port)).startsWith("0")).toBe(true);
    await kubectl(["-n", place.team, "get", "networkpolicy", "drawbridge-default-deny"]);
  });
});
