/** Root inside a container that is nobody on its node: packages, services, low ports, owners of files, and the walls. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Team } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { teamNamespace } from "../../packages/drawbridge/src/team/namespace.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import type { ApiObject } from "../support/attacks/api-user.ts";
import { podWith, serviceOf } from "../support/attacks/root-pods.ts";
import { foreignAccount, namedAccount, weakPods } from "../support/attacks/weak-pods.ts";
import { endStack, podNetwork } from "../support/lab/cluster.ts";
import { ContainerStack, type Containers } from "../support/stacks/containers.ts";
import { greeterPort, servePackages } from "./debian-packages.fixture.ts";

const team = "team-root";
const elsewhere = "team-root-none";
const root = { root: true, team: { namespace: team, root: true } } as const;
const egress = { allow: [{ cidr: podNetwork }] };
const containers = {
  // sudo, as the same user as ever.
  dev: { ...root, egress, persist: { paths: ["/var/cache/apt", "/srv/data"] } },
  // Root by key, in an image that knows nothing of us.
  key: {
    ...root,
    egress,
    image: imageRef("dufs"),
    ssh: { mode: "injected", image: imageRef("sshd-bundle") },
    user: { name: "root", uid: 0, gid: 0 },
  },
  // Root by key, in our image, with a private key of a Secret.
  own: {
    ...root,
    user: { name: "root", uid: 0, gid: 0 },
    mounts: [{ secretName: "dev-host-key", mountPath: "/secrets" }],
  },
  // Without root, on the other's home.
  plain: { mounts: [{ claimName: "dev-home", mountPath: "/theirs" }] },
} satisfies Containers;

let platform: Awaited<ReturnType<typeof testStack>>;
let stack: ContainerStack;
let install: string;

beforeAll(async () => {
  platform = await testStack(async () => {
    const made = new Team(team, {
      allowedPrivateNetworks: [podNetwork],
      root: { allowedServiceAccountNames: [namedAccount] },
    });
    return { ref: made.ref };
  });
  const { outputs } = await platform.stack.up();
  expect(outputs.ref?.value).toEqual({ version: 2, namespace: team, root: true, containersInside: false });
  for (const account of [namedAccount, foreignAccount])
    await kubectl(["-n", team, "create", "serviceaccount", account]);
  await apply(teamNamespace(elsewhere));
  install = await servePackages(team);
  stack = await ContainerStack.create(team, "gw-root", { namespaceExists: true });
  await stack.up({ dev: containers.dev, key: containers.key, own: containers.own });
  await stack.up({ ...containers, fresh: { ...root, egress, ...(await freshArgs()) } });
});
afterAll(async () => {
  await stack?.close();
  await endStack(platform, [elsewhere]);
});

/** Runs a shell text as root, by the way that the container has. */
const asRoot = (name: "dev" | "key", script: string) =>
  stack.output(name, name === "key" ? script : `sudo sh -c '${script.replaceAll("'", "'\\''")}'`);
/** The page's example, with the package of the lab's own repository. */
async function freshArgs() {
  const { persist, startupScript } = parse(await pageBlock("docs/root.md", "yaml", "startupScript:")) as {
    persist: { paths: string[] };
    startupScript: string;
  };
  const [sources = ""] = install.split(" && apt-get update");
  const [first = "", ...rest] = startupScript.split("\n");
  const script = [first, `sudo sh -c "${sources}"`, ...rest].join("\n");
  return { persist, startupScript: script.replaceAll(" jq", " greeter") };
}

const lines = (text: string) => text.trim().split("\n");

describe("root inside", () => {
  it.each(["dev", "key"] as const)("of %s is nobody on the node", async (name) => {
    const [uid, map, capabilities, seccomp] = lines(
      await asRoot(
        name,
        "id -u; cat /proc/self/uid_map; grep CapEff /proc/self/status; grep Seccomp: /proc/self/status",
      ),
    );
    expect(uid).toBe("0");
    const [inside, outside, count] = (map ?? "").trim().split(/\s+/).map(Number);
    expect({ inside, count }).toEqual({ inside: 0, count: 65_536 });
    expect(outside).toBeGreaterThanOrEqual(65_536);
    // The runtime's own but NET_RAW: neither SYS_ADMIN nor NET_ADMIN, SYS_PTRACE, SYS_MODULE.
    expect(capabilities).toBe("CapEff:\t00000000a80405fb");
    expect(seccomp).toBe("Seccomp:\t2");
  });

  it("has ids on the node that no other pod has", async () => {
    const maps = await Promise.all(
      (["dev", "key"] as const).map((name) => asRoot(name, "cat /proc/self/uid_map")),
    );
    const starts = maps.map((map) => Number(map.trim().split(/\s+/)[1]));
    expect(Math.abs((starts[0] ?? 0) - (starts[1] ?? 0))).toBeGreaterThanOrEqual(65_536);
  });

  it("is not to be had without it", async () => {
    expect(await stack.ssh("plain", "sudo -n true")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no new privileges"),
    });
    expect(await stack.output("plain", "id -u; cat /proc/self/uid_map | tr -s ' '")).toBe(
      "1000\n 0 0 4294967295\n",
    );
  });

  it("comes to the same user as ever, or by key to root alone", async () => {
    expect(await stack.output("dev", "id -un; pwd; grep CapEff /proc/self/status")).toBe(
      "jovyan\n/home/jovyan\nCapEff:\t0000000000000000\n",
    );
    expect(await stack.output("key", "id -un; pwd; echo $HOME")).toBe("root\n/root\n/root\n");
    expect(await stack.laptop.ssh(["-l", "jovyan", "key", "true"])).toMatchObject({ code: 255 });
    expect(await stack.laptop.ssh(["-l", "root", "dev", "true"])).toMatchObject({ code: 255 });
  });
});

