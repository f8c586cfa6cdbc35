/** What one lives in: sessions with the container's environment, keys that change, walls, ports, and data that stays. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, getObject, kubectl, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { filesAreLive } from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { knock, startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { ContainerStack, type Containers, curlInside } from "../support/stacks/containers.ts";

const team = "team-box";
const outside = "probe-box";
const startupScript = "#!/bin/sh\necho from the start-up script\nexit 3\n";

/** The container that most of these tests are about. */
const box = {
  env: { GREETING: 'a "b" \\c $HOME #d', PATH: "/opt/conda/bin:/usr/local/bin:/usr/bin:/bin" },
  startupScript,
  args: ["python3", "-m", "http.server", "8080", "--directory", "/etc/ssh"],
  ports: [
    { name: "http", port: 8080, primary: true },
    { name: "hidden", port: 8081 },
  ],
  persist: { paths: ["/etc/skel"] },
  pod: { stopWarningSeconds: 3, terminationGracePeriodSeconds: 20 },
  // Both exist in the namespace by themselves or by the other container.
  ...(filesAreLive()
    ? {
        trustedCa: { configMapName: "kube-root-ca.crt" },
        mounts: [{ secretName: "guest-host-key", mountPath: "/var/secrets/guest" }],
      }
    : {}),
} satisfies Containers[string];

/** Its programs are looked for in the home first. */
const guest = {
  pod: { eviction: "allowed" },
  env: { PATH: "/home/jovyan/bin:/usr/local/bin:/usr/bin:/bin" },
} satisfies Containers[string];

/** The outcome of `curl` on the laptop, through the gateway as its CONNECT proxy. */
const curlThrough = (proxy: string, url: string) =>
  run("curl", ["-sS", "--max-time", "10", "--proxytunnel", "-x", proxy, url]);

let stack: ContainerStack;
let bob: Laptop;

beforeAll(async () => {
  stack = await ContainerStack.create(team, "gw-box");
  bob = await Laptop.create("bob");
  await stack.up({ box, guest });
  await startProbe(outside);
});

afterAll(async () => {
  await stopProbe(outside);
  await stack.close();
  await bob.remove();
});

const podUid = async (name: string) => (await stack.pod<{ metadata: { uid: string } }>(name)).metadata.uid;

/** Gives another laptop what this stack knows of its containers. */
async function tell(laptop: Laptop, name = "box"): Promise<void> {
  await laptop.configure(stack.outputs[name]?.sshConfig ?? "", stack.outputs[name]?.knownHosts ?? "");
}

describe("a session", () => {
  it("has the declared environment and the image's, in a command and in a login shell", async () => {
    const show = 'printf "%s\\n" "$GREETING" "$PATH" "$LANG"';
    const expected = 'a "b" \\c $HOME #d\n/opt/conda/bin:/usr/local/bin:/usr/bin:/bin\nC.UTF-8\n';
    expect(await stack.output("box", show)).toBe(expected);
    expect(await stack.output("box", `bash -lc '${show}'`)).toBe(expected);
  });

  it("finds its dot files as the image has them", async () => {
    expect(await stack.output("box", "diff -r /etc/skel ~ | grep -v '^Only in /home'; true")).toBe("");
  });

  it("is not kept from starting by a start-up script that fails", async () => {
    expect(await stack.output("box", "cat ~/.cache/drawbridge/startup.log")).toBe(
      "from the start-up script\nthe startup script ended with 3\n",
    );
    expect(await kubectl(["-n", team, "logs", "box-0"])).toContain("startup: from the start-up script");
  });

  it("has half the memory as shared memory, and no token of the Kubernetes API", async () => {
    expect(await stack.output("box", "df --output=size -m /dev/shm | tail -n 1")).toBe(
      filesAreLive() ? "       64\n" : "      128\n",
    );
    expect(await stack.output("box", "ls /var/run/secrets 2>&1; true")).toContain("No such file");
  });

  if (filesAreLive()) {
    it("has secrets as files and the authorities of the company, by the usual variables", async () => {
      const script =
        'head -n 1 "$SSL_CERT_FILE" "$GIT_SSL_CAINFO" -q; head -n 1 /var/secrets/guest/*; env | grep -c OPENSSH';
      expect((await stack.ssh("box", script)).stdout).toBe(
        "-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\n-----BEGIN OPENSSH PRIVATE KEY-----\n0\n",
      );
    });
  }

  it("is told that the container stops, and the next one finds home and persisted paths as they were", async () => {
    // With root, what is in a persisted path belongs to whom it belongs to in the image.
    const own = "test -w /etc/skel || sudo chown jovyan /etc/skel";
    expect(await stack.output("box", `echo kept >~/mine; ${own}; echo kept >/etc/skel/mine`)).toBe("");
    const terminal = stack.laptop.ssh(["-tt", "box", "sleep 60"], { timeoutSeconds: 90 });
    await eventually("the terminal", async () => (await stack.output("box", "ls /dev/pts")).startsWith("0"));
    await stack.restart("box");
    expect((await terminal).stdout).toContain("*** box-0 stops in 3 s: ");
    expect(await stack.output("box", "cat ~/mine /etc/skel/mine")).toBe("kept\nkept\n");
  });
});

