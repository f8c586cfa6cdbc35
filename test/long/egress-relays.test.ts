/** Ways around the egress gateway: what else listens in the cluster, what else runs in the pod, and a flood of names. */
import type { EgressGateway } from "@drawbridge-iac/drawbridge";
import { egressPorts } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { teamNamespace } from "@drawbridge-iac/drawbridge/src/team/namespace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addresses } from "../../packages/lab/src/cluster/addresses.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { apiServerAddresses, apply, eventually, found, kubectl, must } from "../../scripts/lib/lab/lab.ts";
import { testDomain, testGateway } from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { Internet, machines, resolver } from "../support/lab/internet.ts";
import { ContainerStack } from "../support/stacks/containers.ts";
import { testEgressGateway } from "../support/stacks/egress-stack.ts";
import { login, prepareWith, reader, testAccess, testProxy, testStorage } from "../support/stacks/storage.ts";

const team = "team-relays";
const [egressName, sshName, storageName] = ["egress-relays", "gw-relays", "files-relays"];
/** All that a platform may let a team reach privately. */
const inward = [addresses.pods, addresses.services, addresses.loadBalancers].map((cidr) => ({ cidr }));

let internet: Internet;
let stack: ContainerStack;

beforeAll(async () => {
  internet = await Internet.start({
    "ok.test": [machines[0]],
    "other.test": [machines[1]],
    "doh.test": [machines[0]],
  });
  const apiServer = await apiServerAddresses();
  await apply(
    teamNamespace(
      team,
      inward.map(({ cidr }) => cidr),
      "baseline",
    ),
  );
  const idle = { image: imageRef("programs") };
  stack = await ContainerStack.create(team, sshName, {
    namespaceExists: true,
    gateway: (name) => testGateway(name, { egress: { apiServer }, idle }),
  });
  let egress: EgressGateway;
  const byName = (hosts: string[]) => ({ egress: { gateway: egress, hosts, allow: inward } });
  await stack.up({
    dev: () => {
      egress = testEgressGateway(egressName);
      const proxy = testProxy(storageName);
      const prepare = prepareWith("echo stored >file.txt");
      testStorage("files", { namespace: team, prepare, browse: testAccess(proxy) });
      const command = ["sleep", "infinity"];
      const pod = { sidecars: [{ name: "beside", image: imageRef("devcontainer"), command }] };
      const resources = { requests: { cpu: "20m" }, memory: "512Mi" };
      return { resources, ...byName(["ok.test", "doh.test", "*.wild.test", "*.silent.test"]), pod };
    },
    root: () => ({ ...byName(["ok.test"]), root: true, team: { namespace: team, root: true } }),
  });
  await stack.ready("dev");
  await stack.ready("root");
});

afterAll(async () => {
  await stack?.close();
  const others = [egressName, storageName];
  await kubectl(["delete", "namespace", ...others, "--ignore-not-found", "--wait=false"]);
  await internet?.remove();
});

const inside = (name: string, command: readonly string[], container = "dev") =>
  must("kubectl", ["-n", team, "exec", `${name}-0`, "-c", container, "--", ...command], {
    timeoutSeconds: 300,
  });

/** What comes back for a text that is sent as it stands, past the proxy: the first line, `nothing`, or `no connection`. */
const sent = (address: string, port: number, text: string) =>
  inside("dev", ["python3", "-c", sending, address, String(port), text]).then((said) => said.trim());
const sending = `
import socket, sys
_, address, port, text = sys.argv
try:
    s = socket.create_connection((address, int(port)), 4)
except OSError:
    print("no connection")
    sys.exit()
s.settimeout(4)
s.sendall(text.encode())
try:
    print(s.recv(4096).decode("latin-1").split("\\r\\n")[0] or "nothing")
except OSError:
    print("nothing")
`;
const connect = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;
const get = (url: string, host: string, header = "X: y") =>
  `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\nConnection: close\r\n\r\n`;
const outside = ["ok.test:443", "other.test:443", `${machines[1]}:443`];

async function podAddress(namespace: string, component: string): Promise<string> {
  const pods = await found<{ status: { podIP: string } }>(
    namespace,
    "pods",
    `app.kubernetes.io/component=${component}`,
  );
  return pods[0]?.status.podIP ?? expect.fail(`no pod of ${component}`);
}

