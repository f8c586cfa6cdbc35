/**
 * A team's program that writes no name twice: its namespace has the name that Pulumi chose, keys and gateway come from the
 * platform's stack, image and Secret from resources beside it. Nothing says dependsOn.
 */

import { DevContainer } from "@drawbridge-iac/drawbridge";
import { imageRef } from "@drawbridge-iac/lab";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testStack, valuesOf } from "../../scripts/lib/engine/engine.ts";
import { eventually, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { testGateway, testSeed } from "../support/lab/cluster.ts";

let laptop: Laptop;
let platform: Awaited<ReturnType<typeof testStack>>;
let team: Awaited<ReturnType<typeof testStack>>;

beforeAll(async () => {
  laptop = await Laptop.create();
  platform = await testStack(
    async () => {
      const { ref, address } = testGateway("gw-outputs");
      return {
        gateway: ref,
        address,
        keys: [laptop.publicKey],
        image: imageRef("devcontainer"),
        seed: pulumi.secret(testSeed),
      };
    },
    { stack: "dev", project: "platform" },
  );
  await platform.stack.up();
  team = await testStack(async () => program(), {
    stack: "team",
    project: "team",
    backend: platform.backend,
  });
});

afterAll(async () => {
  await team.stack.destroy();
  await platform.stack.destroy();
  // The home stays with its namespace gone; nothing else does.
  await platform.removeState();
  await laptop.remove();
});

/** What a command in the container prints, once a login works. */
const said = (command: string) =>
  eventually("a login", async () => {
    const { code, stdout, stderr } = await laptop.ssh(["dev1", command]);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  });

interface Wrong {
  readonly image?: string;
  readonly key?: string;
}

function program({ image, key }: Wrong = {}) {
  const of = new pulumi.StackReference("organization/platform/dev");
  const namespace = new k8s.core.v1.Namespace("outputs", {
    metadata: {
      labels: { "drawbridge.dev/team": "outputs", "pod-security.kubernetes.io/enforce": "restricted" },
    },
  });
  const inside = { namespace: namespace.metadata.name };
  const images = new k8s.core.v1.ConfigMap("images", {
    metadata: inside,
    data: { dev: of.requireOutput("image").apply((known) => image ?? String(known)) },
  });
  const secret = new k8s.core.v1.Secret("greeting", { metadata: inside, stringData: { GREETING: "hello" } });
  const dev1 = new DevContainer("dev1", {
    namespace: namespace.metadata.name,
    image: images.data.apply(({ dev = "" }) => dev),
    authorizedKeys: of.requireOutput("keys").apply((keys) => (key === undefined ? keys : [key])),
    hostKey: { seed: testSeed },
    home: { size: "64Mi" },
    resources: { requests: { cpu: "20m" }, memory: "128Mi" },
    envFrom: [{ secretRef: { name: secret.metadata.name } }],
    access: { gateway: of.requireOutput("gateway"), address: of.requireOutput("address") },
  });
  const { sshConfig, knownHosts, hostName } = dev1;
  return { sshConfig, knownHosts, hostName, namespace: namespace.metadata.name };
}

it("says what is wrong of what came later, and the next up goes on", async () => {
  team.setProgram(async () => program({ image: "registry.example.com/Dev", key: "ssh-rsa AAAA nobody" }));
  const failure = await team.stack.up().then(
    () => "",
    (error: Error) => error.message,
  );
  expect(failure).toContain('DevContainer "dev1": 2 faults in its arguments, what uses them was not made');
  expect(failure).toContain("- image: ");
  expect(failure).toContain("- authorizedKeys[0]: ");
  const { deployment } = await team.stack.exportStack();
  const made = (deployment as { resources: { urn: string }[] }).resources.map(({ urn }) =>
    urn.split("::").at(-1),
  );
  expect(made.filter((name) => name?.startsWith("dev1-"))).toEqual([]);

  team.setProgram(async () => program());
  const { outputs } = await team.stack.up();
  const { sshConfig, knownHosts, hostName, namespace } = valuesOf(outputs);
  expect(String(namespace)).toMatch(/^outputs-[0-9a-f]+$/);
  expect(hostName).toBe(`dev1.${namespace}.dev.example.com`);
  await laptop.configure(String(sshConfig), String(knownHosts));
  expect(await said("echo $GREETING")).toBe("hello\n");
  const again = await team.stack.up();
  expect(Object.keys(again.summary.resourceChanges ?? {})).toEqual(["same"]);
  expect(await kubectl(["get", "statefulset", "-n", String(namespace), "-o", "name"])).toContain("dev1");
});
