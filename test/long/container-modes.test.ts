/** sshd four ways, in images that know nothing of it, under Pod Security "restricted". */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { eventually, getObject, kubectl, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { ContainerStack, curlInside } from "../support/stacks/containers.ts";

const team = "team-modes";
const injected = { mode: "injected", image: imageRef("sshd-bundle") } as const;
// Serves until a file appears, and then ends.
const untilStopped = ["sh", "-c", "httpd -p 8080 -h /etc; until [ -e /tmp/stop ]; do sleep 1; done"];
const httpd = ["httpd", "-f", "-p", "8080", "-h", "/etc"];

let stack: ContainerStack;

beforeAll(async () => {
  stack = await ContainerStack.create(team, "gw-modes");
  await stack.up({
    // A busybox alone: no C library, no /etc/passwd. Its own server runs beside sshd.
    "any-busybox": { image: imageRef("busybox"), ssh: injected, command: httpd },
    // The project's Debian base, with one program more.
    "any-debian": { image: imageRef("dufs"), ssh: injected, persist: { paths: ["/etc/apt"] } },
    // Its own entry point, of which only the image knows, keeps running.
    "any-server": { image: imageRef("dufs"), ssh: injected, runImageCommand: true },
    beside: {
      image: imageRef("busybox"),
      ssh: { mode: "sidecar", image: imageRef("devcontainer"), resources: { memory: "128Mi" } },
      command: untilStopped,
    },
    unseen: {
      image: imageRef("busybox"),
      ssh: { mode: "none" },
      authorizedKeys: [],
      command: httpd,
      home: { size: "1Gi" },
    },
  });
});

afterAll(() => stack.close());

const images = ["any-busybox", "any-debian", "any-server"];

describe.each(images)("injected into %s", (name) => {
  it("one is the named user, without capabilities, and home is one's own", async () => {
    const script =
      "id; grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status; touch ~/x && ls ~; pwd";
    expect((await stack.output(name, script)).split("\n")).toEqual([
      "uid=1000(jovyan) gid=1000(jovyan) groups=1000(jovyan)",
      "CapEff:\t0000000000000000",
      "NoNewPrivs:\t1",
      "x",
      "/home/jovyan",
      "",
    ]);
  });

  it("has a terminal and carries files both ways", async () => {
    const local = `${stack.laptop.folder}/blob-${name}`;
    await run("dd", ["if=/dev/urandom", `of=${local}`, "bs=1M", "count=3"]);
    expect((await stack.laptop.ssh(["-tt", name, "tty"])).stdout.trim()).toMatch(/^\/dev\/pts\/\d+$/);
    expect(await stack.laptop.scp([local, `${name}:blob`])).toMatchObject({ code: 0 });
    expect(await stack.laptop.scp([`${name}:blob`, `${local}.back`])).toMatchObject({ code: 0 });
    expect(await run("cmp", [local, `${local}.back`])).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("the image's own", () => {
  it("files are what the shell sees", async () => {
    expect(await stack.output("any-debian", ". /etc/os-release; echo $ID; command -v dpkg")).toBe(
      "debian\n/usr/bin/dpkg\n",
    );
    expect(await stack.output("any-server", "command -v dufs")).toBe("/usr/local/bin/dufs\n");
  });

  it("command, given by name, answers beside sshd", async () => {
    expect(await stack.output("any-busybox", "wget -qO- localhost:8080/passwd | tail -n 1")).toBe(
      "jovyan:x:1000:1000::/home/jovyan:/bin/sh\n",
    );
  });

  it("entry point is process 1 and answers on its port", async () => {
    expect(await stack.output("any-server", "tr '\\0' ' ' </proc/1/cmdline")).toBe("/usr/local/bin/dufs ");
    expect(
      (await curlInside(stack.laptop, "any-server", "http://localhost:5000/__dufs__/health")).stdout,
    ).toBe('{"status":"OK"}');
  });

  it("login shell is its best one", async () => {
    const shells = await Promise.all(images.map((name) => stack.output(name, "echo $SHELL")));
    expect(shells).toEqual(["/bin/sh\n", "/bin/bash\n", "/bin/bash\n"]);
  });

  it("content fills a persisted path, which then outlives the pod", async () => {
    const before = await stack.output(
      "any-debian",
      "ls /etc/apt; echo kept >/etc/apt/mine; stat -c %U /etc/apt/mine",
    );
    expect(before).toContain("sources.list");
    expect(before).toMatch(/jovyan\n$/);
    await stack.restart("any-debian");
    expect(await stack.output("any-debian", "cat /etc/apt/mine")).toBe("kept\n");
  });
});

describe("keys of an injected sshd", () => {
  it("change at the next login, with no session lost", async () => {
    const other = await Laptop.create("bob");
    const session = stack.laptop.openCounter("any-busybox");
    try {
      await session.reached(5);
      const before = (await stack.pod<{ metadata: { uid: string } }>("any-busybox")).metadata.uid;
      const keys = {
        ...stack.containers["any-busybox"],
        authorizedKeys: [stack.laptop.publicKey, other.publicKey],
      };
      expect(await stack.up({ ...stack.containers, "any-busybox": keys })).toMatchObject({ update: 1 });
      await other.configure(
        stack.outputs["any-busybox"]?.sshConfig ?? "",
        stack.outputs["any-busybox"]?.knownHosts ?? "",
      );
      await eventually("bob's login", async () => (await other.ssh(["any-busybox", "true"])).code === 0, 120);
      expect((await stack.pod<{ metadata: { uid: string } }>("any-busybox")).metadata.uid).toBe(before);
      expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
    } finally {
      await session.close();
      await other.remove();
    }
  });
});

describe("a sidecar", () => {
  it("shares network and home with the application, not its files", async () => {
    expect(await stack.output("beside", "curl -s localhost:8080/os-release; ls /etc/os-release")).toMatch(
      /404 Not Found[\s\S]*\/etc\/os-release\n$/,
    );
    await stack.output("beside", "echo shared >~/note");
    const exec = ["-n", team, "exec", "beside-0", "-c", "dev", "--"];
    expect(await kubectl([...exec, "cat", "/home/jovyan/note"])).toBe("shared\n");
  });

  it("keeps its sessions when the application restarts", async () => {
    interface Pod {
      status: { containerStatuses: { restartCount: number; ready: boolean }[] };
    }
    const main = async () => (await stack.pod<Pod>("beside")).status.containerStatuses[0];
    const session = stack.laptop.openCounter("beside");
    try {
      await session.reached(5);
      const before = (await main())?.restartCount ?? 0;
      await kubectl(["-n", team, "exec", "beside-0", "-c", "dev", "--", "touch", "/tmp/stop"]);
      await eventually("a restart", async () => ((await main())?.restartCount ?? 0) > before, 60);
      await eventually("the application", async () => (await main())?.ready, 60);
      const lines = session.lines.length;
      await session.reached(lines + 5);
      expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
      expect(await stack.output("beside", "curl -so /dev/null -w '%{http_code}' localhost:8080/group")).toBe(
        "404",
      );
    } finally {
      await session.close();
    }
  });
});

describe("a container without sshd", () => {
  it("runs, and has nothing to do with ssh", async () => {
    await stack.ready("unseen");
    const service = await getObject<{ spec: { ports?: unknown } }>(["-n", team, "service", "unseen"]);
    expect(service.spec.ports).toBeUndefined();
    const objects = await kubectl(["-n", team, "get", "configmap,secret,virtualservice", "-o", "name"]);
    expect(objects.split("\n").filter((line) => line.includes("unseen"))).toEqual([]);
    const { homeClaimName, knownHosts, hostPublicKey, url } = stack.outputs.unseen ?? {};
    expect([homeClaimName, knownHosts, hostPublicKey, url]).toEqual(["unseen-home", ...Array(3)]);
  });
});

describe("a second up", () => {
  it("changes nothing", async () => {
    expect(Object.keys(await stack.up(stack.containers))).toEqual(["same"]);
  });
});
