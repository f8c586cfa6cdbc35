/** docs/rotate.md: every secret is rotated; the old one no longer works, the new one does, and who loses a session. */
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, getObject, kubectl, Laptop, run } from "../../../scripts/lib/lab/lab.ts";
import { stackSecrets } from "../../../scripts/lib/stacks/stacks.ts";
import { TestCa } from "../../support/lab/certificates.ts";
import { curl } from "../../support/lab/web.ts";
import { frpcPod, removeFrpcPod } from "./frpc-pod.fixture.ts";
import { Runbook } from "./runbook.fixture.ts";

let book: Runbook;
let oldCa: Laptop;
let newCa: Laptop;
/** Someone without a key of her own, whom only a certificate lets in. */
let carol: Laptop;

beforeAll(async () => {
  [oldCa, newCa, carol] = [
    await Laptop.create("ca"),
    await Laptop.create("ca2"),
    await Laptop.create("carol"),
  ];
  book = await Runbook.create("docs/rotate.md", {
    team: {
      "team.containers.dev1.ssh.userCa.keys[0]": oldCa.publicKey,
      "team.containers.dev1.ssh.userCa.principals[0]": "dev",
    },
  });
});
afterAll(async () => {
  await book.close();
  await Promise.all([oldCa, newCa, carol].map((laptop) => laptop.remove()));
});

const inProject = (file: string) => join(book.project.folder, file);
const gateway = "dev1.gateway";
const frp = "dev1.frp";

/** What becomes of a session by each way while the change is made: it goes on without a lost line, or it ends. */
async function sessionsOver(fate: Record<string, "stays" | "ends">, change: () => Promise<unknown>) {
  for (const way of Object.keys(fate)) await book.login(way, "true");
  const sessions = Object.keys(fate).map((way) => [way, book.laptop.openCounter(way)] as const);
  try {
    await Promise.all(sessions.map(([, session]) => session.reached(5)));
    await change();
    for (const [way, session] of sessions) {
      if (fate[way] === "ends") await eventually(`the end of ${way}'s session`, async () => !session.alive);
      else await session.reached(session.lines.length + 10);
    }
    const after = sessions.map(([way, { alive, unbroken }]) => [way, alive && unbroken ? "stays" : "ends"]);
    expect(Object.fromEntries(after)).toEqual(fate);
  } finally {
    await Promise.all(sessions.map(([, session]) => session.close()));
  }
}

/** Waits for it and says how long that took. */
async function timed(what: string, check: () => Promise<boolean>): Promise<void> {
  const start = Date.now();
  await eventually(what, check, 180);
  console.log(`${what}: ${((Date.now() - start) / 1000).toFixed(1)} s after up`);
}

const loginOf = async (laptop: Laptop) => laptop.ssh([gateway, "id -un"]);
const isRefused = async (laptop: Laptop) => (await loginOf(laptop)).stderr.includes("Permission denied");
const isLetIn = async (laptop: Laptop) => (await loginOf(laptop)).stdout === "jovyan\n";

it("a person's key: the old one is refused, the new one let in, and the old one's session stays", async () => {
  const next = await Laptop.create("next");
  await book.tell(next);
  await copyFile(`${next.keyFile}.pub`, inProject("new-key.pub"));
  expect(await isRefused(next)).toBe(true);
  await sessionsOver({ [gateway]: "stays", [frp]: "stays" }, async () => {
    await book.follow("new-key.pub");
    await timed("the old key's refusal", () => isRefused(book.laptop));
  });
  expect(await isLetIn(next)).toBe(true);
  await next.remove();
  await book.set("team-a", { "team.containers.dev1.authorizedKeys[0]": book.laptop.publicKey });
  await book.up("team-a");
  await timed("the key is back", () => isLetIn(book.laptop));
});

it("a stolen key: what it has open ends with the pod", async () => {
  await sessionsOver({ [gateway]: "ends", [frp]: "ends" }, () => book.follow("ssh.sessionsValidFrom"));
  await timed("the new pod's first login", () => isLetIn(book.laptop));
});

