/**
 * The README's program on the real cluster and the commands of the pages, each taken from its page: the two that let
 * someone in, and what people and their platform team type afterwards.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type InstalledCli, installCli, sshdBundleFolder } from "../../scripts/lib/clients/cli.ts";
import { apply, eventually, kubectl, Laptop, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { makeCertificates } from "../support/clients/loopback-ssh.ts";
import { pulumiRelease } from "../support/engine/pulumi-release.ts";
import { busybox, busyboxPod } from "../support/stacks/busybox.ts";

// Inside the repository, where the packages are found.
const project = resolve(`.drawbridge/readme-${process.pid}`);
const image = "registry.example.com/team/devcontainer:0.1.0";
const pods = ["app", "tools"];
let cli: InstalledCli;
let laptop: Laptop;
let env: Record<string, string>;

beforeAll(async () => {
  cli = await installCli();
  laptop = await Laptop.create();
  const [programs, ssh] = [join(project, "programs"), join(cli.home, ".ssh")];
  for (const folder of [project, programs, ssh]) await mkdir(folder, { recursive: true, mode: 0o700 });
  await copyFile(laptop.keyFile, join(ssh, "id_ed25519"));
  await writeFile(join(ssh, "id_ed25519.pub"), `${laptop.publicKey}\n`);
  // ssh and scp ask the account for its home; this one's is another.
  for (const name of ["ssh", "scp"]) {
    const own = `exec /usr/bin/${name} -F ${join(ssh, "config")} -i ${join(ssh, "id_ed25519")} -o BatchMode=yes "$@"`;
    await writeFile(join(programs, name), `#!/bin/sh\n${own}\n`, { mode: 0o755 });
  }
  // An editor that notes with what it was started.
  await writeFile(join(programs, "code"), `#!/bin/sh\necho "$@" >${join(project, "opened")}\n`, {
    mode: 0o755,
  });
  const pulumi = await pulumiRelease(join(project, "pulumi"));
  const path = [programs, join(project, "pulumi"), cli.env.PATH].join(delimiter);
  env = {
    ...cli.env,
    ...pulumi,
    PATH: path,
    NODE_OPTIONS: process.env.NODE_OPTIONS ?? "",
    DRAWBRIDGE_SSHD_BUNDLE: await sshdBundleFolder(),
    PULUMI_BACKEND_URL: `file://${project}`,
    PULUMI_CONFIG_PASSPHRASE: "only for tests",
    // In the place of someone who says yes.
    PULUMI_SKIP_CONFIRMATIONS: "true",
  };
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module", main: "index.js" }));
  await writeFile(join(project, "index.ts"), await pageBlock("README.md", "ts", "new DevContainer"));
  await writeFile(join(project, "Pulumi.yaml"), await pageBlock("docs/start.md", "yaml", "runtime:"));
});

afterAll(async () => {
  await shell("pulumi destroy");
  await kubectl([
    "delete",
    "namespace",
    "team-a",
    "ssh-ingress",
    ...pods,
    "--ignore-not-found",
    "--wait=false",
  ]);
  await kubectl(["-n", "default", "delete", "pod", "my-pod", "--ignore-not-found", "--wait=false"]);
  await Promise.all([laptop.remove(), cli.remove(), rm(project, { recursive: true, force: true })]);
});

/** Runs a page's lines as someone would who types them, in the project; `input` is what they type into a session. */
function shell(lines: string, input = "", more: Record<string, string> = {}): Promise<Outcome> {
  return run("bash", ["--norc", "-euo", "pipefail", "-c", lines], {
    cwd: project,
    env: { ...env, ...more },
    input,
    timeoutSeconds: 300,
  });
}

const inside = { input: "hostname; id -un\n", output: "dev1-0\njovyan\n" };

describe("the README's program", () => {
  it("is up after the values and the two commands of docs/start.md, which end in a prompt", async () => {
    const lines = await pageBlock("docs/start.md", "sh", "pulumi stack init dev");
    const outcome = await shell(lines.replace(image, imageRef("devcontainer")), inside.input);
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.stdout.endsWith(inside.output)).toBe(true);
  });

  it("shows no change on a second preview", async () => {
    expect(await shell("pulumi preview --expect-no-changes")).toMatchObject({ code: 0 });
  });
});

