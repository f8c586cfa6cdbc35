/** Containers that reach hosts by name: what they declare and nothing else, on the real proxy. */

import { type EgressGateway, InjectedSshd } from "@drawbridge-iac/drawbridge";
import { deriveFrpToken } from "@drawbridge-iac/drawbridge/src/host/frpc/token";
import { privateNetworks } from "@drawbridge-iac/drawbridge/src/kubernetes/networks";
import * as k8s from "@pulumi/kubernetes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { denialsOf } from "../../packages/cli/src/egress/denials.ts";
import { loadKube } from "../../packages/cli/src/sshpod/kube.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import {
  apply,
  eventually,
  getObject,
  kubectl,
  type Outcome,
  podNames,
  run,
} from "../../scripts/lib/lab/lab.ts";
import { podNetwork, testContainer, testNamespace, testSeed } from "../support/lab/cluster.ts";
import { Internet, machines } from "../support/lab/internet.ts";
import { podProcesses } from "../support/lab/processes.ts";
import { ContainerStack } from "../support/stacks/containers.ts";
import { testEgressGateway } from "../support/stacks/egress-stack.ts";
import { bypasses, connect, smuggled } from "./egress-requests.fixture.ts";

const team = "team-e";
/** Another team, whose one container is `thief`. */
const rival = "team-rival";
const gateway = "egress";
/** How many connections one container may have. */
const tunnels = 30;
const declared = ["ok.test", "*.wild.test", "git.test:22", "rebound.test"];
/** Names that are allowed, and lead where nobody may go. */
const inward: Record<string, readonly string[] | string> = {
  "node.test": ["10.201.0.1"],
  "metadata.test": ["169.254.169.254"],
  "loopback.test": ["127.0.0.1"],
  "zero.test": ["0.0.0.0"],
  "service.test": ["10.96.0.1"],
  "shared.test": ["100.64.0.1"],
  "broadcast.test": ["255.255.255.255"],
  "mixed.test": ["198.51.100.10", "10.96.0.1"],
  "mixed6.test": ["198.51.100.10", "::1"],
  "mapped.test": ["::ffff:10.96.0.1"],
  "nat64.test": ["64:ff9b::a60:1"],
  "teredo.test": ["2001::a60:1"],
  "sixtofour.test": ["2002:a60:1::1"],
  "local.test": ["fd00::1"],
  "link.test": ["fe80::1"],
  "loopback6.test": ["::1"],
  "pod.test": ["10.244.0.2"],
  "alias.test": "node.test",
  "aliased-alias.test": "alias.test",
};
const records = {
  ...Object.fromEntries(
    ["ok", "git", "wild", "one.wild", "two.one.wild"].map((name) => [`${name}.test`, ["198.51.100.10"]]),
  ),
  "other.test": ["198.51.100.11"],
  "rebound.test": [["198.51.100.10", "10.96.0.1"]],
  ...inward,
};

let internet: Internet;
let stack: ContainerStack;

/** Whether the stack has another's pod as well, and the other team. */
let withPod = false;
let withRival = false;

function injectedPod(gateway: EgressGateway): void {
  const app = {
    name: "app",
    image: imageRef("devcontainer"),
    imagePullPolicy: "Never",
    command: ["sleep", "infinity"],
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "256Mi" } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
  };
  const securityContext = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } };
  const { podTemplate } = new InjectedSshd("nb", {
    namespace: team,
    podName: "nb-0",
    podTemplate: {
      metadata: { labels: { app: "nb" } },
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 1,
        securityContext,
        containers: [app],
      },
    },
    ssh: { image: imageRef("sshd-bundle") },
    user: { name: "dev" },
    authorizedKeys: [stack.laptop.publicKey],
    hostKey: { seed: testSeed },
    networkPolicy: "none",
    access: { sshpod: { groups: ["all"] } },
    egress: { gateway, hosts: ["ok.test"] },
  });
  new k8s.apps.v1.StatefulSet("nb", {
    metadata: { name: "nb", namespace: team },
    spec: { serviceName: "nb", selector: { matchLabels: { app: "nb" } }, template: podTemplate as never },
  });
}

function thief(gateway: EgressGateway): void {
  const args = {
    namespace: rival,
    authorizedKeys: [stack.laptop.publicKey],
    access: { sshpod: { groups: ["all"] } },
    egress: { gateway, hosts: ["other.test", "pod.test"] },
  };
  testContainer("thief", args, [testNamespace(rival)]);
}