describe("root's own home", () => {
  it("keeps its modes at each start, and a private key is one that ssh takes", async () => {
    const key =
      "mkdir -pm 700 ~/.ssh && ssh-keygen -qt ed25519 -N '' -f ~/.ssh/id && mkdir -m 750 d && chmod 711 ~";
    expect(await stack.output("own", key)).toBe("");
    await stack.restart("own");
    await stack.restart("own");
    expect(await stack.output("own", "stat -c '%a %U:%G' ~ d ~/.ssh ~/.ssh/id")).toBe(
      ["711", "750", "700", "600"].map((mode) => `${mode} root:root\n`).join(""),
    );
    const print =
      "for key in ~/.ssh/id /secrets/ssh_host_ed25519_key; do ssh-keygen -yf $key | cut -c1-11; done";
    expect(await stack.output("own", print)).toBe("ssh-ed25519\nssh-ed25519\n");
  });

  it.each(["own", "key"])(
    "is one that root of %s can log in to, if the image has it locked and without its shell",
    async (name) => {
      const exec = ["-n", team, "exec", `${name}-0`, "-c", "dev", "--", "sh", "-c"];
      const spoil =
        "sed -i 's/^root:[^:]*:/root:!locked:/' /etc/shadow; sed -i '/^root:/s|:[^:]*$|:/bin/gone|' /etc/passwd";
      await kubectl([...exec, spoil]);
      expect(await stack.laptop.ssh([name, "true"])).toMatchObject({ code: 255 });
      // What the start of sshd does before it.
      await kubectl([...exec, "run=/run/drawbridge sshd=/bin/true; . /etc/drawbridge/sshd/prepare"]);
      expect(await stack.output(name, "echo $SHELL")).toBe("/bin/bash\n");
    },
  );
});

describe("a package with a service", () => {
  it.each(["dev", "key"] as const)("is installed in %s by apt, with its own user and files", async (name) => {
    expect(await asRoot(name, install)).toContain("Setting up greeter");
    const said =
      "id -un greeter; stat -c %U:%G /var/lib/greeter /var/lib/greeter/greeting; dpkg -s greeter | grep Status";
    expect(lines(await asRoot(name, said))).toEqual([
      "greeter",
      "greeter:greeter",
      "greeter:greeter",
      "Status: install ok installed",
    ]);
  });

  it("answers on a port that only root may take", async () => {
    const bind = `python3 -c 'import socket; socket.socket().bind(("127.0.0.1", ${greeterPort}))'`;
    expect(await stack.ssh("dev", bind)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Permission denied"),
    });
    expect(await stack.output("dev", `sudo ${bind} && echo taken`)).toBe("taken\n");
    await stack.output("dev", "sudo service greeter start");
    const ask = `for i in 1 2 3 4 5 6 7 8 9 10; do curl -fsS http://127.0.0.1:${greeterPort}/greeting && break; sleep 1; done`;
    expect(await stack.output("dev", ask)).toBe("hello\n");
  });
});

