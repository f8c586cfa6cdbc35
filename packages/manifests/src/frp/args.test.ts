import { describe, expect, it } from "vitest";
import { type ArgsError, parseArgs } from "../common/args-error.ts";
import { devContainerSchema } from "../container/args.ts";
import { containerArgs, containerPlan, serverArgs, serverRef } from "./frp.fixture.ts";

function faults(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map(({ path, message }) => `${path}: ${message}`);
  }
}

const server = (args: Record<string, unknown>) => faults(() => serverArgs(args));

const missingApiServer =
  'is missing; say where the API server is, which alone frps may reach: egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes). With "0.0.0.0/0" frps reaches ports 443 and 6443 of every address; an empty list is enough where units has every container';

const bobKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILM+rvN+ot98qgEN796jTiQfZfG1KaT0PtFDJ/XFSqti bob";
const noKeys = { authorizedKeys: [] };
const beside = { access: { sshpod: { users: ["alice"] } } };

const access = (frp: Record<string, unknown>, args?: Record<string, unknown>) =>
  faults(() => parseArgs("DevContainer", "dev1", devContainerSchema, containerArgs(frp, args)));

describe("an frp server's arguments", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["the least that is needed", {}, []],
    ["a newer frp", { image: "fatedier/frps:v0.71.0" }, []],
    ["an image of one's own tag", { image: "registry.example.com/frps:lab" }, []],
    [
      "one port for both",
      { connectPort: 7000 },
      ["connectPort: is 7000, the same as serverPort; frpc and ssh clients need a port each"],
    ],
    [
      "an old frp",
      { image: "fatedier/frps:v0.70.0" },
      ['image: "fatedier/frps:v0.70.0" is too old; use frp 0.70.1 or later'],
    ],
    [
      "a short seed, whose value is not repeated",
      { seed: "secret" },
      ["seed: is too short (6 characters); give at least 32, for example from: openssl rand -base64 32"],
    ],
    [
      "one unit twice",
      { units: ["a", "b", "a"].map((name) => ({ namespace: "team-a", name })) },
      ["units[2]: is team-a/a again, like units[0]; name each unit once"],
    ],
    [
      "a reserved domain outside the suffix",
      { units: [{ namespace: "team-a", name: "a", domains: ["a.example.com"] }] },
      [
        'units[0].domains[0]: "a.example.com" is outside domainSuffix; give a name that ends in ".ssh.example.com"',
      ],
    ],
    [
      "one domain for two units",
      {
        units: ["a", "b"].map((name) => ({ namespace: "team-a", name, domains: ["box.ssh.example.com"] })),
      },
      ['units[1].domains[0]: "box.ssh.example.com" is reserved for team-a/a already; a name has one owner'],
    ],
    [
      "a token instead of its hash",
      { units: [{ namespace: "team-a", name: "a", tokenSha256: "my-token" }] },
      [
        "units[0].tokenSha256: is not a SHA-256 hash; give 64 lower-case hexadecimal digits, from: printf %s TOKEN | sha256sum",
      ],
    ],
    [
      "TLS on any gateway there is",
      {
        connectTls: {
          host: "frp.example.com",
          secretName: "x",
          gateway: { namespace: "istio", selector: {} },
        },
      },
      [
        'connectTls.gateway.selector: is empty and would choose every Istio gateway; give the labels of its pods, like { istio: "ingressgateway" }',
      ],
    ],
    [
      "limits for clients whose addresses are hidden",
      {
        connectTls: {
          host: "frp.example.com",
          secretName: "x",
          gateway: { namespace: "istio", selector: { istio: "ingressgateway" } },
        },
        limits: {},
      },
      [
        "limits: have no use with connectTls: frps then sees the gateway's address alone, and all clients would be one; remove one of the two",
      ],
    ],
    ["no word of the API server", { egress: undefined }, [`egress: ${missingApiServer}`]],
    ["an egress without it", { egress: {} }, [`egress.apiServer: ${missingApiServer}`]],
    [
      "an API server that is no list",
      { egress: { apiServer: "192.0.2.10/32" } },
      ['egress.apiServer: must be a list, not "192.0.2.10/32"'],
    ],
    [
      "an API server that is no network",
      { egress: { apiServer: [{ cidr: "192.0.2.10", ports: [0] }] } },
      [
        'egress.apiServer[0].cidr: "192.0.2.10" is not a network; write it in CIDR notation like "10.0.0.0/8" or "2001:db8::/32"',
        "egress.apiServer[0].ports[0]: 0 is not a port; give a whole number from 1 to 65535",
      ],
    ],
    [
      "a CA that is no certificate",
      { tls: { secretName: "frps", caBundle: "x" } },
      ["tls.caBundle: is not a CA bundle; give one or more PEM certificates, -----BEGIN CERTIFICATE----- …"],
    ],
  ])("%s", (_name, args, expected) => {
    expect(server(args)).toEqual(expected);
  });
});