async function up(hosts: readonly string[]): Promise<Record<string, number>> {
  let egress: EgressGateway;
  return stack.up({
    dev1: () => {
      egress = testEgressGateway(gateway, { tunnelsPerContainer: tunnels });
      if (withRival) thief(egress);
      return { egress: { gateway: egress, hosts: [...hosts] } };
    },
    dev2: () => {
      if (withPod) injectedPod(egress);
      return { egress: { gateway: egress, hosts: [] } };
    },
  });
}

/** By `kubectl exec`, which has the environment of the image's program. */
const inside = (name: string, script: string, input?: string): Promise<Outcome> =>
  run(
    "kubectl",
    ["-n", name === "thief" ? rival : team, "exec", "-i", `${name}-0`, "--", "bash", "-c", script],
    {
      ...(input === undefined ? {} : { input }),
      timeoutSeconds: 120,
    },
  );

/** The status of the proxy's answer to curl, and what it says. */
async function fetched(name: string, url: string): Promise<string> {
  const { stdout, stderr } = await inside(
    name,
    `curl -skv --max-time 20 -o /tmp/body -w '%{http_connect} %{http_code}' '${url}'; cat /tmp/body`,
  );
  return /x-egress-reason: (.*)/.exec(stderr)?.[1]?.trim() ?? stdout;
}

/**
 * Sends each text to the proxy as it stands, from one container; the status line of each answer.
 * @param areKept whether all connections stay open until the last answer
 */
async function raw(name: string, texts: readonly string[], areKept = false): Promise<string[]> {
  const answers = await conversations(name, texts, areKept ? "kept" : "first");
  return answers.map(([line = "closed"]) => line);
}

/** The same; every status line that comes back, or only the first of each. */
async function conversations(
  name: string,
  texts: readonly string[],
  which: "all" | "first" | "kept" = "all",
): Promise<string[][]> {
  const program = `
import base64, contextlib, json, os, re, socket, sys
from urllib.parse import urlsplit
proxy = urlsplit(os.environ["HTTPS_PROXY"])
own = base64.b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
kept = []
def ask(text):
    answer = b""
    try:
        s = socket.create_connection((proxy.hostname, proxy.port), 20)
        with s if sys.argv[1] != "kept" else contextlib.nullcontext(kept.append(s)):
            s.sendall(text.replace("@OWN@", "Proxy-Authorization: Basic " + own).encode("latin-1"))
            if sys.argv[1] == "all": s.settimeout(2)
            while sys.argv[1] == "all" or b"\\r\\n" not in answer:
                more = s.recv(4096)
                if not more: break
                answer += more
    except OSError as error:
        pass
    return [line.replace("HTTP/1.0", "HTTP/1.1") for line in re.findall(r"HTTP/1\\.[01] \\d+[ \\w]*", answer.decode("latin-1"))]
print(json.dumps([ask(text) for text in json.load(sys.stdin)]))
`;
  const { stdout, stderr, code } = await inside(
    name,
    `python3 -c '${program.replaceAll("'", `'"'"'`)}' ${which}`,
    JSON.stringify(texts),
  );
  expect(stderr + String(code)).toBe("0");
  return JSON.parse(stdout);
}

const through = "HTTP/1.1 200 OK";

beforeAll(async () => {
  internet = await Internet.start(records);
  stack = await ContainerStack.create(team, "egress-ssh");
  await up(declared);
  await eventually("the first answer", async () =>
    (await fetched("dev1", "https://ok.test/")).startsWith("200 200"),
  );
});

afterAll(async () => {
  await stack?.close();
  await kubectl(["delete", "namespace", gateway, rival, "--ignore-not-found", "--wait=false"]);
  await internet?.remove();
});

