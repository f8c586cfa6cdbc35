/** The sshpod way with plain ssh, scp and sftp, into pods that know nothing of it. */
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledCli, installCli, sshdBundleFolder } from "../../scripts/lib/clients/cli.ts";
import { apply, eventually, kubectl, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { busybox, busyboxPod } from "../support/stacks/busybox.ts";
import { sshpodObjects } from "./sshpod-objects.fixture.ts";

const namespace = `sshpod-${process.pid}`;
let cli: InstalledCli;
let env: Record<string, string>;
let configFile: string;

const host = (target: string) => `${target}.namespace--${namespace}.sshpod`;
const ssh = (user: string, target: string, ...command: string[]): Promise<Outcome> =>
  run("ssh", ["-F", configFile, `${user}@${host(target)}`, ...command], { env, timeoutSeconds: 60 });
const copies = () =>
  run("grep", ["-c", "sshd copied", join(cli.home, "log")]).then(({ stdout }) => Number(stdout));

beforeAll(async () => {
  cli = await installCli();
  env = { ...cli.env, DRAWBRIDGE_SSHD_BUNDLE: await sshdBundleFolder() };
  configFile = join(cli.home, "config");
  const state = join(cli.home, "state", "sshpod");
  await writeFile(
    configFile,
    `Host *.sshpod
  ProxyCommand drawbridge proxy --host %h --user %r --port %p --verbose 2>>${join(cli.home, "log")}
  IdentityFile ${state}/id_ed25519
  IdentitiesOnly yes
  UserKnownHostsFile ${state}/known_hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
`,
  );
  await apply(...sshpodObjects(namespace));
  const ready = ["plain", "somebody", "bare", "pair", "shellless", "sealed"].map((name) => `pod/${name}`);
  const wait = ["wait", "--for=condition=Ready", "--timeout=90s"];
  await kubectl(["-n", namespace, ...wait, ...ready]);
  await kubectl(["-n", namespace, ...wait, "pod", "-l", "app in (web,batch)"]);
});

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
  await cli.remove();
});

describe("an unmodified busybox pod", () => {
  it("is entered with plain ssh; the second time nothing is copied", async () => {
    const entered = () => ssh("root", "pod--plain", 'id -u; echo "$GREETING"; exit 7');
    const first = await entered();
    expect(first).toEqual({ code: 7, stdout: '0\na "b" \\c\n', stderr: "" });
    expect(await copies()).toBe(1);
    expect(await entered()).toEqual(first);
    expect(await copies()).toBe(1);
  });

  it("takes and gives files with scp and sftp, unchanged", async () => {
    const bytes = randomBytes(3_000_000);
    const local = join(cli.home, "file");
    await writeFile(local, bytes);
    const there = `root@${host("pod--plain")}:/tmp/file`;
    expect((await run("scp", ["-F", configFile, local, there], { env })).code).toBe(0);
    const got = await run("sftp", ["-F", configFile, "-b", "-", `root@${host("pod--plain")}`], {
      env,
      input: `get /tmp/file ${local}.back\n`,
    });
    expect(got.code).toBe(0);
    expect((await readFile(`${local}.back`)).equals(bytes)).toBe(true);
  });

  it("forwards the agent, gives a terminal and carries 8 sessions at once", async () => {
    const agent = await run(
      "ssh-agent",
      [
        "sh",
        "-c",
        `ssh -A -F ${configFile} root@${host("pod--plain")} 'test -S "$SSH_AUTH_SOCK" && echo forwarded'`,
      ],
      { env },
    );
    expect(agent.stdout).toContain("forwarded");
    expect((await ssh("root", "pod--plain", "-tt", "tty")).stdout).toMatch(/^\/dev\/pts\/\d+\r\n$/);
    const sessions = await Promise.all(
      Array.from({ length: 8 }, (_, index) => ssh("root", "pod--plain", `echo ${index}`)),
    );
    expect(sessions.map(({ stdout }) => Number(stdout))).toEqual(
      Array.from({ length: 8 }, (_, index) => index),
    );
  });

  it("refuses a host key that somebody in the pod has swapped", async () => {
    const folder = "/tmp/sshpod-1234";
    expect((await ssh("eve", "pod--somebody", "id -u")).stdout).toBe("1234\n");
    const swap = `cd ${folder}/*/ && cp host_key /tmp/own && b=$(echo ${folder}/bundle-*) && pid=$($b/bin/busybox cut -d' ' -f2 live) && kill $pid; cd / && sleep 1; true`;
    await kubectl(["-n", namespace, "exec", "somebody", "--", "sh", "-c", swap]);
    // The next login starts sshd again, with the right key: nobody is locked out.
    expect((await ssh("eve", "pod--somebody", "id -u")).stdout).toBe("1234\n");
    const known = join(cli.home, "state", "sshpod", "known_hosts");
    const pinned = (await readFile(known, "utf8"))
      .split("\n")
      .filter((line) => line.startsWith("pod--somebody"));
    expect(pinned.length).toBe(1);
    const other = (await readFile(known, "utf8")).split("\n").find((line) => line.startsWith("pod--plain"));
    const foreign = join(cli.home, "foreign");
    await writeFile(foreign, `${host("pod--somebody")} ${other?.split(" ").slice(1).join(" ")}\n`);
    const refused = await run(
      "ssh",
      ["-F", configFile, "-o", `UserKnownHostsFile=${foreign}`, `eve@${host("pod--somebody")}`, "id"],
      { env },
    );
    expect(refused.code).toBe(255);
    expect(refused.stderr).toContain("REMOTE HOST IDENTIFICATION HAS CHANGED");
  });
});