describe("keys", () => {
  const live = async () => {
    const uid = await podUid("box");
    const sessions = Array.from({ length: 10 }, () => stack.laptop.openCounter("box", 500));
    try {
      await Promise.all(sessions.map((session) => session.reached(2, 60)));
      await tell(bob);
      expect(await bob.ssh(["box", "true"])).toMatchObject({ code: 255 });
      const both = { ...box, authorizedKeys: [stack.laptop.publicKey, bob.publicKey] };
      await stack.up({ ...stack.containers, box: both });
      const added = Date.now();
      await eventually("bob's login", async () => (await bob.ssh(["box", "true"])).code === 0, 120);
      const removed = Date.now();
      console.log(`a new key took effect ${((removed - added) / 1000).toFixed(1)} s after the update`);
      await stack.up({ ...stack.containers, box: { ...box, authorizedKeys: [bob.publicKey] } });
      await eventually(
        "the end of alice's key",
        async () => (await stack.laptop.ssh(["box", "true"])).code === 255,
        120,
      );
      expect(sessions.map(({ alive, unbroken }) => alive && unbroken)).toEqual(Array(10).fill(true));
      expect(await podUid("box")).toBe(uid);
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
      await stack.up({ ...stack.containers, box });
    }
  };

  const copied = async () => {
    const uid = await podUid("box");
    const elsewhere = stack.laptop.openCounter("guest", 500);
    try {
      await elsewhere.reached(2, 60);
      await tell(bob);
      expect(await bob.ssh(["box", "true"])).toMatchObject({ code: 255 });
      const both = { ...box, authorizedKeys: [stack.laptop.publicKey, bob.publicKey] };
      await stack.up({ ...stack.containers, box: both });
      await eventually("bob's login", async () => (await bob.ssh(["box", "true"])).code === 0, 120);
      const second = await podUid("box");
      expect(second).not.toBe(uid);
      await stack.up({ ...stack.containers, box: { ...box, authorizedKeys: [bob.publicKey] } });
      // The pod with the old keys may still be ending.
      await eventually("the third pod", async () => (await podUid("box")) !== second, 120);
      await eventually("bob's login again", async () => (await bob.ssh(["box", "true"])).code === 0, 120);
      expect(await stack.laptop.ssh(["box", "true"])).toMatchObject({ code: 255 });
      expect(elsewhere.alive && elsewhere.unbroken).toBe(true);
    } finally {
      await elsewhere.close();
      await stack.up({ ...stack.containers, box });
    }
  };

  if (filesAreLive()) it("change at the next login, with none of ten sessions lost and no restart", live);
  else it("change with another pod, and nobody else's session ends", copied);

  it("are named in the log of each login", async () => {
    await stack.output("box", "true");
    const print = (await run("ssh-keygen", ["-l", "-f", `${stack.laptop.keyFile}.pub`])).stdout.split(" ")[1];
    expect(await kubectl(["-n", team, "logs", "box-0"])).toContain(`Accepted publickey for jovyan from`);
    expect(await kubectl(["-n", team, "logs", "box-0"])).toContain(`ED25519 ${print}`);
  });
});

describe("a container that is not ready", () => {
  it("lets its owner in", async () => {
    // The probe fails without its awk, as it does when there is no processor time left for it.
    await stack.output("guest", "mkdir ~/bin && ln -s /bin/false ~/bin/awk");
    try {
      await eventually("a failed probe", async () => (await stack.readiness("guest")) === "False", 90);
      expect(await stack.laptop.ssh(["guest", "hostname"])).toEqual({
        code: 0,
        stdout: "guest-0\n",
        stderr: "",
      });
      expect(await stack.readiness("guest")).toBe("False");
    } finally {
      await stack.output("guest", "rm -r ~/bin");
    }
    await stack.ready("guest");
  });
});

