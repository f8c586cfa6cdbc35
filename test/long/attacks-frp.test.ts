/** What a neighbour, an inmate and a client without a key try on frp, each beside its accepted twin. */

import { platformPolicyOwner, teamPolicies } from "@drawbridge-iac/drawbridge/src/isolation/policies";
import { admissionPolicy, admissionPolicyBinding } from "@drawbridge-iac/drawbridge/src/kubernetes/admission";
import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { teamDefaultDeny } from "@drawbridge-iac/drawbridge/src/team/namespace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiServerAddresses, eventually, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { deploy, handToNeighbour, neighbour as person } from "../../scripts/lib/stacks/deployer.ts";
import {
  containerLabel,
  grantOf,
  grantsReader,
  knocker,
  ownToken,
  podAddress,
  reaches,
  registerAs,
  widest,
} from "../support/attacks/frp-attackers.ts";
import { type Answers, askFromOutside, type Knocks } from "../support/clients/many-clients.ts";
import { FrpStack, frpSuffix } from "../support/stacks/frp-stack.ts";

const server = "frp-walls";
const team = "team-frp-a";
const neighbour = "team-frp-b";
/** Of someone who watches the cluster, in no team. */
const bystander = "frp-monitor";
const domain = (name: string, namespace = team) => `${name}.${namespace}.${frpSuffix}`;

let stack: FrpStack;
let frpsAddress: string;
let apiServer: string;

/** What kubectl says to someone with the deployer's role alone. */
async function asNeighbour(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(
    "kubectl",
    [...person, ...args],
    input === undefined ? {} : { input },
  );
  return code === 0 ? stdout : stderr;
}

const policies = teamPolicies().flatMap((policy) => [
  admissionPolicy(platformPolicyOwner("teams"), policy),
  admissionPolicyBinding(platformPolicyOwner("teams"), policy),
]);
const list = (items: readonly object[]) => JSON.stringify({ apiVersion: "v1", kind: "List", items });

const grant = (name: string, data: Record<string, string> = {}, namespace = neighbour) =>
  JSON.stringify(grantOf(namespace, name, data));

beforeAll(async () => {
  stack = await FrpStack.create(team, server);
  const addresses = await apiServerAddresses();
  apiServer = addresses[0]?.cidr.replace("/32", "") ?? "";
  await stack.up({
    containers: { dev1: {}, dev2: {} },
    // The limits are those that everybody gets.
    server: { connectionLimits: {}, egress: { apiServer: addresses }, metricsNamespaces: [bystander] },
  });
  for (const name of ["dev1", "dev2"]) await stack.ssh(name, "true");
  // As the platform does where there is frp alone.
  await kubectl(["apply", "-f", "-"], list(policies));
  await handToNeighbour(neighbour);
  await deploy([
    ...grantsReader(neighbour, server),
    widest(neighbour),
    knocker(neighbour, "plain"),
    knocker(neighbour, "labelled", containerLabel),
  ]);
  await kubectl(
    ["apply", "-f", "-"],
    list([
      { apiVersion: "v1", kind: "Namespace", metadata: { name: bystander } },
      knocker(bystander, "monitor"),
      // What frps's own pod may reach is asked from a pod that the same policies stand around.
      knocker(server, "inside", selectorLabels("frp-server", server)),
    ]),
  );
  const started = [
    [neighbour, "plain"],
    [neighbour, "labelled"],
    [bystander, "monitor"],
    [server, "inside"],
  ] as const;
  await Promise.all(started.map(([namespace, name]) => podAddress(namespace, `run=${name}`)));
  frpsAddress = await podAddress(
    server,
    "app.kubernetes.io/component=frp-server,app.kubernetes.io/managed-by",
  );
});

afterAll(async () => {
  await kubectl(["delete", "--ignore-not-found", "-f", "-"], list(policies));
  await kubectl(["delete", "namespace", neighbour, bystander, "--ignore-not-found", "--wait=false"]);
  await stack?.close();
});