describe("other targets", () => {
  it("enters a pod that is not ready, which may be why its owner comes", async () => {
    expect(await ssh("root", "pod--unready", "echo in")).toEqual({ code: 0, stdout: "in\n", stderr: "" });
  });

  it("enters an image without tar and gzip", async () => {
    expect(await ssh("root", "pod--bare", "echo in")).toEqual({ code: 0, stdout: "in\n", stderr: "" });
  });

  it("enters a Deployment, a Job and a named container", async () => {
    const web = await ssh("root", "deployment--web", "hostname");
    expect(web.stdout).toMatch(/^web-/);
    expect((await ssh("root", "deployment--web", "hostname")).stdout).toBe(web.stdout);
    expect((await ssh("root", "job--batch", "hostname")).stdout).toMatch(/^batch-/);
    expect((await ssh("root", "container--two.pod--pair", "echo two")).stdout).toBe("two\n");
  });

  it("gets a new pod's new key without complaint when the pod is replaced", async () => {
    const replaced = await kubectl([
      "-n",
      namespace,
      "get",
      "pod",
      "somebody",
      "-o",
      "jsonpath={.metadata.uid}",
    ]);
    await kubectl(["-n", namespace, "delete", "pod", "somebody", "--now"]);
    await kubectl(
      ["apply", "-f", "-"],
      JSON.stringify(
        busyboxPod(namespace, "somebody", [busybox("main")], { securityContext: { runAsUser: 1234 } }),
      ),
    );
    await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "--timeout=60s", "pod/somebody"]);
    expect(
      await kubectl(["-n", namespace, "get", "pod", "somebody", "-o", "jsonpath={.metadata.uid}"]),
    ).not.toBe(replaced);
    expect((await ssh("eve", "pod--somebody", "id -u")).stdout).toBe("1234\n");
  });
});

