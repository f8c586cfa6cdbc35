/**
 * A machine outside of the cluster, reached as containers are: the platform names its address, and a team with a deployer's
 * rights alone makes a route to it. Unless the platform lets its gateway out, nothing gets to the machine.
 */
import { appendFile, writeFile } from "node:fs/promises";
import { SshRoute, Team, type TeamArgs } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, kubectl, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { accountKubeconfig, withKubeconfig } from "../../scripts/lib/stacks/deployer.ts";
import { connectRoute } from "../support/attacks/route.ts";
import { byGateway, testContainer, testDomain, testGateway, testNamespace } from "../support/lab/cluster.ts";
import { type OutsideMachine, startOutsideMachine } from "./outside-machine.fixture.ts";

const namespace = "team-outside";
const neighbour = "team-outside-neighbour";
const accounts = "outside-accounts";
const gatewayName = "gw-outside";
/** Addresses of the machine, of which the platform lets the gateway to the first. */
const [named, unnamed] = ["10.20.0.5", "10.20.0.6"] as const;

let laptop: Laptop;
let machine: OutsideMachine;
let cli: InstalledCli;
let platform: Awaited<ReturnType<typeof testStack>>;
let team: Awaited<ReturnType<typeof testStack>>;
let deployer: string;
/** What the platform lets its gateway out to. */
let outsideHosts: { cidr: string }[] = [];
let gatewayAddress = "";

function platformProgram() {
  const gateway = testGateway(gatewayName, { egress: { outsideHosts } });
  // As if the team had its namespace already.
  const made = testNamespace(namespace);
  testNamespace(neighbour);
  const args: TeamArgs = {
    createNamespace: false,
    deployers: { serviceAccounts: [{ name: "deployer", namespace: accounts }] },
    outsideHosts: { vm1: { address: named }, vm2: { address: unnamed } },
  };
  const place = new Team(namespace, args, { dependsOn: made });
  const dev = testContainer(
    "dev",
    { namespace, authorizedKeys: [laptop.publicKey], access: byGateway(gateway) },
    [place],
  );
  return { address: gateway.address, sshConfig: dev.sshConfig, knownHosts: dev.knownHosts };
}

/** The team's own stack: it names Services of its namespace, and no address. */
function teamProgram() {
  const gateway = { name: gatewayName, namespace: gatewayName, domain: testDomain, plainPort: 80 };
  const hosts = ["vm1", "vm2"].map(
    (serviceName) =>
      new SshRoute(serviceName, {
        namespace,
        serviceName,
        userName: "root",
        hostPublicKeys: [machine.hostPublicKey],
        access: { gateway, address: gatewayAddress },
      }),
  );
  const [vm1, vm2] = hosts as [SshRoute, SshRoute];
  return {
    targets: { vm1: vm1.sshTarget, vm2: vm2.sshTarget },
    vm1: vm1.sshConfig,
    vm2: vm2.sshConfig,
    knownHosts1: vm1.knownHosts,
    knownHosts2: vm2.knownHosts,
  };
}

async function upPlatform(...networks: string[]) {
  outsideHosts = networks.map((cidr) => ({ cidr }));
  return (await platform.stack.up()).outputs;
}

const login = (host: string, command: string) => laptop.login(host, command, 120);