describe("a neighbour, by the API", () => {
  const forbidden = (verb: string, what: string, namespace: string) =>
    new RegExp(
      `^Error from server \\(Forbidden\\): .*User "neighbour" cannot ${verb} resource "${what}" in API group "" in the namespace "${namespace}"`,
    );
  const get = (namespace: string, ...what: string[]) => asNeighbour(["-n", namespace, "get", ...what]);

  it.each([
    ["frps's configuration", server, "configmap", `${server}-frps`],
    ["the password of frps's metrics", server, "secret", `${server}-metrics`],
    ["the key of frps's certificate", server, "secret", `${server}-tls`],
    ["another container's token", team, "secret", "dev1-frp-token"],
    ["another container's grant", team, "configmap", "frp-grant.dev1"],
    ["the platform's list of units", server, "configmap", `${server}-units`],
  ])("does not read %s", async (_what, namespace, kind, name) => {
    expect(await get(namespace, kind, name)).toMatch(forbidden("get", `${kind}s`, namespace));
    // It is there, and the neighbour reads its own of that kind.
    expect(await kubectl(["-n", namespace, "get", kind, name, "-o", "name"])).toBe(`${kind}/${name}\n`);
    expect(await get(neighbour, kind)).not.toMatch(/Forbidden/);
  });

  it("does not write another's grant, nor take frps's identity, nor enter its pod", async () => {
    const create = ["create", "--dry-run=server", "-f", "-"];
    expect(await asNeighbour(create, grant("dev1", {}, team))).toMatch(
      forbidden("create", "configmaps", team),
    );
    expect(await asNeighbour(["-n", server, "create", "token", server])).toMatch(
      /is forbidden: .* cannot create resource "serviceaccounts\/token"/,
    );
    const enter = ["-n", server, "exec", `deployment/${server}`, "--", "true"];
    expect(await asNeighbour(enter)).toMatch(/Forbidden/);
    expect(await asNeighbour(create, grant("dev1", {}))).toBe(
      "configmap/frp-grant.dev1 created (server dry run)\n",
    );
  });
});

describe("a neighbour where there is frp alone, and no gateway that brings the teams' policies", () => {
  const service = (spec: object) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "own", namespace: neighbour },
    spec,
  });
  const open = widest(neighbour) as { spec: object };
  const everywhere = { ...open.spec, egress: [{ to: [{ ipBlock: { cidr: "0.0.0.0/0" } }] }] };
  const defaultDeny = { ...teamDefaultDeny(neighbour), spec: { podSelector: {}, policyTypes: ["Ingress"] } };

  it.each<[string, object, RegExp, object]>([
    [
      "a Service that is another name for somebody else",
      service({ type: "ExternalName", externalName: "kubernetes.default.svc.cluster.local" }),
      /may not be an ExternalName/,
      service({ selector: { run: "plain" }, ports: [{ port: 80 }] }),
    ],
    [
      "a Service that catches what others send",
      service({ selector: { run: "plain" }, ports: [{ port: 80 }], externalIPs: ["10.96.0.1"] }),
      /may not have externalIPs/,
      service({ selector: { run: "plain" }, ports: [{ port: 80 }] }),
    ],
    [
      "a way to private networks",
      { ...open, spec: everywhere },
      /an ipBlock of an egress rule must leave out private networks/,
      open,
    ],
    [
      "a default deny that denies less",
      defaultDeny,
      /drawbridge-default-deny belongs to the platform/,
      { ...defaultDeny, metadata: { name: "own", namespace: neighbour } },
    ],
  ])("is refused %s", async (_what, attack, refusal, twin) => {
    const apply = ["apply", "--dry-run=server", "-f", "-"];
    expect(await asNeighbour(apply, JSON.stringify(twin))).toMatch(
      / (created|configured|unchanged) \(server dry run\)\n$/,
    );
    expect(await asNeighbour(apply, JSON.stringify(attack))).toMatch(refusal);
  });
});

describe("a neighbour's pods", () => {
  it.each([
    ["plain", 1337, true],
    ["plain", 7000, false],
    ["plain", 7500, false],
    ["plain", 7501, false],
    ["plain", 7502, false],
    // Nobody keeps a neighbour from that label: it opens the door that a container knocks on, and no other.
    ["labelled", 7000, true],
    ["labelled", 7500, false],
    ["labelled", 7501, false],
    ["labelled", 7502, false],
  ])("%s at frps's port %i: %s", async (pod, port, expected) => {
    expect(await reaches(neighbour, pod, frpsAddress, port)).toBe(expected);
  });

  it("read no metrics; those of the named namespace do, and reach the authorizer's API as little", async () => {
    const from = (port: number) => reaches(bystander, "monitor", frpsAddress, port);
    expect(await Promise.all([7500, 7502, 7501, 7000].map(from))).toEqual([true, true, false, false]);
  });
});