describe("a host that is declared", () => {
  it("is reached by TLS from end to end, by the environment alone", async () => {
    expect(await fetched("dev1", "https://ok.test/x")).toContain('"url":"/x","headers":{"host":"ok.test"');
  });

  it("is reached by plain HTTP, and learns nothing of the container", async () => {
    const answer = await fetched("dev1", "http://ok.test/x");
    const { headers } = JSON.parse(answer.slice(answer.indexOf("{")));
    expect(Object.keys(headers).sort()).toEqual(["accept", "host", "user-agent"]);
  });

  it("is reached in sessions as well", async () => {
    expect(await stack.output("dev1", "curl -sk https://ok.test/x")).toContain('"url":"/x"');
  });

  it.each(["https://one.wild.test/", "https://two.one.wild.test/"])(
    "may be below a wildcard: %s",
    async (url) => {
      expect(await fetched("dev1", url)).toMatch(/^200 200/);
    },
  );

  it("is reached by Python and pip's way", async () => {
    const program = 'import urllib.request; print(urllib.request.urlopen("http://ok.test/x").status)';
    expect(await inside("dev1", `python3 -c '${program}'`)).toMatchObject({ code: 0, stdout: "200\n" });
  });
});

describe("git and ssh", () => {
  const ssh = "GIT_TRACE=0 git ls-remote";
  it("go to a host that is declared, with its port", async () => {
    const { stderr } = await inside("dev1", `${ssh} ssh://git@git.test/x`);
    // What answers there is a banner and no more.
    expect(stderr).toMatch(/Connection closed|kex_exchange_identification/);
  });

  it("are told what to write for another", async () => {
    const { stderr } = await inside("dev1", `${ssh} ssh://git@other.test/x`);
    expect(stderr).toContain(
      'team-e/dev1 may not reach other.test:22; add "other.test:22" to its egress.hosts',
    );
  });

  it("carry bytes both ways, in a session too", async () => {
    const request = "GET /both HTTP/1.1\\r\\nHost: ok.test\\r\\nConnection: close\\r\\n\\r\\n";
    const script = `printf '${request}' | /etc/drawbridge/egress/connect ok.test 80; echo $GIT_SSH_COMMAND`;
    const answer = await stack.output("dev1", script);
    expect(answer).toContain('"url":"/both"');
    expect(answer).toContain("ssh -o ProxyCommand='/etc/drawbridge/egress/connect %h %p'");
  });
});

describe("what is not declared", () => {
  it.each([
    ["https://other.test/", 'team-e/dev1 may not reach other.test:443; add "other.test" to its egress.hosts'],
    ["http://other.test/", 'team-e/dev1 may not reach other.test:80; add "other.test" to its egress.hosts'],
    ["https://wild.test/", 'team-e/dev1 may not reach wild.test:443; add "wild.test" to its egress.hosts'],
    ["https://ok.test:22/", 'team-e/dev1 may not reach ok.test:22; add "ok.test:22" to its egress.hosts'],
    ["https://git.test/", 'team-e/dev1 may not reach git.test:443; add "git.test" to its egress.hosts'],
  ])("is refused with what to write: %s", async (url, reason) => {
    expect(await fetched("dev1", url)).toBe(reason);
  });

  it("is refused to a container that declares none", async () => {
    expect(await fetched("dev2", "https://ok.test/")).toBe(
      'team-e/dev2 may not reach ok.test:443; add "ok.test" to its egress.hosts',
    );
  });

  it("is not reached past the proxy", async () => {
    const direct = "curl -sk --noproxy '*' --max-time 5 -o /dev/null -w '%{http_code}' http://198.51.100.10/";
    expect((await inside("dev1", direct)).stdout).toBe("000");
  });
});

/** What a container proves itself with, in base64. */
const tokenOf = async (name: string) =>
  (await inside(name, "printf %s \"$HTTPS_PROXY\" | sed 's,http://\\(.*\\)@.*,\\1,' | base64 -w0")).stdout;
const authorizationOf = async (name: string) => `Proxy-Authorization: Basic ${await tokenOf(name)}`;

describe("who asks", () => {
  it("is refused with another's token, with frp's, and without one", async () => {
    const [own, other] = [await tokenOf("dev1"), await tokenOf("dev2")];
    const basic = (value: string) => connect("ok.test:443", `Proxy-Authorization: Basic ${value}`);
    const forged = Buffer.from(own, "base64").toString().replace("dev1", "dev2");
    expect(
      await raw("dev1", [
        basic(own),
        basic(other),
        basic(Buffer.from(forged).toString("base64")),
        basic(Buffer.from(`team-e.dev1:${deriveFrpToken(testSeed, "team-e/dev1")}`).toString("base64")),
        basic(Buffer.from("team-e.dev1:").toString("base64")),
        connect("ok.test:443", "X-Nobody: 1"),
        connect("ok.test:443", `Proxy-Authorization: Bearer ${own}`),
        connect("ok.test:443", `@OWN@\r\nProxy-Authorization: Basic ${other}`),
        connect("ok.test:443", `Authorization: Basic ${own}`),
      ]),
    ).toEqual([through, ...Array(8).fill("HTTP/1.1 407 Proxy Authentication Required")]);
    // By where it comes from.
    expect(await raw("dev2", [basic(own)])).toEqual(["HTTP/1.1 407 Proxy Authentication Required"]);
  });
});

