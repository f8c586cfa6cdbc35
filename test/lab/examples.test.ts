/** The examples on the real cluster, each as its README has it: up, no change by another preview or a refresh, and a login. */
import type { ConfigMap, PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { afterEach, describe, expect, it } from "vitest";
import anyImage from "../../examples/dev-container-any-image/index.ts";
import minimal from "../../examples/minimal/index.ts";
import storage from "../../examples/storage/index.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { byGateway, testDomain, testGateway, testSeed } from "../support/cluster.ts";
import { type TestStack, testStack } from "../support/engine.ts";
import { eventually, kubectl, Laptop, type Outcome, run } from "../support/lab.ts";
import { changes } from "../support/settled.ts";

type EngineStack = Awaited<ReturnType<typeof testStack>>;

const opened: EngineStack[] = [];
let laptop: Laptop;

// All examples have the same names, so each leaves nothing to the next.
afterEach(async () => {
  const made = opened.splice(0).reverse();
  for (const { stack } of made) await stack.destroy();
  for (const { removeState } of made) await removeState();
  await kubectl(["delete", "namespace", "team-a", "ssh-ingress", "files", "--ignore-not-found"]);
  await laptop.remove();
});

/** A stack that is up and has settled. */
async function standing(program: PulumiFn, config: Readonly<Record<string, string>> = {}, place?: TestStack) {
  const made = await testStack(program, place);
  opened.push(made);
  const plain: ConfigMap = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, { value }]),
  );
  await made.stack.setAllConfig({ ...plain, "authorizedKeys[0]": { value: laptop.publicKey } }, true);
  await made.stack.setConfig("hostKeySeed", { value: testSeed, secret: true });
  await made.stack.setConfig("alicePassword", { value: "only-for-tests-alice", secret: true });
  const { outputs } = await made.stack.up();
  for (const operation of ["preview", "refresh", "preview"] as const)
    expect(await changes(made.stack, operation)).toEqual([]);
  return Object.assign((name: string) => String(outputs[name]?.value), { backend: made.backend });
}

/** What a command prints once the way in is open. */
async function printed(attempt: () => Promise<Outcome>): Promise<string> {
  return eventually(
    "the first login",
    async () => {
      const { code, stdout, stderr } = await attempt();
      if (code !== 0) throw new Error(stderr.trim());
      return stdout.trim();
    },
    90,
  );
}

describe("the example", () => {
  it("minimal is logged in to", async () => {
    laptop = await Laptop.create();
    const output = await standing(async () => minimal(), { image: imageRef("devcontainer") });
    await laptop.configure(output("sshConfig"), output("knownHosts"));
    expect(await printed(() => laptop.ssh(["dev1", "hostname"]))).toBe("dev1-0");
  });

  it("dev-container-any-image is logged in to through a gateway that stands", async () => {
    laptop = await Laptop.create();
    const program = async () => byGateway(testGateway("ssh-ingress"));
    const platform = await standing(program, {}, { project: "platform", stack: "dev" });
    const config = {
      platformStack: "organization/platform/dev",
      image: imageRef("busybox"),
      sshdBundle: imageRef("sshd-bundle"),
    };
    const output = await standing(async () => anyImage(), config, { backend: platform.backend });
    const proxy = `ProxyCommand=nc -X connect -x ${platform("gatewayAddress")}:80 %h %p`;
    expect(output("hostName")).toBe(`app.team-a.${testDomain}`);
    await laptop.configure("", output("knownHosts"));
    const login = () => laptop.ssh(["-o", proxy, `dev@${output("hostName")}`, "cat started; id -u"]);
    expect(await printed(login)).toBe("started\n1001");
  });

  it("storage shows the same file in the container and in a browser", async () => {
    laptop = await Laptop.create();
    const output = await standing(async () => storage(), {
      "images.container": imageRef("devcontainer"),
      "images.tools": imageRef("busybox"),
      "images.proxy": imageRef("proxyv2"),
      "images.dufs": imageRef("dufs"),
    });
    await laptop.configure(output("sshConfig"), output("knownHosts"));
    expect(await printed(() => laptop.ssh(["dev1", "cat /models/model/README.txt"]))).toBe("seeded");
    const file = `${output("url")}model/README.txt`;
    const browse = () => run("curl", ["-s", "--fail", "-u", "alice:only-for-tests-alice", file]);
    expect(await printed(browse)).toBe("seeded");
  });
});