it("a user CA: certificates of both are taken in between, then of the new one alone", async () => {
  const certify = async (ca: Laptop) => {
    const args = ["-q", "-s", ca.keyFile, "-I", "test", "-n", "dev", "-V", "+1h", `${carol.keyFile}.pub`];
    expect(await run("ssh-keygen", args)).toMatchObject({ code: 0 });
  };
  await book.tell(carol);
  await copyFile(`${newCa.keyFile}.pub`, inProject("new-ca.pub"));
  await certify(oldCa);
  expect(await isLetIn(carol)).toBe(true);
  await certify(newCa);
  expect(await isRefused(carol)).toBe(true);
  await sessionsOver({ [gateway]: "stays" }, async () => {
    await book.follow("ssh.userCa.keys[1]' \"$(cat");
    await timed("the new CA", () => isLetIn(carol));
    await certify(oldCa);
    expect(await isLetIn(carol)).toBe(true);
    await book.follow("config rm --stack team-a --path 'drawbridge:team.containers.dev1.ssh.userCa.keys[1]'");
    await timed("the old CA's end", () => isRefused(carol));
    await certify(newCa);
    expect(await isLetIn(carol)).toBe(true);
  });
});

it("the team's seed: host keys with an overlap, then frp's tokens with it", async () => {
  const before = (await book.type("pulumi stack output --stack team-a knownHosts")).trim();
  const token = await frpcFiles();
  await book.follow("hostKey.next.seed' \"$(openssl");
  const both = await readFile(inProject("known_hosts"), "utf8");
  expect(both.startsWith(before)).toBe(true);
  // Who knows the old key alone is let in.
  const file = join(book.laptop.folder, "known_hosts");
  const learns = async (known: string) => {
    await writeFile(file, known);
    await book.login(gateway, "true");
    await book.laptop.ssh(["-o", "UpdateHostKeys=yes", gateway, "sleep 1"]);
    return (await readFile(file, "utf8")) !== known;
  };
  const [names = "", ...key] = before.split(" ");
  expect(names.split(",").length).toBe(3);
  expect(await learns(`${before}\n`)).toBe(false);
  const ofGateway = [names.split(",")[0], ...key].join(" ");
  await eventually("the new key is learnt", () => learns(`${ofGateway}\n`));
  const learnt = await readFile(file, "utf8");
  expect(await frpcFiles()).toEqual(token);

  await sessionsOver({ [gateway]: "ends", [frp]: "ends" }, () => book.follow("drawbridge:hostKeySeed"));
  for (const known of [both, learnt]) {
    await writeFile(file, known);
    expect(await book.login(gateway, "id -un")).toBe("jovyan\n");
  }
  await writeFile(file, `${before}\n`);
  expect((await loginOf(book.laptop)).stderr).toContain("REMOTE HOST IDENTIFICATION HAS CHANGED");
  await book.tell();
  expect(await book.login(frp, "id -un")).toBe("jovyan\n");
  expect(await frpcFiles()).not.toEqual(token);
  await expectRefusedByFrps(token);
});

it("an frp token: sessions through the gateway stay, and the old token is worth nothing", async () => {
  const token = await frpcFiles();
  await sessionsOver({ [gateway]: "stays", [frp]: "ends" }, async () => {
    await book.follow("access.frp.token");
    await expectRefusedByFrps(token);
    await timed("the login through frp with the new token", async () => {
      const { code } = await book.laptop.ssh([frp, "true"]);
      return code === 0 && (await restartsOfFrpc()) > 0;
    });
  });
});

it("frp's seed: its CA and certificate are others, and sessions through the gateway stay", async () => {
  const frpc = await frpcFiles();
  await sessionsOver({ [gateway]: "stays", [frp]: "ends" }, () => book.follow("drawbridge:frpSeed"));
  expect((await frpcFiles())["ca.crt"]).not.toBe(frpc["ca.crt"]);
  await timed("the login through frp", async () => (await book.laptop.ssh([frp, "true"])).code === 0);
  // Right token, wrong CA: this frpc does not take the server for its own any more, and says so in either of two ways.
  expect(await frpcPod("team-a", "old-ca", frpc)).toMatch(/^session shutdown$|signed by unknown authority/);
  await removeFrpcPod("team-a", "old-ca");
  expect(await frpcPod("team-a", "new-ca", await frpcFiles())).toBe("registered");
  await removeFrpcPod("team-a", "new-ca");
});