describe("a context of the kubeconfig that is not the current one", () => {
  /** The lab as the context `Lab-One`, with a namespace of its own; the current one leads to nobody. */
  async function twoClusters(): Promise<{ KUBECONFIG: string }> {
    const config = JSON.parse(await readFile(process.env.KUBECONFIG ?? "", "utf8"));
    const [{ context }] = config.contexts;
    const [{ cluster }] = config.clusters;
    const file = join(cli.home, "two-clusters");
    const both = {
      ...config,
      clusters: [
        ...config.clusters,
        { name: "nobody", cluster: { ...cluster, server: "https://127.0.0.1:1" } },
      ],
      contexts: [
        { name: "elsewhere", context: { ...context, cluster: "nobody" } },
        { name: "Lab-One", context: { ...context, namespace } },
      ],
      "current-context": "elsewhere",
    };
    await writeFile(file, JSON.stringify(both));
    return { KUBECONFIG: file };
  }

  const login = async (via: string) => {
    const command = ["-F", configFile, `root@${via}`, "hostname"];
    return run("ssh", command, { env: { ...env, ...(await twoClusters()) }, timeoutSeconds: 60 });
  };

  it("is entered by nobody's name before the user allowed it", async () => {
    const log = join(cli.home, "log");
    await writeFile(log, "");
    expect((await login("pod--plain.context--Lab-One.sshpod")).code).toBe(255);
    expect(await readFile(log, "utf8")).toContain('host names may not lead to the context "Lab-One"');
    // What comes after these tests goes to the lab's own.
    const allow = ["ssh-config", "--sshpod", "--context", "Lab-One", "elsewhere", "drawbridge-lab"];
    expect((await cli.run(allow)).code).toBe(0);
  });

  it("is entered by its name, in whatever case ssh writes it, and brings its namespace along", async () => {
    const expected = { code: 0, stdout: "plain\n", stderr: "" };
    expect(await login("pod--plain.context--Lab-One.sshpod")).toEqual(expected);
    expect(await login(`pod--plain.namespace--${namespace}.context--lab-one.sshpod`)).toEqual(expected);
  });

  it("is not guessed: without the name the current one is asked, and an unknown name is refused", async () => {
    const log = join(cli.home, "log");
    await writeFile(log, "");
    expect((await login("pod--plain.sshpod")).code).toBe(255);
    expect(await readFile(log, "utf8")).toContain(
      "the Kubernetes API at https://127.0.0.1:1 cannot be reached",
    );
    await writeFile(log, "");
    expect((await login("pod--plain.context--lab-two.sshpod")).code).toBe(255);
    expect(await readFile(log, "utf8")).toContain(
      'the kubeconfig has no context "lab-two"; it has: elsewhere, Lab-One',
    );
  });
});

describe("refuses in one sentence", () => {
  const refusal = async (user: string, target: string) => {
    const log = join(cli.home, "log");
    await writeFile(log, "");
    expect((await ssh(user, target, "true")).code).toBe(255);
    const lines = (await readFile(log, "utf8")).trim().split("\n");
    return lines.at(-1)?.replace(/^drawbridge: /, "");
  };

  it.each([
    [
      "a pod that is not there",
      "root",
      "pod--nobody",
      "there is no pod nobody in namespace NS of context drawbridge-lab; check both names, or add namespace--NAME or context--NAME to the host name",
    ],
    [
      "several containers",
      "root",
      "pod--pair",
      "pod pair has several containers: one, two; say which by putting container--NAME. in front of the host name",
    ],
    [
      "another container",
      "root",
      "container--three.pod--pair",
      'pod pair has no container "three"; it has: one, two',
    ],
    [
      "a distroless image",
      "root",
      "pod--shellless",
      "container main of pod NS/shellless cannot be entered: its image has no shell (distroless?); sshpod needs sh, cat, ls, mkdir, mv, chmod and uname in the image, so use an image with busybox or a container with sshd of its own",
    ],
    [
      "a container that does not run",
      "root",
      "pod--stopped",
      "container main of pod NS/stopped does not run: phase Pending, container main ErrImageNeverPull; see: kubectl -n NS describe pod stopped",
    ],
    [
      "a sealed /tmp",
      "root",
      "pod--sealed",
      "container main of pod NS/sealed cannot be entered: /tmp is not writable for uid 0",
    ],
    [
      "an unknown Deployment",
      "root",
      "deployment--nothing",
      "there is no deployment nothing in namespace NS of context drawbridge-lab; check both names, or add namespace--NAME or context--NAME to the host name",
    ],
    [
      "a name that is no user name",
      "1x",
      "pod--plain",
      '"1x" is not a user name; use letters, digits, _, . and -, at most 32, not starting with a digit',
    ],
  ])("%s", async (_title, user, target, sentence) => {
    expect(await refusal(user, target)).toBe(sentence.replaceAll("NS", namespace));
  });

  it("a cluster that does not answer", async () => {
    const kubeconfig = join(cli.home, "unreachable");
    await writeFile(
      kubeconfig,
      (await readFile(process.env.KUBECONFIG ?? "", "utf8")).replace(
        /https:\/\/[^"\s]+/,
        "https://127.0.0.1:1",
      ),
    );
    const outcome = await cli.run(["proxy", "--host", "pod--x.sshpod", "--user", "root"], {
      env: { KUBECONFIG: kubeconfig },
    });
    expect(outcome).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "drawbridge: the Kubernetes API at https://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1; check the network and the kubeconfig's server address\n",
    });
  });
});

it("leaves nothing running on the laptop", async () => {
  await eventually("the end of every proxy", async () => {
    const { stdout } = await run("pgrep", ["-f", join(cli.home, "..", "dist", "main.cjs")]);
    return stdout === "";
  });
});
