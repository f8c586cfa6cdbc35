/** `drawbridge` as one file, without Node on PATH: the sshd that it brings into a pod is inside of it. */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { sshdBundleFolder } from "../../scripts/lib/clients/cli.ts";
import { apply, eventually, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { makeExecutables } from "../../scripts/release/executables.ts";
import { busybox, busyboxPod } from "../support/stacks/busybox.ts";

const namespace = `executable-${process.pid}`;
const folder = temporaryFolder();
let program: string;
let env: Record<string, string>;

beforeAll(async () => {
  const machine = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
  await makeExecutables(folder, projectVersion(), await sshdBundleFolder(), [machine]);
  await mkdir(join(folder, "bin"));
  program = join(folder, "bin", "drawbridge");
  await rename(join(folder, `drawbridge-${projectVersion()}-${machine}`), program);
  env = { PATH: "/usr/bin:/bin", NODE_OPTIONS: "", HOME: folder, DRAWBRIDGE_HOME: join(folder, "state") };
  await kubectl(["create", "namespace", namespace]);
  await apply(busyboxPod(namespace, "plain", [busybox("main")]));
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/plain", "--timeout=90s"]);
});
afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
});

it("logs in to a pod that knows nothing of SSH, with nothing but that file and ssh", async () => {
  const via = `pod--plain.namespace--${namespace}.sshpod`;
  const state = join(folder, "state", "sshpod");
  const options = [
    `ProxyCommand=${program} proxy --host %h --user %r --port %p`,
    `IdentityFile=${state}/id_ed25519`,
    `UserKnownHostsFile=${state}/known_hosts`,
    "IdentitiesOnly=yes",
    "StrictHostKeyChecking=yes",
    "BatchMode=yes",
  ].flatMap((option) => ["-o", option]);
  const login = await eventually("a login", async () => {
    const attempt = await run("ssh", ["-F", "none", ...options, `root@${via}`, "id -u; exit 3"], {
      env,
      timeoutSeconds: 60,
    });
    return attempt.code === 3 ? attempt : undefined;
  });
  expect(login.stdout).toBe("0\n");
});