describe("a neighbour's frpc with a grant of its own making", () => {
  const stranger = "the user is unknown or its token is wrong";
  const notOwn = (what: string, ...own: string[]) =>
    `the domain ${JSON.stringify(what)} is not this container's; it may register ${own.join(", ")}`;
  const own = domain("box", neighbour);
  const claim = (over: { user?: string; domain?: string; edit?: (toml: string) => string } = {}) =>
    registerAs(neighbour, server, { user: `${neighbour}.box`, token: ownToken, domain: own, ...over });
  const granted = async (clientDomain?: string) => {
    const data = clientDomain === undefined ? {} : { clientDomain };
    await deploy([grantOf(neighbour, "box", data)]);
    // What the authorizer knows is up to 2 s old.
    await new Promise((resolve) => setTimeout(resolve, 2500));
  };

  it("registers its own name, and one below its namespace's part", async () => {
    await granted(domain("other", neighbour));
    expect(await claim()).toBe("registered");
    expect(await claim({ domain: domain("other", neighbour) })).toBe("registered");
  });

  it.each([
    ["another team's container", domain("dev1")],
    ["another team's free name", domain("dev9")],
    ["another team's whole part", `*.${team}.${frpSuffix}`],
    ["the whole suffix", `*.${frpSuffix}`],
    ["the suffix", frpSuffix],
    ["its own part without a name", `${neighbour}.${frpSuffix}`],
    ["a part that only ends like its own", `x${neighbour}.${frpSuffix}`],
    ["another's in capitals", domain("dev1").toUpperCase()],
    ["its own with a dot behind", `${own}.`],
    ["a name of the web", "example.com"],
  ])("gets nothing by a clientDomain of %s", async (_what, clientDomain) => {
    await granted(clientDomain);
    expect(await claim({ domain: clientDomain })).toBe(notOwn(clientDomain, own));
    expect(await claim()).toBe("registered");
  });

  it.each([
    ["another's user with a token of its own", { user: `${team}.dev1`, domain: domain("dev1") }, stranger],
    ["a user that nobody is", { user: `${neighbour}.nobody` }, stranger],
    [
      "a user of three parts",
      { user: `${team}.dev1.${neighbour}` },
      "the user is not written <namespace>.<name>",
    ],
    [
      "a port instead of a name",
      {
        edit: (toml: string) =>
          toml
            .replace('type = "tcpmux"\nmultiplexer = "httpconnect"', 'type = "tcp"\nremotePort = 2222')
            .replace(/^customDomains.*\n/m, ""),
      },
      'a proxy of type "tcp" is not allowed here; use type tcpmux with multiplexer httpconnect',
    ],
    [
      "a password for its clients",
      { edit: (toml: string) => `${toml}httpUser = "x"\nhttpPassword = "y"\n` },
      "the proxy sets http_user, http_pwd, which has no use here; leave it out",
    ],
    [
      "a share in another's name",
      { edit: (toml: string) => `${toml}loadBalancer = { group = "g", groupKey = "k" }\n` },
      "the proxy sets group, group_key, which has no use here; leave it out",
    ],
  ])("gets nothing by %s", async (_what, over, expected) => {
    await granted();
    expect(await claim(over)).toBe(expected);
    expect(await claim()).toBe("registered");
  });

  it("has taken nobody's name with all that", async () => {
    for (const name of ["dev1", "dev2"])
      expect((await stack.ssh(name, "hostname")).stdout).toBe(`${name}-0\n`);
  });
});

describe("an inmate", () => {
  const inside = async (command: string) => (await stack.ssh("dev1", command)).stdout;

  it("finds neither frpc's token nor one for the API server", async () => {
    expect(await inside("ls /etc/drawbridge/frpc /var/run/secrets 2>&1; ls -d /etc/drawbridge")).toBe(
      [
        "ls: cannot access '/etc/drawbridge/frpc': No such file or directory",
        "ls: cannot access '/var/run/secrets': No such file or directory",
        "/etc/drawbridge",
        "",
      ].join("\n"),
    );
    // frpc has it, in the same pod.
    const read = ["/bin/sh", "-c", "cat /etc/drawbridge/frpc/token"];
    const held = await kubectl(["-n", team, "exec", "dev1-0", "-c", "frpc", "--", ...read]);
    expect(held).toMatch(/^[\w-]{43}$/);
    expect(await inside("ps -eo comm= | grep -c frpc; true")).toBe("0\n");
  });

  it("reaches frps where frpc does, and neither its metrics, its clients' port nor the API server", async () => {
    const tries = [7000, 1337, 7500, 7501, 7502].map((port) => `${frpsAddress} ${port}`);
    const script = [...tries, `${apiServer} 6443`, "10.96.0.1 443"]
      .map((where) => `nc -z -w 3 ${where} && echo yes || echo no`)
      .join("; ");
    expect((await inside(`(${script}) 2>/dev/null`)).trim().split("\n")).toEqual([
      "yes",
      ...Array(6).fill("no"),
    ]);
  });
});

