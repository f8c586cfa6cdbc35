/** The company's class of docs/team.md in TypeScript, brought up with a provider of the company's own. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type DevContainer, SshGateway } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { testDomain, testSeed } from "../support/lab/cluster.ts";

const place = "team-company-ts";
// Inside the repository, where the packages are found.
const folder = resolve(`.drawbridge/company-${process.pid}`);

type Department = new (
  name: string,
  keys: Record<string, string>,
  opts: pulumi.ComponentResourceOptions,
) => { readonly containers: DevContainer[] };

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await kubectl(["delete", "namespace", place, "--ignore-not-found", "--wait=false"]);
});

it("is previewed, brought up, logged in to, left unchanged and destroyed", async () => {
  const laptop = await Laptop.create("company");
  const kubeconfig = await readFile(process.env.KUBECONFIG ?? "", "utf8");
  const block = await pageBlock("docs/team.md", "ts", "class Department");
  await mkdir(folder, { recursive: true });
  // What the page's block takes from around it.
  const around =
    "let config, gateway;\nexport const departmentOf = (a, b) => ((config = a), (gateway = b), Department);\n";
  await writeFile(`${folder}/department.ts`, `${block}\n${around}`);
  const { departmentOf } = (await import(`${folder}/department.ts`)) as {
    departmentOf: (config: pulumi.Config, gateway: SshGateway) => Department;
  };
  const { stack, removeState } = await testStack(
    async () => {
      const cluster = new k8s.Provider("company", { kubeconfig: pulumi.secret(kubeconfig) });
      const gateway = new SshGateway(
        "gw-company-ts",
        { domain: testDomain, replicas: 1, drainSeconds: 8, loadBalancer: { preset: "generic" } },
        { provider: cluster },
      );
      const Company = departmentOf(new pulumi.Config(), gateway);
      const keys = { alice: laptop.publicKey, bob: laptop.publicKey };
      const { containers } = new Company(place, keys, { providers: [cluster] });
      const joined = (texts: pulumi.Output<string | undefined>[]) =>
        pulumi.all(texts).apply((known) => known.join("\n"));
      return {
        sshConfig: joined(containers.map(({ sshConfig }) => sshConfig)),
        knownHosts: joined(containers.map(({ knownHosts }) => knownHosts)),
      };
    },
    { env: { KUBECONFIG: "/nonexistent" } },
  );
  try {
    await stack.setConfig("image", { value: imageRef("devcontainer") });
    await stack.setConfig("hostKeySeed", { value: testSeed, secret: true });
    const { changeSummary } = await stack.preview();
    const { outputs, summary } = await stack.up();
    expect(summary.resourceChanges).toEqual(changeSummary);
    await laptop.configure(String(outputs.sshConfig?.value), String(outputs.knownHosts?.value));
    const name = await eventually("a login", async () => {
      const { code, stdout, stderr } = await laptop.ssh(["bob", "hostname"]);
      if (code !== 0) throw new Error(stderr);
      return stdout;
    });
    expect(name).toBe("bob-0\n");
    expect(Object.keys((await stack.preview()).changeSummary)).toEqual(["same"]);
  } finally {
    await stack.destroy();
    await removeState();
    await laptop.remove();
  }
  expect(await kubectl(["get", "pvc", "-n", place, "-o", "name"])).toBe(
    "persistentvolumeclaim/alice-home\npersistentvolumeclaim/bob-home\n",
  );
});