const statuses = (lines: readonly string[] = []) => lines.map((line) => line.split(" ")[1]).join(" ");

describe("bypasses", () => {
  it(`${bypasses.length} requests as they stand`, async () => {
    const answers = await raw(
      "dev1",
      bypasses.map(([, text]) => text),
    );
    const wrong = bypasses.flatMap(([what, , expected], index) =>
      expected.test(answers[index] ?? "") ? [] : [`${what}: ${answers[index]}`],
    );
    expect(wrong).toEqual([]);
  });

  it(`${smuggled.length} requests that hide another one`, async () => {
    const before = await internet.arrivals();
    const answers = await conversations(
      "dev1",
      smuggled.map(([, text]) => text),
    );
    expect(smuggled.map(([what], index) => [what, statuses(answers[index])])).toEqual(
      smuggled.map(([what, , expected]) => [what, expected]),
    );
    const arrived = (await internet.arrivals()).slice(before.length);
    expect(arrived.filter((line) => line.includes("other.test") || line.includes(machines[1]))).toEqual([]);
  });

  it("a name that leads to another place at each question leads inward at none", async () => {
    const inward =
      "rebound.test has an address that is not the internet's; private networks are reached by egress.allow, without the proxy";
    const answers = new Set<string>();
    await eventually("both answers", async () => {
      const answer = await fetched("dev1", "http://rebound.test/");
      answers.add(/"address":"([^"]*)"/.exec(answer)?.[1] ?? answer);
      return answers.size > 1;
    });
    expect([...answers].sort()).toEqual([machines[0], inward]);
  });

  it("names that lead inward are refused, though they are declared", async () => {
    await up([...declared, ...Object.keys(inward)]);
    await eventually("the new list", async () =>
      (await fetched("dev1", "https://node.test/")).includes("not the internet"),
    );
    const names = [...Object.keys(inward), "ok.test"];
    const answers = await eventually("an answer about each name", async () => {
      const lines = await raw(
        "dev1",
        names.map((name) => connect(`${name}:443`)),
      );
      const unsure = names.filter((_, index) => lines[index]?.includes(" 503 "));
      // Of a name that nobody has resolved yet, it says to try again.
      if (unsure.length > 0) throw new Error(`503 for ${unsure.join(", ")}`);
      return Object.fromEntries(names.map((name, index) => [name, lines[index]]));
    });
    const expected = names.map((name) => [name, name === "ok.test" ? through : "HTTP/1.1 403 Forbidden"]);
    expect(answers).toEqual(Object.fromEntries(expected));
  });
});

describe("a changed list", () => {
  it("ends what is no longer allowed and keeps what stays", async () => {
    await up(["ok.test", "one.wild.test"]);
    const count = (url: string, log: string) =>
      `nohup curl -skN ${url} >${log} 2>/dev/null & sleep 0.1; echo $! >${log}.pid`;
    await inside(
      "dev1",
      `${count("https://ok.test/count", "/tmp/stays")}; ${count("https://one.wild.test/count", "/tmp/goes")}; ${count("http://one.wild.test/count", "/tmp/plain")}`,
    );
    const lines = async (log: string) => Number((await inside("dev1", `wc -l </tmp/${log}`)).stdout);
    await eventually("all to count", async () =>
      (await Promise.all(["stays", "goes", "plain"].map(lines))).every((each) => each > 5),
    );
    const grant = { data: { hosts: "ok.test\n" } };
    const patch = ["patch", "configmap", "egress-grant.dev1", "--type=merge", "-p", JSON.stringify(grant)];
    await kubectl(["-n", team, ...patch]);
    const alive = async (log: string) =>
      (
        await inside("dev1", `kill -0 $(cat /tmp/${log}.pid) 2>/dev/null && echo alive || echo gone`)
      ).stdout.trim();
    // How soon, test/long/egress-changes.test.ts says.
    await eventually("the end of what goes", async () =>
      (await Promise.all(["goes", "plain"].map(alive))).every((each) => each === "gone"),
    );
    expect(await alive("stays")).toBe("alive");
    expect(await fetched("dev1", "https://one.wild.test/")).toContain("may not reach one.wild.test:443");
    const before = await lines("stays");
    await eventually("the counting to go on", async () => (await lines("stays")) > before + 5);
  });
});