beforeAll(async () => {
  [laptop, machine, cli] = await Promise.all([
    Laptop.create("dev"),
    startOutsideMachine([named, unnamed]),
    installCli(),
  ]);
  await appendFile(`${machine.userKey}.pub`, `${laptop.publicKey}\n`);
  await kubectl(["create", "namespace", accounts]);
  deployer = await accountKubeconfig({ name: "deployer", namespace: accounts }, laptop.folder);
  platform = await testStack(async () => platformProgram(), { stack: "platform" });
  const ofPlatform = await upPlatform();
  gatewayAddress = String(ofPlatform.address?.value);
  team = await testStack(async () => teamProgram(), { stack: "team" });
  const { outputs } = await withKubeconfig(deployer, () => team.stack.up());
  const text = (name: string) => String(outputs[name]?.value);
  await laptop.configure(
    [ofPlatform.sshConfig?.value, text("vm1"), text("vm2")].join("\n"),
    [ofPlatform.knownHosts?.value, text("knownHosts1"), text("knownHosts2")].join("\n"),
  );
  const file = `${cli.home}/outputs.json`;
  await writeFile(file, JSON.stringify(outputs.targets?.value));
  const known = await cli.run(["ssh-config", "--from", file, "--identity", laptop.keyFile]);
  expect(known).toMatchObject({ code: 0 });
  await login("dev", "true");
});

afterAll(async () => {
  for (const one of [team, platform]) {
    await one?.stack.destroy();
    await one?.removeState();
  }
  await kubectl([
    ...["delete", "namespace", namespace, neighbour, accounts],
    ...["--ignore-not-found", "--wait=false"],
  ]);
  await cli?.remove();
  await machine?.stop();
  await laptop?.remove();
});

/** What a login says that gets nowhere, and that nothing came to the machine. */
async function getsNowhere(host: string): Promise<string> {
  const before = await machine.opened();
  const { code, stdout, stderr } = await laptop.ssh(["-o", "ConnectTimeout=20", host, "true"]);
  expect({ code, stdout }).toEqual({ code: 255, stdout: "" });
  expect(await machine.opened()).toBe(before);
  return stderr;
}

const doctor = async (host: string) =>
  (await cli.run(["doctor", host], { env: { KUBECONFIG: process.env.KUBECONFIG ?? "" } })).stdout;

describe("a machine outside of the cluster", () => {
  it("is not reached by a gateway that the platform does not let out", async () => {
    await getsNowhere("vm1");
    expect(await doctor("vm1")).toContain(
      `the NetworkPolicy of the gateway ${gatewayName}/${gatewayName} (${gatewayName}) does not let it out to ${named} at port 22; the platform's team names it in egress.outsideHosts of the SshGateway`,
    );
  });

  it("is logged in to, with files both ways, once the platform names it at its gateway", async () => {
    await upPlatform(`${named}/32`);
    expect((await login("vm1", "ip -4 -o address show dev vm1")).stdout).toContain(`inet ${named}/24`);
    const local = `${laptop.folder}/blob`;
    await run("dd", ["if=/dev/urandom", `of=${local}`, "bs=1M", "count=3"]);
    const remote = `${machine.folder}/blob`;
    expect(await laptop.scp([local, `vm1:${remote}`])).toMatchObject({ code: 0 });
    expect(await laptop.scp([`vm1:${remote}`, `${local}.back`])).toMatchObject({ code: 0 });
    expect(await run("cmp", [local, `${local}.back`])).toMatchObject({ code: 0, stdout: "" });
    expect(await doctor("vm1")).toContain("all is well");
  });

  it("at another address of its own stays out of reach", async () => {
    await getsNowhere("vm2");
    expect(await doctor("vm2")).toContain(`does not let it out to ${unnamed} at port 22`);
    expect((await login("vm1", "echo in")).stdout).toBe("in\n");
  });

  it("with another key than the route's is refused", async () => {
    const other = `${laptop.folder}/other`;
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", other]);
    const { stdout } = await run("cut", ["-d ", "-f1,2", `${other}.pub`]);
    await writeFile(`${laptop.folder}/wrong_hosts`, `vm1.${namespace}.${testDomain} ${stdout}`);
    const wrong = `UserKnownHostsFile=${laptop.folder}/wrong_hosts`;
    const { code, stderr } = await laptop.ssh(["-o", wrong, "vm1", "true"]);
    expect(code).toBe(255);
    expect(stderr).toContain("Host key verification failed");
  });

  it("is reached by the gateway alone: a container of the team does not get there", async () => {
    const before = await machine.opened();
    const knock = `timeout 5 bash -c '</dev/tcp/${named}/22' && echo open || echo shut`;
    expect((await login("dev", knock)).stdout).toBe("shut\n");
    expect(await machine.opened()).toBe(before);
  });
});

