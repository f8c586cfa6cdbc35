/** A team's stack brought up, changed and taken down by an account that has the deployer's role and nothing else. */
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultQuota } from "../../packages/drawbridge/src/istio/team-limits.ts";
import { eventually, getObject, kubectl, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { accountKubeconfig, withKubeconfig } from "../../scripts/lib/stacks/deployer.ts";
import {
  labPlatform,
  labTeam,
  openStorage,
  ProjectCopy,
  type ProjectNamespaces,
  plainOutputs,
  setPaths,
} from "../../scripts/lib/stacks/stacks.ts";
import { type ApiObject, ApiUser } from "../support/attacks/api-user.ts";
import { manyPorts } from "../support/attacks/greedy-services.ts";

const accounts = "ci-role";
let project: ProjectCopy;
let namespaces: ProjectNamespaces;
let laptop: Laptop;
let platform: Stack;
let team: Stack;
let kubeconfig: string;

const asDeployer = <T>(act: () => Promise<T>) => withKubeconfig(kubeconfig, act);

beforeAll(async () => {
  project = await ProjectCopy.create({ cluster: true });
  namespaces = await project.rename("role");
  laptop = await Laptop.create("role");
  await kubectl(["create", "namespace", accounts]);
  kubeconfig = await accountKubeconfig({ name: "deployer", namespace: accounts }, project.folder);
  platform = await project.open("platform");
  await project.setSecrets(platform);
  const entry = `platform.teams.${namespaces.team}`;
  await setPaths(platform, {
    ...labPlatform,
    "platform.gateway.drainSeconds": "5",
    [`${entry}.deployers.serviceAccounts[0].name`]: "deployer",
    [`${entry}.deployers.serviceAccounts[0].namespace`]: accounts,
    [`${entry}.quota["requests.storage"]`]: "500Gi",
    [`${entry}.quota["requests.memory"]`]: "4Gi",
    [`${entry}.limits.defaultRequest.cpu`]: "20m",
    [`${entry}.limits.defaultRequest.memory`]: "64Mi",
  });
  await platform.up();

  team = await project.open("team-a");
  await project.setSecrets(team);
  await team.removeConfig("drawbridge:team.quota", true);
  await team.removeConfig("drawbridge:team.limits", true);
  await setPaths(team, {
    ...labTeam,
    "team.createNamespace": "false",
    "team.containers.dev1.authorizedKeys[0]": laptop.publicKey,
    ...(await plainOutputs(platform)),
  });
  await openStorage(team);
});

afterAll(async () => {
  await asDeployer(() => team.destroy());
  await platform?.destroy();
  for (const namespace of [...Object.values(namespaces), accounts]) {
    await kubectl(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"]);
  }
  await project.remove();
  await laptop.remove();
});

const up = async () => Object.keys((await asDeployer(() => team.up())).summary.resourceChanges ?? {});

describe("a deployer with the role alone", () => {
  it("brings the whole team up: gateway, frp, sshpod, storage, members", async () => {
    expect(await up()).toEqual(["create"]);
    expect(await up()).toEqual(["same"]);
    const outputs = await team.outputs();
    await laptop.configure(String(outputs.sshConfig?.value), String(outputs.knownHosts?.value));
    const login = await laptop.login("dev1", "hostname; cat /models/model/README.txt");
    expect(login.stdout).toBe("dev1-0\nseeded\n");
    const bindings = await kubectl(["-n", namespaces.team, "get", "rolebindings", "-o", "name"]);
    expect(bindings).toContain("/viewers");
    expect(bindings).toContain("/sshpod");
  });

  it("changes a container, refreshes and removes it", async () => {
    await setPaths(team, { "team.containers.dev2.authorizedKeys[0]": laptop.publicKey });
    expect(await up()).toEqual(["create", "same"]);
    await asDeployer(() => team.refresh());
    await team.removeConfig("drawbridge:team.containers.dev2", true);
    expect((await up()).sort()).toEqual(["delete", "same"]);
  });

  it("is held by the quota: too big a home ends the up, too much memory makes no pod, and nobody else notices", async () => {
    const big = "team.containers.big";
    await setPaths(team, {
      [`${big}.authorizedKeys[0]`]: laptop.publicKey,
      [`${big}.home.size`]: "600Gi",
      [`${big}.resources.memory`]: "6Gi",
      [`${big}.wait`]: "false",
    });
    await expect(asDeployer(() => team.up())).rejects.toThrow(
      /exceeded quota: team, requested: requests\.storage=600Gi, used: requests\.storage=\S+, limited: requests\.storage=500Gi/,
    );
    await setPaths(team, { [`${big}.home.size`]: "1Gi" });
    await up();
    const refused = await eventually("the refusal", async () => {
      const { items } = await getObject<{ items: { reason: string; message: string }[] }>([
        "-n",
        namespaces.team,
        "events",
        "--field-selector=involvedObject.kind=StatefulSet,involvedObject.name=big",
      ]);
      return items.find(({ reason }) => reason === "FailedCreate")?.message;
    });
    expect(refused).toMatch(
      /exceeded quota: team, requested: requests\.memory=\S+, used: requests\.memory=\S+, limited: requests\.memory=4Gi/,
    );
    const pods = async () =>
      (await kubectl(["-n", namespaces.team, "get", "pods", "-o", "name"])).split("\n");
    expect(await pods()).not.toContain("pod/big-0");
    expect(await laptop.ssh(["dev1", "hostname"])).toMatchObject({ code: 0, stdout: "dev1-0\n" });
    // What fits is let in.
    await setPaths(team, { [`${big}.resources.memory`]: "128Mi" });
    await up();
    await eventually("its pod", async () => (await pods()).includes("pod/big-0"));
    await team.removeConfig(`drawbridge:${big}`, true);
    expect((await up()).sort()).toEqual(["delete", "same"]);
  });

  it("has what the platform gave the namespace, and none of it in its own hands", async () => {
    const { metadata } = await getObject<{ metadata: { labels: Record<string, string> } }>([
      "namespace",
      namespaces.team,
    ]);
    expect(metadata.labels).toMatchObject({
      "drawbridge.dev/team": namespaces.team,
      "pod-security.kubernetes.io/enforce": "restricted",
      "istio.io/dataplane-mode": "none",
    });
    const { spec } = await getObject<{ spec: unknown }>(["-n", namespaces.team, "resourcequota", "team"]);
    expect(spec).toEqual({
      hard: { ...defaultQuota, "requests.memory": "4Gi", "requests.storage": "500Gi" },
    });
    const as = [`--as=system:serviceaccount:${accounts}:deployer`, "-n", namespaces.team];
    const refused = await run("kubectl", [...as, "delete", "networkpolicy", "drawbridge-default-deny"]);
    expect(refused.stderr).toMatch(/drawbridge-default-deny belongs to the platform, by its label/);
    const may = async (...what: string[]) =>
      (await run("kubectl", [...as, "auth", "can-i", ...what])).stdout.trim();
    expect(await may("delete", "resourcequotas")).toBe("no");
    expect(await may("update", "namespaces")).toBe("no");
    expect(await may("delete", "services")).toBe("yes");
  });

  it("cannot fill the gateway's memory: of 200 Services and 200 routes none is beyond the quota, none with 250 ports", async () => {
    const token = await kubectl(["-n", accounts, "create", "token", "deployer", "--duration=1h"]);
    const user = await ApiUser.create(process.env.KUBECONFIG ?? "", token.trim());
    const metadata = (index: number) => ({
      name: `fill-${index}`,
      namespace: namespaces.team,
      labels: { fill: "yes" },
    });
    const service = (count: number) => (index: number) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata(index),
      spec: { clusterIP: "None", selector: { fill: "yes" }, ports: manyPorts(count) },
    });
    const made = await getObject<ApiObject>(["-n", namespaces.team, "virtualservice", "dev1-ssh"]);
    const route = (index: number): ApiObject => ({
      apiVersion: "networking.istio.io/v1",
      kind: "VirtualService",
      metadata: metadata(index),
      spec: made.spec,
    });
    const counted = async (kind: string) =>
      (await kubectl(["-n", namespaces.team, "get", kind, "-o", "name"])).trim().split("\n").length;
    const refusals = async (make: (index: number) => ApiObject) => {
      const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => user.post(make(index))));
      return answers.map(({ message }) => message).filter((message) => message !== "");
    };
    try {
      const big = await refusals(service(250));
      expect(big.filter((message) => message.includes("may have at most 16 ports")).length).toBe(200);
      const before = {
        services: await counted("services"),
        virtualservices: await counted("virtualservices"),
      };
      const most = Number(defaultQuota.services);
      for (const [kind, make, resource] of [
        ["services", service(16), "services"],
        ["virtualservices", route, "count/virtualservices.networking.istio.io"],
      ] as const) {
        const refused = await refusals(make);
        expect(await counted(kind)).toBe(most);
        expect(refused.length).toBe(200 - most + before[kind]);
        const last = `exceeded quota: team, requested: ${resource}=1, used: ${resource}=${most}, limited: ${resource}=${most}`;
        expect(refused.filter((message) => !message.endsWith(last))).toEqual([]);
      }
      expect(await laptop.ssh(["dev1", "hostname"])).toMatchObject({ code: 0, stdout: "dev1-0\n" });
    } finally {
      user.close();
      await kubectl(["-n", namespaces.team, "delete", "services,virtualservices", "-l", "fill=yes"]);
    }
  });

  it("fails with the API server's words where its file asks for what is the platform's", async () => {
    await setPaths(team, { 'team.quota["requests.storage"]': "900Gi" });
    const output: string[] = [];
    const attempt = asDeployer(() => team.up({ onOutput: (text) => output.push(text) }));
    await expect(attempt).rejects.toThrow();
    expect(output.join("")).toMatch(/cannot (create|get|patch) resource "resourcequotas"/);
    await team.removeConfig("drawbridge:team.quota", true);
  });
});
