/**
 * Containers inside: they reach the hosts that the container names, at build too, and nothing past the proxy; nor does root
 * that has an engine's rights in another container's name.
 */
import type { EgressGateway } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getObject, kubectl } from "../../scripts/lib/lab/lab.ts";
import { Internet, machines } from "../support/lab/internet.ts";
import { testEgressGateway } from "../support/stacks/egress-stack.ts";
import { type EngineStack, engineStack, withEngine } from "./engine-stack.fixture.ts";

const team = "team-egress-inside";
const gateway = "egress-inside";

let internet: Internet;
let engine: EngineStack;

beforeAll(async () => {
  internet = await Internet.start({ "ok.test": [machines[0]], "other.test": [machines[1]] });
  let egress: EgressGateway;
  engine = await engineStack(team, {
    dev: () => {
      egress = testEgressGateway(gateway);
      return { ...withEngine(team), egress: { gateway: egress, hosts: ["ok.test"] } };
    },
    neighbour: () => ({ egress: { gateway: egress, hosts: ["ok.test", "other.test"] } }),
  });
  const { stack } = engine;
  await stack.output("dev", "true");
  await stack.laptop.scp(["-q", engine.baseArchive, "dev:base.tar"], 300);
  const load =
    "podman load -qi base.tar | sed 's/^Loaded image: //' | xargs -I{} podman tag {} localhost/base";
  expect(await stack.output("dev", load)).toBe("");
});

afterAll(async () => {
  await engine?.close();
  await kubectl(["delete", "namespace", gateway, "--ignore-not-found", "--wait=false"]);
  await internet?.remove();
});

const inside = (script: string) => engine.stack.output("dev", `${script} 2>&1`);

describe("by podman", () => {
  const container = (options: string, url: string) =>
    inside(`podman run --rm ${options} localhost/base wget -T 8 -qO- ${url}`);
  const building = (url: string) =>
    `printf 'FROM localhost/base\\nRUN wget -T 8 -qO- ${url}\\n' | podman build --no-cache -t built -`;

  it("a host that is named is reached, and at build", async () => {
    expect(await container("", "http://ok.test/x")).toContain('"url":"/x"');
    expect(await inside(building("http://ok.test/build"))).toContain('"url":"/build"');
  });

  it("another is refused, and past the proxy is nothing", async () => {
    const before = await internet.arrivals();
    expect(await container("", "http://other.test/")).toContain("403 Forbidden");
    expect(await inside(building("http://other.test/"))).toContain("403 Forbidden");
    for (const options of ["", "--network host", "--privileged --network host"])
      expect(await container(`${options} -e http_proxy=`, `http://${machines[1]}/`)).toMatch(/^code 1: /);
    expect(await internet.arrivals()).toEqual(before);
  });
});

/** Asks the proxy, from an address that may be another's; prints the status, or why there is none. */
const asking = `
import socket, sys
_, proxy, host, login, source = sys.argv
s = socket.socket()
s.settimeout(4)
try:
    # IP_TRANSPARENT: any address, for who has NET_ADMIN.
    if source:
        s.setsockopt(socket.SOL_IP, 19, 1)
        s.bind((source, 0))
    s.connect((proxy, 3128))
    s.sendall(f"CONNECT {host}:443 HTTP/1.1\\r\\nHost: {host}:443\\r\\nProxy-Authorization: Basic {login}\\r\\n\\r\\n".encode())
    print(s.recv(4096).decode().split(" ")[1])
except OSError as error: print(error.strerror or error)
`;
/** A packet that no kernel made. */
const raw = `
import socket, sys
try:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW).sendto(bytes(40), (sys.argv[1], 0))
    print("sent")
except OSError as error: print(error.strerror)
`;
/** Makes an address its own, and tells everybody on its bridge. */
const taking = `
import fcntl, socket, struct, sys
open("/proc/sys/net/ipv4/conf/eth0/arp_notify", "w").write("1")
fcntl.ioctl(socket.socket(), 0x8916, struct.pack("16sH2s4s8s", b"eth0:1", socket.AF_INET, b"", socket.inet_aton(sys.argv[1]), b""))
print("taken")
`;

describe("root beside a container that may reach more", () => {
  const podIP = async (namespace: string, ...pod: string[]) =>
    kubectl(["-n", namespace, "get", "pods", ...pod, "-o", "jsonpath={.items[*].status.podIP}"]);
  const loginOf = async (name: string) => {
    const { data } = await getObject<{ data: { token: string } }>(["-n", team, "secret", `${name}-egress`]);
    const token = Buffer.from(data.token, "base64").toString();
    return Buffer.from(`${team}.${name}:${token}`).toString("base64");
  };
  const python = async (by: string, input: string, ...args: string[]) => {
    const command = `${by} python3 - ${args.map((arg) => `'${arg}'`).join(" ")}`;
    const { stdout, stderr } = await engine.stack.laptop.ssh([by === "" ? "neighbour" : "dev", command], {
      input,
    });
    return `${stdout}${stderr}`.trim();
  };

  it("opens nothing in its name", async () => {
    const [own, its] = [await loginOf("dev"), await loginOf("neighbour")];
    const proxy = await podIP(gateway, "-l", "app.kubernetes.io/component=egress-gateway");
    const address = await podIP(team, "--field-selector=metadata.name=neighbour-0");
    const before = await internet.arrivals();
    const asked = (login: string, host: string, source = "") =>
      python("sudo", asking, proxy, host, login, source);
    // What it has, and what the other one has.
    expect([await asked(own, "ok.test"), await python("", asking, proxy, "other.test", its, "")]).toEqual([
      "200",
      "200",
    ]);
    const both = () => Promise.all([asked(own, "ok.test", address), asked(its, "other.test", address)]);
    const none = ["timed out", "timed out"];
    expect([await asked(own, "other.test"), await asked(its, "other.test")]).toEqual(["403", "407"]);
    expect(await both()).toEqual(none);
    expect([
      await python("sudo", raw, proxy),
      await python("unshare --user --map-root-user --net", raw, proxy),
    ]).toEqual(["Operation not permitted", "Network is unreachable"]);
    expect(await python("sudo", taking, address)).toBe("taken");
    expect(await both()).toEqual(none);
    expect(await python("", asking, proxy, "other.test", its, "")).toBe("200");
    const came = (await internet.arrivals()).slice(before.length);
    expect(came.filter((line) => line.startsWith(`opened ${machines[1]}`))).toHaveLength(2);
  });
});