describe("a container's access.frp", () => {
  const external = { ...serverRef, authorizer: undefined };
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ["a server's ref", serverRef, {}, []],
    ["nothing, while it is not enabled beside another way", { enabled: false }, beside, []],
    ["an frps of one's own", { ...external, token: "x".repeat(32) }, {}, []],
    ["TLS on another host's port 7000", { ...serverRef, connectTls: true, connectPort: 7000 }, {}, []],
    ["keys for this way in and no others", { ...serverRef, authorizedKeys: [bobKey] }, noKeys, []],
    [
      "keys for a way in that is closed",
      { ...serverRef, enabled: false, authorizedKeys: [bobKey] },
      { ...noKeys, ...beside },
      ["authorizedKeys: holds no key, so nobody could log in; give at least one public key line"],
    ],
    ["another name below the suffix", { ...serverRef, clientDomain: "box.team-a.ssh.example.com" }, {}, []],
    [
      "enabled without a server: all at once",
      {},
      {},
      [
        "access.frp.caBundle: is missing, so frpc could not tell frps from an impostor; give the CA's PEM, or unverifiedTls: true for an frps without a certificate of its own",
        "access.frp.connectHost: is missing, so clients have no address to connect to; give the ref of a FrpServer (access: { frp: frp.ref }), or the fields of an frps that runs",
        "access.frp.domainSuffix: is missing, so the container has no name; give the ref of a FrpServer (access: { frp: frp.ref }), or the fields of an frps that runs",
        "access.frp.serverAddr: is missing, so frpc has no server to register with; give the ref of a FrpServer (access: { frp: frp.ref }), or the fields of an frps that runs",
        "access.frp.token: is missing; an frps of your own needs its auth.token here (at least 32 characters)",
      ],
    ],
    [
      "a domain outside the suffix",
      { ...serverRef, clientDomain: "dev1.example.com" },
      {},
      [
        'access.frp.clientDomain: "dev1.example.com" is outside domainSuffix; give a name that ends in ".ssh.example.com"',
      ],
    ],
    [
      "a short token, whose value is not repeated",
      { ...serverRef, token: "secret" },
      {},
      [
        "access.frp.token: is too short (6 characters); give at least 32, for example from: openssl rand -base64 32",
      ],
    ],
    [
      "one port for both",
      { ...serverRef, serverPort: 1337 },
      {},
      ["access.frp.connectPort: is 1337, the same as serverPort; frpc and ssh clients need a port each"],
    ],
    [
      "another user than sshd's",
      { ...serverRef, username: "runtime" },
      {},
      [
        'access.frp.username: "runtime" is not the container\'s user "jovyan", the only one that sshd lets in; leave it out or give the same name in user.name',
      ],
    ],
    [
      "no sshd to lead to",
      serverRef,
      { ssh: { mode: "none" }, authorizedKeys: [] },
      ['access.frp: needs an sshd to lead to, and ssh.mode is "none"; choose another mode or leave frp out'],
    ],
  ])("%s", (_name, frp, args, expected) => {
    expect(access(frp, args)).toEqual(expected);
  });

  it("needs a token where the host key has no seed to derive one from", () => {
    const args = { hostKey: { privateKey: "-----BEGIN OPENSSH PRIVATE KEY-----" } };
    expect(access(serverRef, args)).toEqual([
      "access.frp.token: is missing and cannot be derived, since hostKey has no seed; give a token of at least 32 characters",
    ]);
    expect(access({ ...serverRef, token: "x".repeat(32) }, args)).toEqual([]);
  });

  it("names the container after namespace and suffix, or as told", () => {
    expect(containerPlan().frpc?.hostName).toBe("dev1.team-a.ssh.example.com");
    const named = { ...serverRef, clientDomain: "box.team-a.ssh.example.com" };
    expect(containerPlan(named).frpc?.hostName).toBe("box.team-a.ssh.example.com");
    expect(containerPlan({ enabled: false }, beside).frpc).toBe(undefined);
  });

  it("joins its keys to the container's and its name to the known ones", () => {
    const plan = containerPlan({ ...serverRef, authorizedKeys: [bobKey] });
    expect(plan.authorizedKeys.map((line) => String(line).split(" ")[2])).toEqual(["alice", "bob"]);
    expect(plan.knownNames).toEqual(["dev1.team-a.ssh.example.com", "dev1.team-a.svc.cluster.local"]);
  });
});
