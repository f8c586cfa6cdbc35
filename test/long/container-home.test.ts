/**
 * The home is the user's own: what people do to files on any host works in it, and what they set stays, in new claims, in
 * those of earlier versions and in adopted ones. And sshd comes back, whatever ended it. How files get there: habits.test.ts.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { apply, getObject, kubectl, must } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { restricted } from "../support/lab/restricted.ts";
import { ContainerStack, type Containers } from "../support/stacks/containers.ts";

const team = "team-home";
const bundle = { mode: "injected", image: imageRef("sshd-bundle") } as const;
const httpd = ["httpd", "-f", "-p", "8080", "-h", "/etc"];
const homes = { old: "old-home", alice: "alice", jupyter: "jupyter" };
const secretFiles = [{ secretName: "dev-host-key", mountPath: "/secrets" }];

const containers = {
  dev: {
    mounts: [{ claimName: "models", mountPath: "/models" }],
    persist: { paths: ["/srv/data"] },
    secretFiles,
  },
  served: { args: ["python3", "-m", "http.server", "8080"] },
  given: { image: imageRef("busybox"), ssh: bundle, command: httpd, pod: { supplementalGroups: [5000] } },
  server: { image: imageRef("dufs"), ssh: bundle, runImageCommand: true },
  beside: {
    image: imageRef("busybox"),
    ssh: { mode: "sidecar", image: imageRef("devcontainer"), resources: { memory: "128Mi" } },
    command: httpd,
  },
  // More than sshd can pass on: 3 × 100,000 characters and 1,000 names.
  crowded: {
    env: Object.fromEntries([
      ...["A", "B", "C"].map((name) => [`BIG_${name}`, "x".repeat(100_000)]),
      ...Array.from({ length: 1000 }, (_, index) => [`V${index}`, "1"]),
    ]),
  },
  old: {},
  alice: { home: { claimName: homes.alice }, secretFiles },
  jupyter: { home: { claimName: homes.jupyter } },
} satisfies Containers;

let stack: ContainerStack;

beforeAll(async () => {
  stack = await ContainerStack.create(team, "gw-home");
  await stack.up({ old: { running: false } });
  const claim = (name: string) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: team },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  await apply(...["models", homes.alice, homes.jupyter].map(claim));
  await fillHomes();
  await stack.up(containers);
  await Promise.all(Object.keys(containers).map((name) => stack.ready(name)));
});

afterAll(() => stack.close());

/** Homes as the version before had them, by its pod: the claim is mounted as it is, and the kubelet gives it to a group. */
async function fillHomes(): Promise<void> {
  const work = `cd "$1" && umask 022 && mkdir -p .ssh home "a folder" && chmod 700 .ssh && echo key >.ssh/id && chmod 600 .ssh/id &&
    echo '#!/bin/sh' >run && chmod 750 run && echo mine >home/mine && ln -s run link && echo x >"a folder/x" && echo rc >.bashrc`;
  const names = Object.keys(homes);
  const volumes = Object.entries(homes).map(([name, claimName]) => ({
    name,
    persistentVolumeClaim: { claimName },
  }));
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "before", namespace: team },
    spec: {
      restartPolicy: "Never",
      securityContext: {
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        fsGroupChangePolicy: "OnRootMismatch",
      },
      containers: [
        {
          name: "before",
          image: imageRef("devcontainer"),
          command: [
            "sh",
            "-ec",
            `work() { ${work}; }; for home in ${names.join(" ")}; do work /homes/$home; done`,
          ],
          securityContext: restricted,
          volumeMounts: names.map((name) => ({ name, mountPath: `/homes/${name}` })),
        },
      ],
      volumes,
    },
  };
  await apply(pod);
  await kubectl([
    "-n",
    team,
    "wait",
    "--for=jsonpath={.status.phase}=Succeeded",
    "pod/before",
    "--timeout=120s",
  ]);
  await kubectl(["-n", team, "delete", "pod", "before", "--wait=true"]);
  // The other two were made by others: a folder of alice's own, and one of JupyterHub.
  const alice = await folderOf(homes.alice);
  await must("sh", ["-ec", `chown -R 1000:1000 "$1"; chmod g-s "$1"; chmod 755 "$1"`, "sh", alice]);
  const jupyter = await folderOf(homes.jupyter);
  await must("sh", ["-ec", `chown -R 1000:100 "$1"; chown root:100 "$1"; chmod 2775 "$1"`, "sh", jupyter]);
}

