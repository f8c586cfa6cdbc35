/** A container reached through frp alone: the example without Istio, on the real cluster. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import example from "../../examples/frp-without-istio/index.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import {
  apiServerAddresses,
  eventually,
  getObject,
  kubectl,
  Laptop,
  run,
} from "../../scripts/lib/lab/lab.ts";
import { deploy, handToNeighbour } from "../../scripts/lib/stacks/deployer.ts";
import { grantOf, grantsReader, ownToken, registerAs, widest } from "../support/attacks/frp-attackers.ts";
import { endStack, testSeed } from "../support/lab/cluster.ts";
import { startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { frpSeed } from "../support/stacks/frp-stack.ts";

const team = "team-f";
const stranger = "frp-stranger";
const host = `dev1.${team}.ssh.example.com`;

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let connectAddress: string;
let frpCommand: string;

async function up(keys: string[]): Promise<Record<string, number>> {
  await stack.stack.setConfig("authorizedKeys", { value: JSON.stringify(keys) });
  const { outputs, summary } = await stack.stack.up();
  connectAddress = outputs.address?.value as string;
  frpCommand = outputs.frpCommand?.value as string;
  await laptop.configure(outputs.sshConfig?.value as string, outputs.knownHosts?.value as string);
  return { ...summary.resourceChanges };
}

/** Runs the published command as it stands, with the laptop's own key and known_hosts. */
async function login(command: string, keyFile = laptop.keyFile) {
  const options = `-F ${laptop.plainConfigFile} -o IdentityFile=${keyFile}`;
  return run("sh", ["-c", `${frpCommand.replace("ssh ", `ssh ${options} `)} '${command}'`], {
    env: laptop.env,
  });
}

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(async () => example(), { project: "drawbridge-frp-without-istio" });
  await stack.stack.setAllConfig({
    image: { value: imageRef("devcontainer") },
    frpsImage: { value: imageRef("frps") },
    frpcImage: { value: imageRef("frpc") },
    authorizerImage: { value: imageRef("programs") },
    apiServer: { value: JSON.stringify(await apiServerAddresses()) },
    frpSeed: { value: frpSeed, secret: true },
    hostKeySeed: { value: testSeed, secret: true },
  });
  await up([laptop.publicKey]);
  await startProbe(stranger);
});

afterAll(async () => {
  await endStack(stack, [team, "frp"], laptop);
  await stopProbe(stranger);
});

describe("the way in", () => {
  it("is open to the published command, with strict host checking", async () => {
    expect(frpCommand).toBe(
      `ssh -o StrictHostKeyChecking=yes -o ProxyCommand='nc -X connect -x ${connectAddress}:1337 %h %p' jovyan@${host}`,
    );
    const outcome = await eventually("the first login", async () => {
      const tried = await login("hostname");
      if (tried.code !== 0) throw new Error(tried.stderr);
      return tried;
    });
    expect(outcome.stdout).toBe("dev1-0\n");
  });

  it("is open to proxytunnel, by the generated ssh_config", async () => {
    expect(await laptop.ssh(["dev1", "id -un"])).toMatchObject({ code: 0, stdout: "jovyan\n" });
  });

  it("carries a file both ways", async () => {
    const [there, back] = [`${laptop.folder}/there`, `${laptop.folder}/back`];
    await run("dd", ["if=/dev/urandom", `of=${there}`, "bs=1M", "count=64"]);
    expect((await laptop.scp([there, "dev1:/home/jovyan/blob"])).code).toBe(0);
    expect((await laptop.scp(["dev1:/home/jovyan/blob", back])).code).toBe(0);
    expect((await run("cmp", [there, back])).code).toBe(0);
  });

  it("answers 404 to a name that nobody registered", async () => {
    const request = `CONNECT dev9.${team}.ssh.example.com:22 HTTP/1.1\\r\\n\\r\\n`;
    const outcome = await run("sh", ["-c", `printf '${request}' | nc -w 5 ${connectAddress} 1337`]);
    expect(outcome.stdout.split("\r\n")[0]).toBe("HTTP/1.1 404 Not Found");
  });
});

