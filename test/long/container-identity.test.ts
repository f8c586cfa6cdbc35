/** Who may log in and who one logs in to: host key rotation, a user CA, revocation, keys changed in place. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CounterSession, eventually, kubectl, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { filesAreLive, testSeed } from "../support/lab/cluster.ts";
import { ContainerStack, type Containers } from "../support/stacks/containers.ts";

const team = "team-id";
let stack: ContainerStack;
let bob: Laptop;
let authority: Laptop;
let keys: { authorizedKeys: string[] };

beforeAll(async () => {
  stack = await ContainerStack.create(team, "gw-id");
  bob = await Laptop.create("bob");
  authority = await Laptop.create("ca");
  keys = { authorizedKeys: [stack.laptop.publicKey, bob.publicKey] };
  await stack.up({
    strict: keys,
    certified: { authorizedKeys: [], ssh: { userCa: { keys: [authority.publicKey], principals: ["dev"] } } },
  });
});

afterAll(async () => {
  await stack.close();
  await bob.remove();
  await authority.remove();
});

async function tell(laptop: Laptop, name: string): Promise<void> {
  await laptop.configure(stack.outputs[name]?.sshConfig ?? "", stack.outputs[name]?.knownHosts ?? "");
}

const change = (name: string, args: Containers[string]) =>
  stack.up({ ...stack.containers, [name]: { ...stack.containers[name], ...args } });

describe("a user CA", () => {
  /** Signs a laptop's key for these principals; ssh finds the certificate beside the key. */
  const sign = async (laptop: Laptop, principals: string) => {
    const args = ["-q", "-s", authority.keyFile, "-I", "test", "-n", principals, "-V", "+1h"];
    expect(await run("ssh-keygen", [...args, `${laptop.keyFile}.pub`])).toMatchObject({ code: 0 });
  };

  it("lets in who holds a certificate for one of the principals, and nobody else", async () => {
    await tell(bob, "certified");
    await eventually(
      "the container",
      async () => /Permission denied/.test((await bob.ssh(["certified", "true"])).stderr),
      90,
    );
    await sign(bob, "other");
    expect(await bob.ssh(["certified", "true"])).toMatchObject({ code: 255 });
    await sign(bob, "dev,more");
    expect(await bob.ssh(["certified", "id -un"])).toMatchObject({ code: 0, stdout: "jovyan\n" });
  });

  it(`is changed ${filesAreLive() ? "without a restart" : "with another pod"}`, async () => {
    const other = await Laptop.create("ca2");
    await change("certified", { ssh: { userCa: { keys: [other.publicKey], principals: ["dev"] } } });
    await eventually(
      "the end of the old CA",
      async () => (await bob.ssh(["certified", "true"])).code === 255,
      120,
    );
    await other.remove();
  });
});

/** Takes bob's key away while both are logged in; `look` sees what becomes of the two sessions. Then he is locked out. */
async function withoutBob(look: (mine: CounterSession, his: CounterSession) => Promise<void>): Promise<void> {
  await tell(bob, "strict");
  await stack.output("strict", "true");
  const [mine, his] = [stack.laptop.openCounter("strict"), bob.openCounter("strict")];
  try {
    await Promise.all([mine.reached(5), his.reached(5)]);
    await change("strict", { authorizedKeys: [stack.laptop.publicKey] });
    await look(mine, his);
    expect(await bob.ssh(["strict", "true"])).toMatchObject({ code: 255 });
  } finally {
    await Promise.all([mine.close(), his.close()]);
  }
}

if (filesAreLive()) {
  describe("a removed key", () => {
    it("is refused at the next login, and what it has open goes on until sessionsValidFrom is another", async () => {
      await withoutBob(async (mine, his) => {
        await eventually("bob's refusal", async () => (await bob.ssh(["strict", "true"])).code === 255, 120);
        const lines = his.lines.length;
        await his.reached(lines + 20);
        expect([mine.unbroken, his.unbroken]).toEqual([true, true]);
        await change("strict", { ssh: { sessionsValidFrom: new Date().toISOString().replace(/\.\d+/, "") } });
        expect([mine.alive, his.alive]).toEqual([false, false]);
        expect(await stack.output("strict", "id -un")).toBe("jovyan\n");
      });
    });
  });

  describe("keys whose ConfigMap is changed in place", () => {
    // The plain provider settings of the other tests replace it: deleted, then made anew.
    it("take effect all the same, with no session lost", async () => {
      const session = stack.laptop.openCounter("strict");
      try {
        await session.reached(5);
        const patch = { data: { authorized_keys: `${stack.laptop.publicKey}\n${bob.publicKey}\n` } };
        const target = ["-n", team, "patch", "configmap", "strict-authorized-keys"];
        await kubectl([...target, "-p", JSON.stringify(patch)]);
        await eventually("bob's login", async () => (await bob.ssh(["strict", "true"])).code === 0, 150);
        expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
      } finally {
        await session.close();
      }
    });
  });
} else {
  describe("a removed key", () => {
    it("ends every connection, since the pod is another", async () => {
      await withoutBob(async (mine, his) => {
        await eventually("the end of both sessions", async () => !his.alive && !mine.alive, 120);
        expect(await stack.output("strict", "id -un")).toBe("jovyan\n");
      });
    });
  });
}

describe("a host key", () => {
  const lines = async (file: string) => (await readFile(file, "utf8")).trim().split("\n");

  it("is rotated with an overlap in which old and new known_hosts both hold", async () => {
    const before = stack.outputs.strict?.knownHosts ?? "";
    const first = await Laptop.create("first");
    await stack.up({
      ...stack.containers,
      strict: {
        ...stack.containers.strict,
        authorizedKeys: [first.publicKey],
        hostKey: { seed: testSeed, next: { seed: testSeed, generation: 2 } },
      },
    });
    const overlap = stack.outputs.strict?.knownHosts ?? "";
    expect(overlap.startsWith(before)).toBe(true);
    expect(overlap.trim().split("\n")).toHaveLength(2);

    // A client that knows only the old key is let in, and learns the new one by itself.
    const knownHosts = join(first.folder, "known_hosts");
    await first.configure(stack.outputs.strict?.sshConfig ?? "", before);
    await eventually(
      "the old key",
      async () => (await first.ssh(["-o", "UpdateHostKeys=yes", "strict", "sleep 1"])).code === 0,
      120,
    );
    await eventually("the new key", async () => (await lines(knownHosts)).length >= 2, 20);
    const learnt = await readFile(knownHosts, "utf8");

    await change("strict", { authorizedKeys: [first.publicKey], hostKey: { seed: testSeed, generation: 2 } });
    const after = stack.outputs.strict?.knownHosts ?? "";
    expect(overlap).toBe(`${before}${after}`);
    for (const known of [learnt, overlap, after]) {
      await writeFile(knownHosts, known);
      await eventually("a login", async () => (await first.ssh(["strict", "true"])).code === 0, 120);
    }
    await writeFile(knownHosts, before);
    expect((await first.ssh(["strict", "true"])).stderr).toContain("REMOTE HOST IDENTIFICATION HAS CHANGED");
    await first.remove();
  });
});