describe("walls", () => {
  /** Whether a session of the container can open a TCP connection. */
  const reaches = async (address: string, port: number) =>
    (await stack.ssh("box", `timeout 3 bash -c '</dev/tcp/${address}/${port}' 2>/dev/null`)).code === 0;
  const podAddress = async (namespace: string, name: string) =>
    (await getObject<{ status: { podIP: string } }>(["-n", namespace, "pod", name])).status.podIP;
  const nodeAddress = async () =>
    (await getObject<{ status: { hostIP: string } }>(["-n", team, "pod", "box-0"])).status.hostIP;

  it("keep sessions from API server, kubelet, metadata and other teams, but not from DNS", async () => {
    const node = await nodeAddress();
    const tried = {
      service: await reaches("10.96.0.1", 443),
      apiServer: await reaches(node, 6443),
      kubelet: await reaches(node, 10250),
      metadata: await reaches("169.254.169.254", 80),
      otherTeam: await reaches(await podAddress(outside, "probe"), 8080),
      dns: await reaches("10.96.0.10", 53),
    };
    expect(tried).toEqual({
      service: false,
      apiServer: false,
      kubelet: false,
      metadata: false,
      otherTeam: false,
      dns: true,
    });
    expect(await stack.output("box", "getent hosts guest.team-box.svc.cluster.local | wc -l")).toBe("1\n");
  });

  it("keep forwards from them too", async () => {
    const probe = await podAddress(outside, "probe");
    expect((await curlInside(stack.laptop, "box", `http://${probe}:8080/`)).code).not.toBe(0);
    expect(await curlInside(stack.laptop, "box", "http://localhost:8080/ssh_config")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Host *"),
    });
  });

  it("open for what is declared, both ways", async () => {
    const probe = await podAddress(outside, "probe");
    const open = {
      ...box,
      egress: { allow: [{ cidr: `${probe}/32`, ports: [8080] }] },
      ingress: [{ namespace: outside, ports: [8080] }],
    };
    expect(await knock(outside, await podAddress(team, "box-0"), 8080)).toBe("nothing");
    await stack.up({ ...stack.containers, box: open });
    await eventually("the way out", async () => reaches(probe, 8080), 30);
    await eventually(
      "the way in",
      async () => /^HTTP/.test(await knock(outside, await podAddress(team, "box-0"), 8080)),
      30,
    );
    await stack.up({ ...stack.containers, box });
    await eventually("the wall again", async () => !(await reaches(probe, 8080)), 30);
  });
});

describe("ports", () => {
  it("are reached by name through the gateway where that is declared, and nowhere else", async () => {
    const url = stack.outputs.box?.url ?? "";
    expect(url).toBe("http://box.team-box.dev.example.com:8080");
    const proxy = `http://${await loadBalancerAddress("gw-box", "gw-box")}:80`;
    expect((await curlThrough(proxy, `${url}/ssh_config`)).stdout).toContain("Host *");
    const hidden = await curlThrough(proxy, url.replace("8080", "8081"));
    expect(hidden).toMatchObject({ code: 56, stdout: "" });
  });
});

describe("eviction", () => {
  const evict = (name: string) =>
    run("kubectl", ["create", "--raw", `/api/v1/namespaces/${team}/pods/${name}-0/eviction`, "-f", "-"], {
      input: JSON.stringify({
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: `${name}-0`, namespace: team },
      }),
    });

  it("is refused under never and carried out under allowed, where home survives it", async () => {
    await stack.output("guest", "echo kept >~/mine");
    expect((await evict("box")).stderr).toMatch(
      /Cannot evict pod as it would violate the pod's disruption budget/,
    );
    const uid = await podUid("guest");
    expect(await evict("guest")).toMatchObject({ code: 0 });
    await eventually("another pod", async () => (await podUid("guest").catch(() => uid)) !== uid, 90);
    await stack.ready("guest");
    expect(await stack.output("guest", "cat ~/mine")).toBe("kept\n");
  });
});

describe("a larger home", () => {
  it("is accepted in place", async () => {
    const claim = () =>
      getObject<{ metadata: { uid: string }; spec: { resources: { requests: { storage: string } } } }>([
        "-n",
        team,
        "pvc",
        "guest-home",
      ]);
    const before = await claim();
    const changes = await stack.up({ ...stack.containers, guest: { ...guest, home: { size: "2Gi" } } });
    // The claim, and the component's own inputs.
    expect(changes).toMatchObject({ update: 2 });
    expect(changes.replace).toBeUndefined();
    const after = await claim();
    expect([after.metadata.uid, after.spec.resources.requests.storage]).toEqual([before.metadata.uid, "2Gi"]);
  });
});

describe("a container that was removed", () => {
  it("leaves its home, and comes back with it and with its host key", async () => {
    const before = stack.outputs.guest;
    const { guest: _, ...rest } = stack.containers;
    await stack.up(rest);
    expect(await kubectl(["-n", team, "get", "statefulset,pvc,secret,configmap", "-o", "name"])).toMatch(
      /persistentvolumeclaim\/guest-home/,
    );
    const start = Date.now();
    // An engine's images are on a volume of its own.
    const further = filesAreLive() ? {} : { persist: { claimName: "guest-persist" } };
    const home = { claimName: before?.homeClaimName ?? "" };
    await stack.up({ ...rest, guest: { ...guest, ...further, home } });
    const made = Date.now();
    expect(await stack.output("guest", "cat ~/mine")).toBe("kept\n");
    const seconds = (to: number) => ((to - start) / 1000).toFixed(1);
    console.log(
      `a further container: up took ${seconds(made)} s, the first command had run after ${seconds(Date.now())} s`,
    );
    expect(stack.outputs.guest?.hostPublicKey).toBe(before?.hostPublicKey);
  });
});

describe("a second up", () => {
  it("changes nothing", async () => {
    expect(Object.keys(await stack.up(stack.containers))).toEqual(["same"]);
  });
});