/** Where the lab has a claim's files. */
async function folderOf(claim: string): Promise<string> {
  const { spec } = await getObject<{ spec: { volumeName: string } }>(["-n", team, "pvc", claim]);
  return kubectl(["get", "pv", spec.volumeName, "-o", "jsonpath={.spec.local.path}"]);
}

/** Mode, owner, kind and name of everything in a claim, but for what says where the home is. */
const listing = async (claim: string): Promise<string[]> => {
  const find = `find . ! -name .drawbridge-home ! -path './.cache*' -printf '%m %U:%G %y %P\\n'`;
  const text = await must("sh", ["-ec", `cd "$1" && ${find}`, "sh", await folderOf(claim)]);
  return text.trimEnd().split("\n").sort();
};

describe("a new home", () => {
  it("belongs to its user, and to nobody's group", async () => {
    expect(
      await stack.output("dev", "stat -c '%a %u:%g' ~; mkdir d && stat -c '%a %u:%g' d && rmdir d"),
    ).toBe("755 1000:1000\n755 1000:1000\n");
    expect(await stack.output("dev", "stat -c '%a %U:%G' /srv/data")).toBe("755 jovyan:jovyan\n");
  });

  it.each(["~", "/models", "/srv/data", "~/projects/one"])("holds a git repository at %s", async (at) => {
    const lines = `mkdir -p ${at} && cd ${at} && git init -q && git status --short >/dev/null && echo clean; rm -rf ${at}/.git`;
    expect(await stack.ssh("dev", lines)).toEqual({ code: 0, stdout: "clean\n", stderr: expect.any(String) });
  });

  it("takes modes that are set on it, and builds a Debian package", async () => {
    const control =
      "Package: p\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@example.com>\\nDescription: p\\n";
    const build = `mkdir -p p/DEBIAN && printf '${control}' >p/DEBIAN/control && dpkg-deb --build p x.deb >/dev/null && dpkg-deb -f x.deb Version`;
    for (const at of ["~", "/srv/data"]) expect(await stack.output("dev", `cd ${at}; ${build}`)).toBe("1\n");
    expect(await stack.output("dev", "chmod 700 ~ && touch -d 2001-01-01 ~ && stat -c '%a %Y' ~")).toBe(
      "700 978307200\n",
    );
  });

  it("has the same modes after the pod's deletion", async () => {
    expect(
      await stack.output(
        "dev",
        "mkdir -pm 700 ~/.ssh && ssh-keygen -qt ed25519 -N '' -f ~/.ssh/id && chmod 2770 /srv/data",
      ),
    ).toBe("");
    await stack.restart("dev");
    await stack.restart("dev");
    expect(
      await stack.output(
        "dev",
        "stat -c %a ~ ~/.ssh ~/.ssh/id /srv/data; ssh-keygen -yf ~/.ssh/id | cut -c1-11",
      ),
    ).toBe("700\n700\n600\n2770\nssh-ed25519\n");
  });

  it.each(["dev", "alice"])(
    "has a private key of a Secret beside it in %s, which ssh takes",
    async (name) => {
      expect(await stack.output(name, "ssh-keygen -yf /secrets/ssh_host_ed25519_key | cut -c1-11")).toBe(
        "ssh-ed25519\n",
      );
    },
  );
});

describe("a home that exists", () => {
  // What the pod of the version before left, which is what the kubelet and the user made.
  const files = (top: string, folders: string, group: number) => [
    `${top} d `,
    `644 1000:${group} f .bashrc`,
    `700 1000:${group} d .ssh`,
    `600 1000:${group} f .ssh/id`,
    `${folders} 1000:${group} d a folder`,
    `644 1000:${group} f a folder/x`,
    `${folders} 1000:${group} d home`,
    `644 1000:${group} f home/mine`,
    `777 1000:${group} l link`,
    `750 1000:${group} f run`,
  ];
  const inherited = (lines: string[]) =>
    lines.map((line) => line.replace(/^700 (.*\.ssh)$/, "2700 $1")).sort();

  it.each([
    ["old", homes.old, inherited(files("2775 0:1000", "2755", 1000))],
    ["alice", homes.alice, inherited(files("755 1000:1000", "2755", 1000))],
    ["jupyter", homes.jupyter, inherited(files("2775 0:100", "2755", 100))],
  ] as const)("starts as it was in %s, and can be used", async (name, claim, expected) => {
    expect(await listing(claim)).toEqual(expected);
    const use =
      "cat .bashrc home/mine; ls -d .ssh; echo new >new && cat new && rm new; readlink .drawbridge-home";
    expect(await stack.output(name, use)).toBe("rc\nmine\n.ssh\nnew\n.\n");
    await stack.restart(name);
    expect(await listing(claim)).toEqual(expected);
  });

  it("moves into a folder of the user's own when asked", async () => {
    expect(await stack.output("old", await pageBlock("docs/home.md", "sh", "drawbridge-move-home"))).toBe("");
    await stack.restart("old");
    expect(
      await stack.output("old", "stat -c '%a %u:%g' ~; cat home/mine; stat -c '%a %n' .ssh/id; chmod 700 ~"),
    ).toBe("755 1000:1000\nmine\n600 .ssh/id\n");
    await stack.restart("old");
    expect(await stack.output("old", "stat -c %a ~; cat home/mine")).toBe("700\nmine\n");
  });
});