describe("10,000 files", () => {
  const strangers = "find ~/many ! -user jovyan -o ! -group jovyan | wc -l; find ~/many -type f | wc -l";

  it("go up by scp and belong to who sent them, also after the pod's deletion", async () => {
    const folder = join(stack.laptop.folder, "many");
    await mkdir(folder);
    const all = Array.from({ length: 10_000 }, (_, index) => index);
    for (const index of all) await writeFile(join(folder, `${index}`), `${index}\n`);
    expect(await stack.laptop.scp(["-rq", folder, "dev:"], 600)).toMatchObject({ code: 0, stderr: "" });
    expect(await stack.output("dev", strangers)).toBe("0\n10000\n");
    // The image has no such path, so it is the user's.
    expect(await stack.output("dev", "stat -c %U:%G /srv/data; touch /srv/data/own")).toBe("jovyan:jovyan\n");
    const written =
      "echo mine >/srv/data/mine && chown www-data:adm /srv/data/mine && chmod 640 /srv/data/mine";
    await asRoot("dev", written);
    await stack.restart("dev");
    expect(await stack.output("dev", strangers)).toBe("0\n10000\n");
  });

  it("come down by scp as they were", async () => {
    const back = join(stack.laptop.folder, "back");
    expect(await stack.laptop.scp(["-rq", "dev:many", back], 600)).toMatchObject({ code: 0, stderr: "" });
    expect(await run("diff", ["-r", join(stack.laptop.folder, "many"), back])).toMatchObject({
      code: 0,
      stdout: "",
    });
  });

  it("have the same owner in a container without root that mounts them", async () => {
    const seen =
      "find /theirs/home/many ! -user jovyan -o ! -group jovyan | wc -l; find /theirs/home/many -type f | wc -l";
    expect(await stack.output("plain", seen)).toBe("0\n10000\n");
    await stack.output("plain", "echo changed >/theirs/home/many/0; echo new >/theirs/home/many/new");
    expect(
      await stack.output(
        "dev",
        "cat many/0; stat -c %U:%G many/new; echo more >>many/new && tail -n 1 many/new",
      ),
    ).toBe("changed\njovyan:jovyan\nmore\n");
  });
});

describe("after the pod's deletion", () => {
  it("persisted paths hold what they held, with its owners", async () => {
    expect(await asRoot("dev", "stat -c %U:%G:%a /srv/data/mine; cat /srv/data/mine")).toBe(
      "www-data:adm:640\nmine\n",
    );
    // Filled from the image: apt itself runs as this user.
    expect(await asRoot("dev", "stat -c %U:%G:%a /var/cache/apt/archives/partial")).toBe("_apt:root:700\n");
  });

  it("what apt installed elsewhere is gone, and installs again", async () => {
    expect(await stack.ssh("dev", "command -v greeter; dpkg -s greeter")).toMatchObject({
      code: 1,
      stdout: "",
    });
    expect(await asRoot("dev", install)).toContain("Setting up greeter");
  });
});

describe("what a startup script installs", () => {
  it("is there again after the pod's deletion, downloaded once", async () => {
    const installed = () =>
      eventually("the package", async () => (await stack.ssh("fresh", "dpkg -s greeter")).code === 0, 120);
    const downloaded = "stat -c '%n %Y' /var/cache/apt/archives/*.deb";
    await installed();
    const before = await stack.output("fresh", downloaded);
    expect(before).toMatch(/^\/var\/cache\/apt\/archives\/greeter_1\.0_all\.deb \d+\n$/);
    await stack.restart("fresh");
    await installed();
    expect(await stack.output("fresh", downloaded)).toBe(before);
  });
});

/** What the API server says to a new object, without keeping it; empty for what it takes. */
async function answer(object: ApiObject): Promise<string> {
  const outcome = await run("kubectl", ["create", "--dry-run=server", "-f", "-"], {
    input: JSON.stringify(object),
  });
  return outcome.code === 0 ? "" : outcome.stderr;
}

describe("the namespace", () => {
  it.each(weakPods.map((one) => [one.name, one] as const))(
    "refuses %s, and takes its twin",
    async (_name, { of, weak, twin }) => {
      expect(await answer(podWith(team, of, twin))).toBe("");
      expect(await answer(podWith(team, of, weak))).toMatch(
        /ValidatingAdmissionPolicy 'drawbridge.team.team-root.pods' with binding|violates PodSecurity "baseline/,
      );
    },
  );

  it("opens no port of the node", async () => {
    expect(await answer(serviceOf(team, "ClusterIP"))).toBe("");
    expect(await answer(serviceOf(team, "NodePort"))).toContain("drawbridge.team.team-root.services");
  });

  it("is the only one: elsewhere Pod Security refuses the same pod", async () => {
    expect(await answer(podWith(team, "root", {}))).toBe("");
    expect(await answer(podWith(elsewhere, "root", {}))).toContain('violates PodSecurity "restricted');
    expect(await answer(podWith(elsewhere, "restricted", {}))).toBe("");
  });

  it("runs the pod in a user namespace, whose spec says so", async () => {
    const { spec } = await getObject<{ spec: { hostUsers?: boolean } }>(["-n", team, "pod", "dev-0"]);
    expect(spec.hostUsers).toBe(false);
  });
});

describe("a second up", () => {
  it("changes nothing", async () => {
    expect(Object.keys(await stack.up(stack.containers))).toEqual(["same"]);
    expect(Object.keys((await platform.stack.up()).summary.resourceChanges ?? {})).toEqual(["same"]);
  });
});
