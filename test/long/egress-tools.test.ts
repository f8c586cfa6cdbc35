/** Tools that fetch and install, as they are: from registries under names that are declared, and from no other. */

import { readFile } from "node:fs/promises";
import { execPath } from "node:process";
import type { EgressGateway } from "@drawbridge-iac/drawbridge";
import { teamNamespace } from "@drawbridge-iac/drawbridge/src/team/namespace";
import { ensureImages, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apply, kubectl } from "../../scripts/lib/lab/lab.ts";
import { type LoopbackSshd, startSshd } from "../support/clients/loopback-ssh.ts";
import { podNetwork } from "../support/lab/cluster.ts";
import { Internet, machines, spareMachine } from "../support/lab/internet.ts";
import { ContainerStack } from "../support/stacks/containers.ts";
import { testEgressGateway } from "../support/stacks/egress-stack.ts";
import { installGreeter } from "./debian-packages.fixture.ts";
import { writeRegistries } from "./registries.fixture.ts";

const team = "team-tools";
const gateway = "egress-tools";
/** The other one is at the same address, as behind one CDN. */
const [declared, other] = ["ok.test", "neighbour.test"] as const;
const [declaredSsh, otherSsh] = ["git.test", "other-git.test"] as const;
const [machine] = machines;

let internet: Internet;
let sshd: LoopbackSshd;
let stack: ContainerStack;

beforeAll(async () => {
  internet = await Internet.start({
    [declared]: [machine],
    [other]: [machine],
    [declaredSsh]: [spareMachine],
    [otherSsh]: [spareMachine],
  });
  await writeRegistries(internet.files, [declared, other]);
  const inside = await internet.inside();
  sshd = await startSshd(undefined, { addresses: [spareMachine], port: 22, inside });
  const { toolchains } = await ensureImages(["toolchains"], lineProgress());
  await loadImage(process.env.DRAWBRIDGE_LAB ?? "", toolchains.tar);
  const certificate = await readFile(internet.certificate, "utf8");
  await apply(teamNamespace(team, [podNetwork], "baseline"), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "authorities", namespace: team },
    data: { "ca.crt": certificate },
  });
  stack = await ContainerStack.create(team, "gw-tools", { namespaceExists: true });
  let egress: EgressGateway;
  const args = () => ({
    image: toolchains.ref,
    resources: { requests: { cpu: "20m" }, memory: "1Gi" },
    trustedCa: { configMapName: "authorities" },
    egress: { gateway: egress, hosts: [declared, `${declaredSsh}:22`] },
  });
  await stack.up({
    dev: () => {
      egress = testEgressGateway(gateway);
      return args();
    },
    root: () => ({ ...args(), root: true, team: { namespace: team, root: true } }),
  });
  await stack.output("dev", "mkdir -p ~/.ssh");
  const [, type, key] = /^(\S+) (\S+)/.exec(sshd.hostPublicKey) ?? [];
  const known = [declaredSsh, otherSsh].map((name) => `${name} ${type} ${key}`).join("\n");
  await stack.output("dev", `echo '${known}' >~/.ssh/known_hosts`);
  for (const [from, to] of [
    [sshd.userKey, ".ssh/id_ed25519"],
    [execPath, "node-24"],
  ] as const)
    expect(await stack.laptop.scp(["-q", from, `dev:${to}`])).toMatchObject({ code: 0, stderr: "" });
});

afterAll(async () => {
  await stack?.close();
  await kubectl(["delete", "namespace", gateway, "--ignore-not-found", "--wait=false"]);
  await sshd?.stop();
  await internet?.remove();
});

interface Tool {
  /** Fetches and shows what came. */
  readonly script: (host: string) => string;
  readonly says: string;
  /** @default `dev` */
  readonly container?: "root";
  /** @default by `declared` and `other`, at 443 */
  readonly port?: 22 | 80;
}

const fetching = "fetch(process.argv[1]).then((answer) => answer.text()).then(console.log)";
const python = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode())";
/** In a folder of its own each time, so that nothing is there from the time before. */
const apart = (script: string) => `cd "$(mktemp -d)" && ${script}`;

