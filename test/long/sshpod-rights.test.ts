/** What the Role of one container lets a person do over the Kubernetes API: enter that pod, and nothing else. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sshpodRole, sshpodRoleBinding } from "../../packages/drawbridge/src/host/ways/sshpod-role.ts";
import { type InstalledCli, installCli, sshdBundleFolder } from "../../scripts/lib/clients/cli.ts";
import { apply, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { busybox, busyboxPod } from "../support/stacks/busybox.ts";

const namespace = `rights-${process.pid}`;
const group = "mine-team";
let cli: InstalledCli;
let env: Record<string, string>;

beforeAll(async () => {
  cli = await installCli();
  const role = { name: "mine-sshpod", namespace, labels: {} };
  const account = `system:serviceaccount:${namespace}:alice`;
  await apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "alice", namespace } },
    ...["mine", "theirs"].map((name) => busyboxPod(namespace, name, [busybox("main")])),
    sshpodRole({ ...role, pods: ["mine"], exec: true }),
    sshpodRoleBinding(role, { users: [account], groups: [group] }),
  );
  await kubectl([
    "-n",
    namespace,
    "wait",
    "--for=condition=Ready",
    "--timeout=60s",
    "pod/mine",
    "pod/theirs",
  ]);
  const token = (await kubectl(["-n", namespace, "create", "token", "alice"])).trim();
  const config = JSON.parse(await readFile(process.env.KUBECONFIG ?? "", "utf8"));
  config.users = config.users.map(({ name }: { name: string }) => ({ name, user: { token } }));
  const kubeconfig = join(cli.home, "alice");
  await writeFile(kubeconfig, JSON.stringify(config));
  env = { ...cli.env, KUBECONFIG: kubeconfig, DRAWBRIDGE_SSHD_BUNDLE: await sshdBundleFolder() };
});

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
  await cli.remove();
});

const enter = async (host: string) => {
  const state = join(cli.home, "state", "sshpod");
  const options = [
    "ProxyCommand=drawbridge proxy --host %h --user %r --port %p",
    `IdentityFile=${state}/id_ed25519`,
    `UserKnownHostsFile=${state}/known_hosts`,
    "StrictHostKeyChecking=yes",
    "BatchMode=yes",
  ].flatMap((option) => ["-o", option]);
  return run("ssh", ["-F", "none", ...options, `root@${host}.namespace--${namespace}.sshpod`, "echo in"], {
    env,
  });
};

describe("a user who has only one container's Role", () => {
  it("enters that pod", async () => {
    expect(await enter("pod--mine")).toEqual({ code: 0, stdout: "in\n", stderr: "" });
  });

  it("enters no other pod, and no Deployment or Job", async () => {
    const refused = async (host: string) => (await enter(host)).stderr.split("\n")[0];
    const account = `User "system:serviceaccount:${namespace}:alice"`;
    expect(await refused("pod--theirs")).toBe(
      `drawbridge: your account may not read pod theirs in namespace ${namespace}: pods "theirs" is forbidden: ${account} cannot get resource "pods" in API group "" in the namespace "${namespace}"; ask for the sshpod Role of this container`,
    );
    expect(await refused("deployment--web")).toMatch(
      /^drawbridge: your account may not read deployment web in namespace /,
    );
    expect(await refused("job--web")).toMatch(/^drawbridge: your account may not read job web in namespace /);
  });

  it("has it by a group as well as by name", async () => {
    const may = async (groups: string[], ...what: string[]) => {
      const who = ["--as=bob", ...groups.map((name) => `--as-group=${name}`)];
      return (await run("kubectl", ["auth", "can-i", ...what, "-n", namespace, ...who])).stdout.trim();
    };
    for (const resource of ["exec", "portforward"].map((name) => `--subresource=${name}`)) {
      expect(await may([group], "create", "pods/mine", resource)).toBe("yes");
      expect(await may([group], "create", "pods/theirs", resource)).toBe("no");
      expect(await may(["other-team"], "create", "pods/mine", resource)).toBe("no");
    }
  });

  it("may do nothing else", async () => {
    const asAlice = (args: string[], input?: string) =>
      run("kubectl", ["-n", namespace, ...args], input === undefined ? { env } : { env, input });
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectRulesReview",
      spec: { namespace },
    };
    const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
    const answer = await asAlice(["create", "--raw", path, "-f", "-"], JSON.stringify(review));
    const rules = (JSON.parse(answer.stdout) as { status: { resourceRules: Record<string, string[]>[] } })
      .status.resourceRules;
    // Everybody may ask about himself; these are the API groups for that.
    const own = rules.filter(({ apiGroups }) => !/^auth/.test(apiGroups?.[0] ?? ""));
    const resourceNames = ["mine"];
    const streaming = ["get", "create"];
    expect(own).toEqual([
      { verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames },
      { verbs: streaming, apiGroups: [""], resources: ["pods/exec"], resourceNames },
      { verbs: streaming, apiGroups: [""], resources: ["pods/portforward"], resourceNames },
    ]);
    const attempts = [
      ["get", "pods"],
      ["get", "pod", "theirs"],
      ["exec", "theirs", "--", "true"],
      ["port-forward", "pod/theirs", "0:22"],
      ["delete", "pod", "mine"],
      ["label", "pod", "mine", "a=b"],
      ["logs", "mine"],
      ["attach", "mine"],
      ["get", "secrets"],
      ["get", "configmaps"],
      ["get", "services"],
      ["get", "deployments"],
      ["create", "configmap", "x"],
      ["get", "pod", "mine", "-n", "default"],
      ["get", "namespaces"],
    ];
    const outcomes = await Promise.all(attempts.map((args) => asAlice(args)));
    const refused = outcomes.map(({ code, stderr }) => code !== 0 && /forbidden/i.test(stderr));
    expect(attempts.filter((_, index) => !refused[index])).toEqual([]);
  });
});