describe("frps's own pod", () => {
  it("reaches the API server at the address given, and no pod, no name server, no kubelet", async () => {
    const from = (address: string, port: number) => reaches(server, "inside", address, port);
    expect(await from(apiServer, 6443)).toBe(true);
    expect(await from("10.96.0.1", 443)).toBe(true);
    expect(await from(apiServer, 10250)).toBe(false);
    expect(await from("10.96.0.10", 53)).toBe(false);
    const [container, plain] = await Promise.all([
      podAddress(team, "app.kubernetes.io/instance=dev1"),
      podAddress(neighbour, "run=plain"),
    ]);
    expect(await from(container, 22)).toBe(false);
    expect(await from(plain, 8080)).toBe(false);
    // Each of these doors is open to someone else.
    expect(await reaches(neighbour, "labelled", plain, 8080)).toBe(true);
    expect(await reaches(neighbour, "plain", "10.96.0.10", 53)).toBe(true);
    expect(await reaches(bystander, "monitor", apiServer, 10250)).toBe(true);
  });
});

describe("a client without a key", () => {
  const ask = (...jobs: Knocks[]): Promise<Answers[]> =>
    askFromOutside({ address: stack.connectAddress, port: 1337 }, jobs);
  const knocks = (from: string, name: string, times: number): Knocks => ({
    from,
    authority: `${domain(name)}:22`,
    times,
    greeting: true,
  });
  const refusals = async () => {
    const log = await kubectl(["-n", server, "logs", `deployment/${server}`, "-c", "authorizer"]);
    return log
      .split("\n")
      .filter((line) => line.includes("more connections than it may"))
      .map((line) => JSON.parse(line) as { user: string; address: string; reason: string });
  };

  it("gets 4 connections to one container at once, 30 wait for their turn, the rest none; others get in", async () => {
    const [first, other, elsewhere] = await ask(
      { ...knocks("192.0.2.21", "dev1", 50), atOnce: true },
      knocks("192.0.2.21", "dev2", 1),
      knocks("192.0.2.22", "dev1", 1),
    );
    const opened = "SSH-2.0";
    const closed = "200 OK, then closed";
    // Whose turn comes later than this client waits.
    const waits = "half an answer";
    const refused = first?.[closed] ?? 0;
    expect((first?.[opened] ?? 0) + (first?.[waits] ?? 0)).toBe(50 - refused);
    expect(first?.[opened]).toBeGreaterThanOrEqual(8);
    expect(refused).toBeGreaterThanOrEqual(12);
    expect(refused).toBeLessThanOrEqual(16);
    expect([other, elsewhere]).toEqual([{ [opened]: 1 }, { [opened]: 1 }]);
    // The log says it, and not once for each.
    const said = await eventually("the refusal", async () => {
      const found = await refusals();
      return found.length > 0 && found;
    });
    expect(said.length).toBeLessThan(refused);
    expect(said[0]).toMatchObject({
      user: `${team}.dev1`,
      address: expect.stringMatching(/^192\.0\.2\.21:\d+$/),
    });
    expect(await ask(knocks("192.0.2.23", "dev9", 2))).toEqual([{ "404 Not Found": 2 }]);
  });

  it("cannot keep the owner out: 20 of 20 logins while 500 and 100 a second come from one address", async () => {
    const authority = `${domain("dev2")}:22`;
    const target = { address: stack.connectAddress, port: 1337 };
    const flood = askFromOutside(target, [
      { from: "192.0.2.31", authority, tunnels: 500, perSecond: 100, seconds: 40 },
    ]);
    flood.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const times: number[] = [];
    while (times.length < 20) {
      const began = performance.now();
      const { code, stderr } = await stack.laptop.ssh(["dev2", "true"]);
      expect([code, stderr]).toEqual([0, ""]);
      times.push((performance.now() - began) / 1000);
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
    const [answers] = await flood;
    console.log(
      `flood ${JSON.stringify(answers)}, logins ${times.map((time) => time.toFixed(2)).join(" ")} s`,
    );
    expect(times.length).toBe(20);
  });
});