describe("what people type, from a stack team-a", () => {
  beforeAll(async () => {
    expect(await shell("pulumi stack rename team-a")).toMatchObject({ code: 0 });
  });

  it("docs/people.md: the outputs as a file, without a secret", async () => {
    const lines = await pageBlock("docs/people.md", "sh", "pulumi stack output");
    expect(await shell(lines)).toMatchObject({ code: 0, stderr: "" });
    const outputs = await readFile(join(project, "outputs.json"), "utf8");
    expect(Object.keys(JSON.parse(outputs))).toEqual(["target"]);
    expect(outputs).not.toMatch(/PRIVATE|secret|seed/i);
  });

  it("docs/developers.md: the key to send, and the login", async () => {
    const key = await pageBlock("docs/developers.md", "sh", "ssh-keygen");
    const shown = await shell(key);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout.trim().split("\n").at(-1)).toBe(laptop.publicKey);
    const login = await shell(
      await pageBlock("docs/developers.md", "sh", "--from outputs.json"),
      inside.input,
    );
    expect(login).toMatchObject({ code: 0 });
    expect(login.stdout.endsWith(inside.output)).toBe(true);
  });

  it("docs/developers.md: a port of the container on the laptop", async () => {
    const forward = await pageBlock("docs/developers.md", "sh", "ssh -L");
    const serve =
      "cd /tmp && echo forwarded >page && timeout 30 python3 -m http.server 8888 >/dev/null 2>&1\n";
    const session = shell(forward, serve);
    const page = await eventually("the port", async () => {
      const { code, stdout } = await run("curl", ["-s", "--fail", "http://localhost:8888/page"]);
      return code === 0 ? stdout : undefined;
    });
    expect(page).toBe("forwarded\n");
    await kubectl(["-n", "team-a", "exec", "dev1-0", "--", "pkill", "-f", "http.server"]);
    await session;
  });

  it("docs/client.md: from the stack, a file, an address and nowhere; a login, and an editor", async () => {
    const { ca, server } = await makeCertificates(cli.home);
    const outputs = await readFile(join(project, "outputs.json"));
    const site = https.createServer(server, (_, answer) => answer.end(outputs));
    await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
    const { port } = site.address() as AddressInfo;
    try {
      const lines = await pageBlock("docs/client.md", "sh", "--from https://");
      const here = lines.replace("https://files.example.com", `https://localhost:${port}`);
      const outcome = await shell(here, inside.input, { NODE_EXTRA_CA_CERTS: ca });
      expect(outcome).toMatchObject({ code: 0 });
      expect(outcome.stdout).toContain(inside.output);
      expect(await readFile(join(project, "opened"), "utf8")).toContain("ssh-remote+dev1");
    } finally {
      site.close();
    }
  });

  it("packages/cli/README.md: all but the installation", async () => {
    const lines = await pageBlock("packages/cli/README.md", "sh", "drawbridge doctor");
    await myPod();
    const rest = lines
      .replace(/^npm install .*\n/, "")
      .replace("stacks/Pulumi.team-a.yaml", `${resolve("stacks")}/Pulumi.team-a.yaml`);
    const outcome = await shell(rest, "");
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.stdout).toMatch(/^ {2}ok {3}login/m);
  });

  it("docs/sshpod.md: pods that know nothing of SSH, by every part of the name", async () => {
    await myPod();
    for (const name of pods) await kubectl(["create", "namespace", name]);
    const labels = { app: "web" };
    const template = {
      metadata: { labels },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [busybox("main")],
        securityContext: { runAsUser: 1234 },
      },
    };
    await apply(
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web", namespace: "app" },
        spec: { selector: { matchLabels: labels }, template },
      },
      busyboxPod("tools", "debug", [busybox("main"), busybox("sidecar")], {
        securityContext: { runAsUser: 1234 },
      }),
    );
    await kubectl(["-n", "app", "rollout", "status", "deployment/web", "--timeout=60s"]);
    await kubectl(["-n", "tools", "wait", "--for=condition=Ready", "pod/debug", "--timeout=60s"]);
    const config = JSON.parse(await readFile(process.env.KUBECONFIG ?? "", "utf8"));
    const [{ name: current, context }] = config.contexts;
    const contexts = [...config.contexts, { name: "dev", context }];
    await writeFile(
      join(project, "kubeconfig"),
      JSON.stringify({ ...config, contexts, "current-context": current }),
    );
    await writeFile(join(project, "file"), "carried\n");
    // The block that someone writes by hand, with the folder in which this laptop keeps its keys.
    const block = await pageBlock("docs/sshpod.md", "ssh-config", "Match host");
    const byHand = join(project, "by-hand");
    await writeFile(byHand, block.replaceAll("~/.local/state/drawbridge", cli.env.DRAWBRIDGE_HOME ?? ""));
    const lines = await pageBlock("docs/sshpod.md", "sh", "ssh-config --sshpod");
    const said = lines.replaceAll(/^(ssh \S+)$/gm, "$1 'echo at $(hostname)'");
    const outcome = await shell(said, "", { KUBECONFIG: join(project, "kubeconfig") });
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.stdout.match(/^at .*$/gm)).toEqual([
      "at my-pod",
      expect.stringMatching(/^at web-/),
      "at debug",
    ]);
    expect(await kubectl(["-n", "default", "exec", "my-pod", "--", "cat", "/tmp/file"])).toBe("carried\n");
    const host = "root@pod--my-pod.namespace--default.sshpod";
    const login = await run("/usr/bin/ssh", ["-F", byHand, "-o", "BatchMode=yes", host, "hostname"], { env });
    expect(login).toMatchObject({ code: 0, stdout: "my-pod\n" });
  });
});

describe("what the platform team types", () => {
  it("docs/team.md and docs/isolation.md: marks a namespace, and looks through what is there", async () => {
    const mark = await pageBlock("docs/team.md", "sh", "kubectl label");
    expect(await shell(mark)).toMatchObject({ code: 0 });
    const look = await pageBlock("docs/isolation.md", "sh", "kubectl get virtualservices");
    const outcome = await shell(look);
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.stdout).toMatch(/^team-a +virtualservice\S*\/dev1-ssh /m);
  });
});

/** A pod of someone's, by the name that the pages use. */
async function myPod(): Promise<void> {
  await apply(busyboxPod("default", "my-pod", [busybox("main")]));
  await kubectl(["-n", "default", "wait", "--for=condition=Ready", "pod/my-pod", "--timeout=60s"]);
}