describe("a team whose hosts the platform bounds", () => {
  const annotation = "drawbridge.dev/egress-hosts";
  const bounds = "ok.test,*.wild.test,git.test:22";
  /** What the API server says of an object, which is not made. */
  async function admitted(object: object): Promise<string> {
    const apply = ["apply", "--dry-run=server", "-n", team, "-f", "-"];
    const { code, stderr } = await run("kubectl", apply, { input: JSON.stringify(object) });
    return code === 0 ? "admitted" : stderr;
  }
  const grant = (hosts: string, name = "egress-grant.dev9") =>
    admitted({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { hosts } });
  const reaching = (...to: object[]) =>
    admitted({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "dev9" },
      spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{ to }] },
    });
  const everywhere = {
    ipBlock: { cidr: "0.0.0.0/0", except: [...privateNetworks.ipv4] },
  };

  it("is as free as any other before that", async () => {
    expect([await grant("other.test\n"), await reaching(everywhere)]).toEqual(["admitted", "admitted"]);
  });

  it("names no other host, and reaches no public address past the gateway", async () => {
    await kubectl(["annotate", "namespace", team, `${annotation}=${bounds}`]);
    const within = [
      "",
      "ok.test\n",
      "ok.test:443\n",
      "a.wild.test\n",
      "*.a.wild.test\n*.wild.test\n",
      "git.test:22\n",
    ];
    expect(await Promise.all(within.map((hosts) => grant(hosts)))).toEqual(within.map(() => "admitted"));
    const beyond = [
      "other.test",
      "ok.test:22",
      "git.test",
      "git.test:2",
      "wild.test",
      "xwild.test",
      "*.test",
      "*",
      "ok.test,other.test",
      "ok.test other.test",
      "OK.test",
    ];
    const said = await Promise.all(beyond.map((host) => grant(`ok.test\n${host}\n`)));
    expect(said).toEqual(
      beyond.map((host) =>
        expect.stringContaining(`${host}: beyond the hosts that the platform lets this team name`),
      ),
    );
    expect(await grant("other.test\n", "other")).toBe("admitted");
    const byName = expect.stringContaining("the platform lets this team reach the internet by name alone");
    const single = { ipBlock: { cidr: "198.51.100.10/32" } };
    const egressGateway = {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": gateway } },
      podSelector: { matchLabels: { "app.kubernetes.io/component": "egress-gateway" } },
    };
    expect(
      await Promise.all(
        [everywhere, single, { ipBlock: { cidr: podNetwork } }, egressGateway].map((to) => reaching(to)),
      ),
    ).toEqual([byName, byName, "admitted", "admitted"]);
    // Without a host, nothing of the internet.
    await kubectl(["annotate", "namespace", team, `${annotation}=`, "--overwrite"]);
    expect(await grant("ok.test\n")).toContain("ok.test: beyond the hosts");
    expect(await Promise.all([everywhere, single].map((to) => reaching(to)))).toEqual([byName, byName]);
    expect([await grant(""), await reaching(egressGateway), await reaching({ podSelector: {} })]).toEqual(
      Array(3).fill("admitted"),
    );
    await kubectl(["annotate", "namespace", team, `${annotation}-`]);
  });
});

describe("connections", () => {
  it("are as many as the gateway lets one container have, and again when some have ended", async () => {
    await up(declared);
    const many = Array(tunnels + 1).fill(connect("ok.test:443"));
    await eventually("the ones before to be gone", async () => {
      const answers = await raw("dev1", many, true);
      const [refused] = answers.splice(-1);
      return refused === "HTTP/1.1 429 Too Many Requests" && answers.every((answer) => answer === through);
    });
    await eventually(
      "these to be gone",
      async () => (await raw("dev1", many.slice(1), true)).at(-1) === through,
    );
    const denials = await denialsOf(await loadKube(), { namespace: team, name: "dev1" });
    expect(denials.find(({ what }) => what === "CONNECT other.test:22")?.reason).toBe(
      'team-e/dev1 may not reach other.test:22; add "other.test:22" to its egress.hosts',
    );
    expect(denials.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining(`team-e/dev1 has ${tunnels} connections open, as many as it may`),
    );
  });
});