it("a storage's password", async () => {
  const url = `${await storageUrl()}model/README.txt`;
  const status = async (password: string) => (await curl(["-u", `alice:${password}`, url])).status;
  expect(await status(stackSecrets.password)).toBe(200);
  await sessionsOver({ [gateway]: "stays" }, () => book.follow("credentials[0].password"));
  const path = "drawbridge:team.storages.models.browse.credentials[0].password";
  const password = (await book.type(`pulumi config get --stack team-a --path '${path}'`)).trim();
  // For a moment two accessors answer.
  await timed("the new password alone", async () => {
    const answers = [];
    for (let count = 0; count < 5; count += 1)
      answers.push(await status(password), await status(stackSecrets.password));
    return answers.join() === Array(5).fill("200,401").join();
  });
});

it("the passphrase", async () => {
  const block = await book.pageBlock("change-secrets-provider");
  const passphrase = "another only for tests";
  for (const stack of ["team-a", "platform"])
    await book.type(`printf '%s\\n' '${passphrase}' '${passphrase}' | ${block.replace("team-a", stack)}`);
  const get = "pulumi config get --stack team-a drawbridge:hostKeySeed";
  expect((await book.shell(get)).stderr).toContain("incorrect passphrase");
  book.env.PULUMI_CONFIG_PASSPHRASE = passphrase;
  expect((await book.type(get)).trim().length).toBeGreaterThan(32);
  await book.type("pulumi preview --stack team-a --expect-no-changes");
});

it("the gateway's certificate", async () => {
  const ca = await TestCa.create("corp");
  // Beside the plain listener, by which the laptop goes on coming in.
  await book.set("platform", { "platform.gateway.listeners.tls.certificate.secretName": "server" });
  await book.up("platform");
  const install = async (name: string) => {
    const { cert, key } = await ca.issue(name, { subject: "/CN=gateway", names: "DNS=*.dev.example.com" });
    await writeFile(inProject("server.crt"), cert);
    await writeFile(inProject("server.key"), key);
    await book.follow("create secret tls");
  };
  const shown = await book.pageBlock("openssl s_client");
  const isShown = async () => {
    const [server, file] = (await book.shell(shown)).stdout.trim().split("\n");
    return server !== undefined && server === file;
  };
  await install("first");
  await timed("the first certificate", isShown);
  const first = await book.type(shown);
  await sessionsOver({ [gateway]: "stays" }, async () => {
    await install("second");
    await timed("the second certificate", isShown);
    expect(await book.type(shown)).not.toBe(first);
  });
  await ca.remove();
});

/** What frpc of dev1 is started with, in plain. */
async function frpcFiles(): Promise<Record<string, string>> {
  const dataOf = async (kind: string, name: string) =>
    (await getObject<{ data: Record<string, string> }>(["-n", "team-a", kind, name])).data;
  const { token = "" } = await dataOf("secret", "dev1-frp-token");
  return { ...(await dataOf("configmap", "dev1-frpc")), token: Buffer.from(token, "base64").toString() };
}

/** A frpc with these files, beside the container's own, is not let in. */
async function expectRefusedByFrps(files: Record<string, string>): Promise<void> {
  expect(await frpcPod("team-a", "old-token", files)).toMatch(/token/);
  await removeFrpcPod("team-a", "old-token");
}

async function restartsOfFrpc(): Promise<number> {
  const path = '{.status.initContainerStatuses[?(@.name=="frpc")].restartCount}';
  return Number(await kubectl(["-n", "team-a", "get", "pod", "dev1-0", "-o", `jsonpath=${path}`]));
}

async function storageUrl(): Promise<string> {
  const storages = JSON.parse(await book.type("pulumi stack output --stack team-a --json storages")) as {
    models: { url: string };
  };
  return storages.models.url;
}