describe("the team", () => {
  const as = (kubeconfig: string, args: readonly string[], object?: object) =>
    run("kubectl", args.includes("-f") ? [...args] : ["-n", namespace, ...args], {
      env: { KUBECONFIG: kubeconfig },
      ...(object === undefined ? {} : { input: JSON.stringify(object) }),
    });
  const create = ["create", "--dry-run=server", "-f", "-"];
  const slice = (service: string) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "own", namespace, labels: { "kubernetes.io/service-name": service } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.201.0.1"], conditions: { ready: true } }],
    ports: [{ name: "tcp-ssh", port: 6443, protocol: "TCP" }],
  });
  const service = (name: string, spec: object, more: object = {}) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, ...more },
    spec: { ports: [{ name: "tcp-ssh", port: 22 }], ...spec },
  });
  const denied = /ValidatingAdmissionPolicy .* denied request/;
  const selecting = JSON.stringify({
    // Beside a selector, the API server refuses the two address families that it gave to the Service without one.
    spec: { selector: { app: "own" }, ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"] },
  });
  let owner: string;

  beforeAll(async () => {
    owner = await accountKubeconfig({ name: "owner", namespace: accounts }, laptop.folder);
    // Whatever rights someone hands out inside of the namespace.
    const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "all", namespace },
    };
    await apply({ ...role, rules });
    const subject = `--serviceaccount=${accounts}:owner`;
    await kubectl(["-n", namespace, "create", "rolebinding", "all", "--role=all", subject]);
  });

  it("gives no Service an address itself, and may have one with a selector", async () => {
    const forbidden = await as(deployer, create, slice("vm1"));
    expect(forbidden).toMatchObject({ code: 1 });
    expect(forbidden.stderr).toContain("forbidden");
    const refused = await as(owner, create, slice("own"));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(denied);
    for (const who of [deployer, owner]) {
      const own = service("own", { selector: { app: "own" } });
      expect(await as(who, create, own)).toMatchObject({ code: 0 });
    }
  });

  it.each<[string, readonly string[]]>([
    ["led elsewhere", ["patch", "service", "vm1", "--type=merge", "-p", selecting]],
    ["removed", ["delete", "service", "vm1"]],
    ["the platform's no more", ["label", "service", "vm1", "app.kubernetes.io/component=own", "--overwrite"]],
    ["without its address", ["delete", "endpointslice", "vm1"]],
    [
      "at another address",
      ["label", "endpointslice", "vm1", "kubernetes.io/service-name=own", "--overwrite"],
    ],
  ])("does not get the platform's host %s, and changes a Service of its own", async (_, args) => {
    const refused = await as(owner, [...args, "--dry-run=server"]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(denied);
    const own = await as(owner, ["apply", "-f", "-"], service("own", { selector: { app: "own" } }));
    expect(own).toMatchObject({ code: 0 });
    const other = args.includes("endpointslice") ? ["label", "service", "own", "a=b", "--overwrite"] : args;
    const same = other.map((word) => (word === "vm1" ? "own" : word));
    expect(await as(owner, [...same, "--dry-run=server"])).toMatchObject({ code: 0 });
  });

  it("of another namespace has no route to it, and one to a Service of its own", async () => {
    const service = (of: string) => `vm1.${of}.svc.cluster.local`;
    const hosts = [`vm1.${neighbour}.${testDomain}`, service(neighbour)];
    const to = (host: string) =>
      as(process.env.KUBECONFIG ?? "", create, connectRoute("vm1-ssh", neighbour, gatewayName, hosts, host));
    const refused = await to(service(namespace));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(denied);
    expect(await to(service(neighbour))).toMatchObject({ code: 0 });
  });
});