/** Runs what must not bring anything to the internet. */
async function without<T>(attempt: () => Promise<T>): Promise<T> {
  const before = await internet.arrivals();
  const outcome = await attempt();
  expect(await internet.arrivals()).toEqual(before);
  return outcome;
}

describe("as a relay, by a container that may reach every pod and Service,", () => {
  it("the SSH gateway leads to containers alone", async () => {
    const address = await loadBalancerAddress(sshName, sshName);
    expect(await sent(address, 80, connect(`root.${team}.${testDomain}:22`))).toBe("HTTP/1.1 200 OK");
    const targets = [
      ...outside,
      `${egressName}.${egressName}.svc.cluster.local:3128`,
      "kubernetes.default.svc:443",
    ];
    const answers = await without(() =>
      Promise.all(targets.map((target) => sent(address, 80, connect(target)))),
    );
    expect(answers).toEqual(targets.map(() => "HTTP/1.1 404 Not Found"));
    expect(await without(() => sent(address, 80, get("http://other.test/", "other.test")))).toBe(
      "HTTP/1.1 404 Not Found",
    );
  });

  it("the activator answers the SSH gateway alone", async () => {
    const address = await podAddress(sshName, "activator");
    expect(await sent(await podAddress(team, "dev-container"), 22, "SSH-2.0-x\r\n")).toMatch(
      /^SSH-2.0-OpenSSH/,
    );
    for (const port of [22, 2222])
      expect(await without(() => sent(address, port, connect("other.test:443")))).toBe("no connection");
  });

  it("the egress gateway has no other door than its proxy's", async () => {
    const address = await podAddress(egressName, "egress-gateway");
    const doors = [egressPorts.proxy, egressPorts.authorizerMetrics, 15_000, 15_021];
    const answers = await Promise.all(doors.map((port) => sent(address, port, get("/metrics", "x"))));
    const none = Array(3).fill("no connection");
    expect(answers).toEqual(["HTTP/1.1 407 Proxy Authentication Required", ...none]);
  });

  it("the storage proxy leads to storages alone", async () => {
    const address = await loadBalancerAddress(storageName, storageName);
    const [, value = ""] = login(reader);
    const own = `Authorization: Basic ${Buffer.from(value).toString("base64")}`;
    await eventually("the storage", async () =>
      (await sent(address, 80, get(`/storage/${team}/files/file.txt`, address, own))).endsWith("200 OK"),
    );
    const attempts = [
      ...outside.map(connect),
      get("http://other.test/", "other.test", own),
      get(
        `http://other.test/storage/${team}/files/file.txt`,
        "other.test",
        `${own}\r\nx-envoy-original-dst-host: ${machines[1]}:80`,
      ),
      get(`/storage/${team}/files/http://other.test/`, address, own),
      get("/storage/other.test:80/x/", address, own),
    ];
    const answers = await without(() => Promise.all(attempts.map((text) => sent(address, 80, text))));
    // The fifth: whatever host is said, its path leads to the storage.
    expect(answers.map((line) => line.split(" ")[1])).toEqual([
      "404",
      "404",
      "404",
      "404",
      "200",
      "404",
      "404",
    ]);
  });
});