const tools: Record<string, Tool> = {
  pip: {
    script: (host) =>
      `pip install -q --target . --index-url https://${host}/files/simple greeter && python3 -c 'import greeter; greeter.main()'`,
    says: "hello from Python",
  },
  npm: {
    script: (host) =>
      `npm install --prefix . --registry https://${host}/files/npm/${host}/ greeter && node_modules/.bin/greet-node`,
    says: "hello from Node",
  },
  cargo: {
    script: (host) =>
      `CARGO_HTTP_CAINFO="$SSL_CERT_FILE" cargo install --root . --index sparse+https://${host}/files/crates/${host}/ greeter && bin/greeter`,
    says: "hello from Rust",
  },
  go: {
    script: (host) =>
      `go mod init example.com/x && GOPROXY=https://${host}/files/go GONOSUMDB='*' GOMODCACHE=$PWD/mod GOFLAGS=-modcacherw ` +
      "go get example.com/greeter@v1.0.0 && cat mod/example.com/greeter@v1.0.0/greeting",
    says: "hello from Go",
  },
  "apt, by sudo": {
    container: "root",
    port: 80,
    script: (host) =>
      `sudo sh -c "${installGreeter(`http://${host}/files/debian/`)}" && cat /var/lib/greeter/greeting`,
    says: "hello",
  },
  "apt by https": {
    script: (host) =>
      [
        "mkdir -p lists/partial",
        `echo 'deb [trusted=yes] https://${host}/files/debian/ ./' >list`,
        'printf \'Dir::Etc::SourceList "%s/list"; Dir::State::Lists "%s/lists"; Dir::Cache "%s";\' "$PWD" "$PWD" "$PWD" >apt.conf',
        'printf \'Dir::Etc::SourceParts "-"; Acquire::https::CAInfo "%s";\' "$SSL_CERT_FILE" >>apt.conf',
        "export APT_CONFIG=$PWD/apt.conf",
        "apt-get update && apt-get download greeter && dpkg-deb -x greeter*.deb . && tail -n1 usr/sbin/greeter",
      ].join(" && "),
    says: "exec python3",
  },
  Maven: {
    script: (host) =>
      [
        `printf '<project><modelVersion>4.0.0</modelVersion><parent><groupId>com.example</groupId><artifactId>greeter</artifactId><version>1</version></parent><artifactId>x</artifactId><packaging>pom</packaging><repositories><repository><id>central</id><url>https://${host}/files/maven</url></repository></repositories></project>' >pom.xml`,
        "mvn -q -Dmaven.repo.local=repo -Dmaven.wagon.http.ssl.insecure=true -Dmaven.wagon.http.ssl.allowall=true validate",
        "cat repo/com/example/greeter/1/greeter-1.pom",
      ].join(" && "),
    says: "hello from Maven",
  },
  "git by https": {
    script: (host) => `git clone -q https://${host}/files/greeter.git && cat greeter/greeting`,
    says: "hello from git",
  },
  "git by ssh": {
    port: 22,
    script: (host) => `git clone -q ssh://root@${host}${internet.files}/greeter.git && cat greeter/greeting`,
    says: "hello from git",
  },
  curl: { script: (host) => `curl -sSf https://${host}/files/hello.txt`, says: "hello from a file" },
  "curl by http": {
    port: 80,
    script: (host) => `curl -sSf http://${host}/files/hello.txt`,
    says: "hello from a file",
  },
  wget: {
    script: (host) => `wget -nv --ca-certificate="$SSL_CERT_FILE" -O- https://${host}/files/hello.txt`,
    says: "hello from a file",
  },
  "Python's urllib": {
    script: (host) => `python3 -c '${python}' https://${host}/files/hello.txt`,
    says: "hello from a file",
  },
  "Node.js 24's fetch": {
    script: (host) => `~/node-24 -e '${fetching}' https://${host}/files/hello.txt`,
    says: "hello from a file",
  },
};

/** What the authorizer has refused so far. */
async function refusals(): Promise<string[]> {
  const log = await kubectl([
    ...["-n", gateway, "logs", "-l", "app.kubernetes.io/component=egress-gateway"],
    ...["-c", "authorizer", "--tail=-1"],
  ]);
  const events = log.split("\n").filter((line) => line.startsWith("{"));
  return events
    .map((line): { outcome: string; reason: string } => JSON.parse(line))
    .filter(({ outcome }) => outcome === "refused")
    .map(({ reason }) => reason);
}

describe.each(Object.entries(tools))("%s", (_, { script, says, container = "dev", port = 443 }) => {
  const [good, bad] = port === 22 ? [declaredSsh, otherSsh] : [declared, other];

  it("gets nothing from a name that is not declared, where the same server answers, and nothing arrives there", async () => {
    const [arrived, refused] = [await internet.arrivals(), await refusals()];
    const { code, stdout } = await stack.ssh(container, apart(script(bad)));
    expect(code).not.toBe(0);
    expect(stdout).not.toContain(says);
    expect(await internet.arrivals()).toEqual(arrived);
    const host = port === 22 ? `${bad}:22` : bad;
    const reason = `${team}/${container} may not reach ${bad}:${port}; add "${host}" to its egress.hosts`;
    expect([...new Set((await refusals()).slice(refused.length))]).toEqual([reason]);
  });

  it("gets what it asks for from the one that is declared", async () => {
    const refused = await refusals();
    expect(await stack.output(container, `{ ${apart(script(good))}; } 2>&1`)).toContain(says);
    expect(await refusals()).toEqual(refused);
  });
});

it("a program that ignores the proxy reaches nothing: Node.js 20's fetch", async () => {
  const arrived = await internet.arrivals();
  const { code, stderr } = await stack.ssh(
    "dev",
    `node -e '${fetching}' https://${declared}/files/hello.txt`,
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining("fetch failed")]);
  expect(await internet.arrivals()).toEqual(arrived);
});

it("programs of root by sudo have the same environment", async () => {
  const variables = (by: string) =>
    stack.output("root", `${by} env | grep -iE '^(https?_|no_|git_|node_)' | sort`);
  const own = await variables("");
  expect(own.trim().split("\n")).toHaveLength(11);
  expect(await variables("sudo")).toBe(own);
});