describe("a pod of somebody else's", () => {
  it("reaches the hosts that its InjectedSshd names, and no other", async () => {
    withPod = true;
    await up(declared);
    await eventually("its first answer", async () =>
      (await fetched("nb", "https://ok.test/")).startsWith("200 200"),
    );
    expect(await fetched("nb", "https://other.test/")).toBe(
      'team-e/nb may not reach other.test:443; add "other.test" to its egress.hosts',
    );
    const direct = "curl -sk --noproxy '*' --max-time 5 -o /dev/null -w '%{http_code}' http://198.51.100.10/";
    expect((await inside("nb", direct)).stdout).toBe("000");
    const git = await inside("nb", "GIT_TRACE=0 git ls-remote ssh://git@other.test/x");
    expect(git.stderr).toContain('may not reach other.test:22; add "other.test:22" to its egress.hosts');
    expect(await raw("dev2", [connect("ok.test:443", await authorizationOf("nb"))])).toEqual([
      "HTTP/1.1 407 Proxy Authentication Required",
    ]);
  });
});

describe("another team", () => {
  const statusOf = async (texts: readonly string[]) =>
    (await raw("thief", texts)).map((line) => line.split(" ")[1]);
  const basic = (login: string) => `Proxy-Authorization: Basic ${Buffer.from(login).toString("base64")}`;
  const plain = async (name: string) => Buffer.from(await tokenOf(name), "base64").toString();
  const grant = (name: string) => getObject<{ data: object }>(["-n", rival, "configmap", name]);
  const write = (name: string, data: object) =>
    apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: rival }, data });

  it("reaches its own hosts, and nothing by what is this one's", async () => {
    withRival = true;
    await up(declared);
    const own = connect("other.test:443");
    await eventually("its first answer", async () => (await statusOf([own]))[0] === "200");
    const [theirs, its] = [await plain("dev1"), await plain("thief")];
    const [, token = ""] = its.split(":");
    const { status } = await getObject<{ status: { podIP: string } }>(["-n", team, "pod", "dev1-0"]);
    const stolen = basic(theirs);
    const from = (header: string) => connect("ok.test:443", `${stolen}\r\n${header}: ${status.podIP}`);
    const attempts: Record<string, [text: string, status: string]> = {
      "its own": [own, "200"],
      "this one's host": [connect("ok.test:443"), "403"],
      "this one's token": [connect("ok.test:443", stolen), "407"],
      "this one's token in its own name": [
        connect("ok.test:443", basic(theirs.replace(/^.*:/, `${rival}.thief:`))),
        "407",
      ],
      "its token in this one's name": [connect("ok.test:443", basic(`${team}.dev1:${token}`)), "407"],
      "a name that is two": [connect("ok.test:443", basic(`${rival}.thief.${team}.dev1:${token}`)), "407"],
      "a forwarded address": [from("x-forwarded-for"), "407"],
      "Envoy's own address": [from("x-envoy-external-address"), "407"],
      "a real address": [from("x-real-ip"), "407"],
      "a decision of its own": [
        connect("ok.test:443", "@OWN@\r\nx-drawbridge-destination: 198.51.100.10:443"),
        "403",
      ],
      "this one's pod": [connect(`${status.podIP}:22`), "403"],
      "this one's Service": [connect(`dev1.${team}.svc.cluster.local:22`), "403"],
      "a pod by a name of its own": [connect("pod.test:443"), "403"],
    };
    const answers = await statusOf(Object.values(attempts).map(([text]) => text));
    expect(Object.fromEntries(Object.keys(attempts).map((what, index) => [what, answers[index]]))).toEqual(
      Object.fromEntries(Object.entries(attempts).map(([what, [, expected]]) => [what, expected])),
    );
  });

  it("gains nothing by grants that it writes", async () => {
    const own = connect("other.test:443");
    const { data } = await grant("egress-grant.thief");
    const login = basic(`${rival}.dev1:${(await plain("thief")).split(":")[1]}`);
    // Called as this one's, in its own namespace: no Role lets the authorizer look at it.
    await write("egress-grant.dev1", data);
    expect(await statusOf([own, connect("other.test:443", login)])).toEqual(["200", "407"]);
    // This one's pod has its name in another namespace.
    await write("egress-grant.thief", { ...data, podName: "dev1-0" });
    await eventually("the change", async () => (await statusOf([own]))[0] === "407");
    expect(await fetched("dev1", "https://ok.test/")).toMatch(/^200 200/);
    await write("egress-grant.thief", data);
    await eventually("its own again", async () => (await statusOf([own]))[0] === "200");
  });
});