describe("in the pod", () => {
  const proxy = "curl -sk --max-time 10 -o /dev/null -w '%{http_connect} %{http_code}' https://ok.test/";

  it("a sidecar reaches nothing: it has no token", async () => {
    expect(await inside("dev", ["sh", "-c", proxy])).toBe("200 200");
    const address = `http://${egressName}.${egressName}.svc.cluster.local:3128`;
    const said = await without(() =>
      inside(
        "dev",
        [
          "sh",
          "-c",
          `env | grep -ci -e proxy -e token; ${proxy} -x ${address}; curl -sk --max-time 4 https://${machines[0]}/; echo $?`,
        ],
        "beside",
      ),
    );
    expect(said).toBe("0\n407 00028\n");
  });

  it("root reaches nothing by sockets of any kind, nor in another's name", async () => {
    expect(await inside("root", ["sh", "-c", proxy])).toBe("200 200");
    const others = [await podAddress(egressName, "egress-gateway"), await podAddress(sshName, "ssh-gateway")];
    const said = await without(() =>
      inside("root", ["sudo", "python3", "-c", packets, resolver, machines[1], ...others]),
    );
    expect(said).toBe("not permitted\n".repeat(3));
  });
});
const packets = `
import os, socket, struct, sys, time
_, resolver, machine, *others = sys.argv
question = b"\\x12\\x34\\x01\\0\\0\\1\\0\\0\\0\\0\\0\\0\\x06stolen\\x04test\\0\\0\\1\\0\\1"
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.sendto(question, (resolver, 53))
udp.connect((resolver, 53))
own = udp.getsockname()[0]
def send(source, protocol, payload, to):
    addresses = socket.inet_aton(source) + socket.inet_aton(to)
    raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    raw.sendto(struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 1, 0, 64, protocol, 0) + addresses + payload, (to, 0))
for source in [own, *others]:
    try:
        send(source, 17, struct.pack("!HHHH", 5353, 53, 8 + len(question), 0) + question, resolver)
    except PermissionError:
        print("not permitted")
for port in (80, 443):
    tcp = socket.socket()
    tcp.settimeout(4)
    if tcp.connect_ex((machine, port)) == 0: print("connected to", port)
time.sleep(1)
`;

describe("names", () => {
  const asked = (url: string) =>
    `curl -skv --max-time 10 '${url}' 2>&1 | sed -n 's/^< x-egress-reason: //p; /^{/p' | tr -d '\\r'`;

  it("come from DNS over HTTPS only where that host is allowed, and are no way to their addresses", async () => {
    const question = "dns-query?dns=EjQBAAABAAAAAAAABXN0b2xlBHRlc3QAAAEAAQ";
    expect(await inside("dev", ["sh", "-c", asked(`https://doh.test/${question}`)])).toContain(
      `"url":"/${question}"`,
    );
    expect(
      await without(() => inside("root", ["sh", "-c", asked(`https://doh.test/${question}`)])),
    ).toContain(`${team}/root may not reach doh.test:443`);
    const known = `--resolve other.test:443:${machines[1]} --doh-url https://doh.test/dns-query`;
    const learnt = [
      "sh",
      "-c",
      `${asked("https://other.test/")} ; curl -sk ${known} --max-time 4 https://${machines[1]}/; echo $?`,
    ];
    expect(await without(() => inside("root", learnt))).toContain(
      `${team}/root may not reach other.test:443`,
    );
  });

  it("10,000 of one container, half of them never answered by DNS, keep nobody else waiting", async () => {
    const flood = inside("dev", ["python3", "-c", flooding]);
    const others: string[] = [];
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    void flood.then(over, over);
    while (!isOver) others.push(await inside("root", ["sh", "-c", proxied]));
    const counted = JSON.parse(await flood) as Record<string, number>;
    expect(Object.values(counted).reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(Object.keys(counted)).not.toContain("200");
    expect(others.length).toBeGreaterThan(3);
    expect(new Set(others)).toEqual(new Set(["200 200"]));
  });
});
const proxied = "curl -sk --max-time 10 -o /dev/null -w '%{http_connect} %{http_code}' https://ok.test/";
const flooding = `
import asyncio, base64, collections, json, os
from urllib.parse import urlsplit
proxy = urlsplit(os.environ["HTTPS_PROXY"])
own = base64.b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
counted = collections.Counter()
turns = asyncio.Semaphore(500)
async def ask(name):
    async with turns:
        try:
            reader, writer = await asyncio.open_connection(proxy.hostname, proxy.port)
            writer.write(f"CONNECT {name}:443 HTTP/1.1\\r\\nHost: {name}:443\\r\\nProxy-Authorization: Basic {own}\\r\\n\\r\\n".encode())
            line = await reader.readline()
            writer.close()
            counted[line.decode().split(" ")[1]] += 1
        except (OSError, IndexError):
            counted["closed"] += 1
async def main():
    await asyncio.gather(*[ask(f"x{i}." + ("silent.test" if i % 2 else "wild.test" if i % 4 else "none.test")) for i in range(10000)])
asyncio.run(main())
print(json.dumps(counted))
`;