describe("the pods", () => {
  it("hold one main container, and frpc as a restartable init container", async () => {
    type Pod = {
      spec: { containers: { name: string }[]; initContainers: { name: string; restartPolicy?: string }[] };
    };
    const { spec } = await getObject<Pod>(["-n", team, "pod", "dev1-0"]);
    expect(spec.containers.map(({ name }) => name)).toEqual(["dev"]);
    expect(spec.initContainers.map(({ name, restartPolicy }) => [name, restartPolicy])).toEqual([
      ["home-folder", undefined],
      ["frpc", "Always"],
    ]);
  });

  it("hold no token outside of Secrets", async () => {
    const objects = await kubectl([
      "get",
      ...["-n", team, "-o", "json"],
      "pods,statefulsets,configmaps,services",
    ]);
    const secret = await getObject<{ data: Record<string, string> }>([
      "-n",
      team,
      "secret",
      "dev1-frp-token",
    ]);
    expect(Object.keys(secret.data)).toEqual(["token"]);
    const token = Buffer.from(secret.data.token ?? "", "base64").toString();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(objects).not.toContain(token);
    const inState = (text: string) => run("grep", ["-rqF", "--", text, stack.backend]);
    expect((await inState("dev1-frp-token")).code).toBe(0);
    for (const secret of [token, frpSeed, testSeed]) expect((await inState(secret)).code).toBe(1);
  });

  it("let the authorizer read this container's grant and nothing else", async () => {
    const may = async (...what: string[]) =>
      (
        await run("kubectl", ["auth", "can-i", ...what, "-n", team, "--as=system:serviceaccount:frp:frp"])
      ).stdout.trim();
    expect(await may("get", "configmap/frp-grant.dev1")).toBe("yes");
    expect(await may("get", "configmap/dev1-authorized-keys")).toBe("no");
    expect(await may("list", "configmaps")).toBe("no");
    expect(await may("update", "configmap/frp-grant.dev1")).toBe("no");
    expect(await may("get", "secret/dev1-frp-token")).toBe("no");
  });

  it("open frps's own port to containers only, its metrics to nobody, the CONNECT port to all", async () => {
    const pods = await getObject<{ items: { status: { podIP: string } }[] }>([
      ...["-n", "frp", "pods", "-l", "app.kubernetes.io/component=frp-server"],
    ]);
    const address = pods.items[0]?.status.podIP ?? "";
    const reached = await Promise.all([1337, 7000, 7500, 7502].map((port) => reaches(address, port)));
    expect(reached).toEqual([true, false, false, false]);
  });
});

describe("a neighbour with the deployer's role and a grant of its own making", () => {
  const box = `box.${stranger}.ssh.example.com`;
  const claim = (domain: string) =>
    registerAs(stranger, "frp", { user: `${stranger}.box`, token: ownToken, domain });

  beforeAll(async () => {
    await handToNeighbour(stranger);
    await deploy([...grantsReader(stranger, "frp"), widest(stranger)]);
  });

  it.each([host, `*.${team}.ssh.example.com`])("registers its own name, and not %s", async (customDomain) => {
    await deploy([grantOf(stranger, "box", { clientDomain: customDomain })]);
    // What the authorizer knows is up to 2 s old.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await claim(customDomain)).toBe(
      `the domain "${customDomain}" is not this container's; it may register ${box}`,
    );
    expect(await claim(box)).toBe("registered");
    expect((await login("hostname")).stdout).toBe("dev1-0\n");
  });
});

/** Whether a connection of the stranger's is accepted. */
async function reaches(address: string, port: number): Promise<boolean> {
  const command = `nc -w 3 ${address} ${port} </dev/null`;
  const outcome = await run("kubectl", ["-n", stranger, "exec", "probe", "--", "sh", "-c", command]);
  return outcome.code === 0;
}

describe("a change", () => {
  it("of nothing changes nothing", async () => {
    expect(Object.keys(await up([laptop.publicKey]))).toEqual(["same"]);
  });

  it("of keys restarts nothing", async () => {
    const second = await Laptop.create("bob");
    const before = await getObject<{ metadata: { uid: string } }>(["-n", team, "pod", "dev1-0"]);
    const session = laptop.openCounter("dev1");
    await session.reached(5);
    await up([laptop.publicKey, second.publicKey]);
    await eventually("bob's login", async () => (await login("true", second.keyFile)).code === 0, 120);
    expect(session).toMatchObject({ alive: true, unbroken: true });
    const after = await getObject<{ metadata: { uid: string } }>(["-n", team, "pod", "dev1-0"]);
    expect(after.metadata.uid).toBe(before.metadata.uid);
    await session.close();
    await second.remove();
  });
});