describe("the pods", () => {
  it("hold the token in no pod, ConfigMap or state", async () => {
    const secret = await getObject<{ data: { token: string } }>(["-n", team, "secret", "dev1-egress"]);
    const token = Buffer.from(secret.data.token, "base64").toString();
    expect(token).toMatch(/^[\w-]{43}$/);
    const objects = await kubectl(["-n", team, "get", "pods,statefulsets,configmaps", "-o", "json"]);
    expect(objects).not.toContain(token);
    expect((await run("grep", ["-rqF", "--", token, stack.stack.backend])).code).toBe(1);
  });

  it("of the gateway reach the internet, and nothing private if it errs", async () => {
    const program = `require("node:net").connect({ host: process.argv[1], port: process.argv[2], timeout: 4000 })
      .on("connect", () => { console.log("reached"); process.exit(); })
      .on("timeout", () => { console.log("not reached"); process.exit(); })
      .on("error", () => console.log("not reached"))`;
    const { status } = await getObject<{ status: { podIP: string } }>(["-n", team, "pod", "dev1-0"]);
    const reaches = async (address: string, port: number) => {
      const inGateway = ["-n", gateway, "exec", `deployment/${gateway}`, "-c", "authorizer", "--"];
      return (await kubectl([...inGateway, "node", "-e", program, address, String(port)])).trim();
    };
    expect(await reaches(machines[0], 80)).toBe("reached");
    const inward: [string, number][] = [
      [status.podIP, 22],
      ["10.201.0.1", 10_250],
      ["169.254.169.254", 80],
    ];
    expect(await Promise.all(inward.map(([address, port]) => reaches(address, port)))).toEqual(
      inward.map(() => "not reached"),
    );
  });

  it("let the authorizer read one grant and one pod", async () => {
    const may = async (...what: string[]) =>
      (
        await run("kubectl", [
          "auth",
          "can-i",
          ...what,
          "-n",
          team,
          `--as=system:serviceaccount:${gateway}:${gateway}`,
        ])
      ).stdout.trim();
    expect(await may("get", "configmap/egress-grant.dev1")).toBe("yes");
    expect(await may("get", "pod/dev1-0")).toBe("yes");
    expect(await may("list", "configmaps")).toBe("no");
    expect(await may("get", "secret/dev1-egress")).toBe("no");
  });
});

describe("without the authorizer", () => {
  it("everything new is refused, what is open goes on, and all is well again when it is back", async () => {
    await inside("dev1", "nohup curl -skN https://ok.test/count >/tmp/open 2>/dev/null & sleep 0.5");
    const count = async () => Number((await inside("dev1", "wc -l </tmp/open")).stdout);
    const goesOn = async () => {
      const before = await count();
      await eventually("the counting to go on", async () => (await count()) > before + 5);
    };
    await goesOn();
    const [pod = ""] = await podNames(gateway, "app.kubernetes.io/component=egress-gateway");
    const { metadata } = await getObject<{ metadata: { uid: string } }>(["-n", gateway, "pod", pod]);
    const [authorizer = 0, ...others] = podProcesses(metadata.uid, "/node");
    expect(others).toEqual([]);
    process.kill(authorizer, "SIGSTOP");
    expect(await raw("dev1", [connect("ok.test:443")])).toEqual(["HTTP/1.1 503 Service Unavailable"]);
    await goesOn();
    process.kill(authorizer, "SIGKILL");
    await eventually(
      "the next one",
      async () => (await raw("dev1", [connect("ok.test:443")]))[0] === through,
    );
    await goesOn();
    // Of the one before it knows how many it can no longer end.
    const metrics = `fetch("http://127.0.0.1:7512/metrics").then((answer) => answer.text()).then(console.log)`;
    const inGateway = ["-n", gateway, "exec", pod, "-c", "authorizer", "--"];
    expect(await kubectl([...inGateway, "node", "-e", metrics])).toMatch(/without_lease_total [1-9]/);
  });
});