describe("sshd", () => {
  interface Pod {
    status: Record<"containerStatuses" | "initContainerStatuses", { name: string; restartCount: number }[]>;
  }
  const restarts = async (name: string) => {
    const { status } = await stack.pod<Pod>(name);
    return [...status.containerStatuses, ...status.initContainerStatuses].map(
      ({ restartCount }) => restartCount,
    );
  };
  const ways = ["dev", "served", "given", "server", "beside"] as const;
  // The images have no pkill of one kind.
  const killed = (signal: string, what: "comm" | "cmdline", pattern: string) =>
    `for p in /proc/[0-9]*; do if grep -q '${pattern}' $p/${what} 2>/dev/null; then kill -${signal} \${p#/proc/}; fi; done`;

  it.each(ways)("of %s comes back when its listener is killed, and no session notices", async (name) => {
    const session = stack.laptop.openCounter(name);
    try {
      await session.reached(5);
      const before = await restarts(name);
      for (const signal of ["9", "TERM"]) {
        expect(await stack.ssh(name, killed(signal, "cmdline", "[l]istener"))).toMatchObject({ code: 0 });
        expect(await stack.output(name, "echo in")).toBe("in\n");
      }
      const { length } = session.lines;
      await session.reached(length + 5);
      expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
      expect(await restarts(name)).toEqual(before);
    } finally {
      await session.close();
    }
  });

  it.each(ways)("of %s comes back when all of ssh is killed, and what else runs goes on", async (name) => {
    const before = await restarts(name);
    const work = "sh -c 'echo $$ >~/work; exec sleep 1000' >/dev/null 2>&1 & sleep 1; cat ~/work";
    const pid = (await stack.output(name, work)).trim();
    for (const signal of ["TERM", "KILL", "INT", "HUP"]) {
      expect(await stack.laptop.ssh([name, killed(signal, "comm", "ssh")])).toMatchObject({ code: 255 });
      expect(await stack.output(name, `kill -0 ${pid} && echo runs`)).toBe("runs\n");
    }
    expect(await restarts(name)).toEqual(before);
    await stack.ready(name);
  });

  it("stops with its container at once", async () => {
    const begun = Date.now();
    await kubectl(["-n", team, "delete", "pod", "dev-0", "--wait=true"]);
    expect(Date.now() - begun).toBeLessThan(15_000);
    await stack.ready("dev");
  });
});

describe("what is looked at", () => {
  it("is an environment that sshd cannot pass on whole: login and sftp work, and the log names what is missing", async () => {
    expect(
      await stack.output("crowded", "echo $BIG_A | wc -c; echo ${#BIG_B} ${#BIG_C}; env | grep -c ^V"),
    ).toMatch(/^(100001|1)\n\d+ \d+\n8\d\d\n$/);
    const file = join(stack.laptop.folder, "tool-of-crowded");
    await writeFile(file, "x");
    expect(await stack.laptop.scp([file, "crowded:"])).toMatchObject({ code: 0 });
    const log = await kubectl(["-n", team, "logs", "crowded-0"]);
    expect(log.split("\n").filter((line) => line.includes("sessions do not have them"))).toEqual([
      expect.stringMatching(/: V\d+( V\d+)+ and \d+ more$/),
    ]);
  });

  it("is a further group, which sessions have", async () => {
    expect(await stack.output("given", "id -G")).toBe("1000 5000\n");
  });
});

describe("a second up", () => {
  it("changes nothing", async () => {
    expect(Object.keys(await stack.up(stack.containers))).toEqual(["same"]);
  });
});
