/** frps, frpc, the authorizer and OpenSSH alone, without a cluster: a big file, and fifty sessions while others come and go. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deriveFrpToken, frpcToml, frpTokenHash } from "@drawbridge-iac/manifests";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LoopbackSshd, startSshd } from "../support/clients/loopback-ssh.ts";
import { eventually, Laptop, run } from "../support/lab/lab.ts";
import { FrpServerOnLoopback, seed, startFrpc, suffix } from "../support/stacks/frp.ts";

type Frpc = Awaited<ReturnType<typeof startFrpc>>;

const names = Array.from({ length: 11 }, (_, index) => `dev${index}`);
const hostOf = (name: string) => `${name}.team-a.${suffix}`;
const tokenOf = (name: string) => deriveFrpToken(seed, `team-a/${name}`);

let server: FrpServerOnLoopback;
let sshd: LoopbackSshd;
let laptop: Laptop;
let own: Frpc;

const start = (name: string): Promise<Frpc> =>
  startFrpc(frpcToml(server.frpc("team-a", name), sshd.port), tokenOf(name), server.certificate.caBundle);

beforeAll(async () => {
  [sshd, laptop] = await Promise.all([startSshd(), Laptop.create()]);
  server = await FrpServerOnLoopback.start(
    Object.fromEntries(names.map((name) => [`team-a/${name}`, { tokenSha256: frpTokenHash(tokenOf(name)) }])),
  );
  own = await start("dev0");
  await own.says("start proxy success");
  const proxy = `127.0.0.1:${server.ports.connect}`;
  const common = `  HostName ${hostOf("dev0")}\n  User root\n  IdentityFile ${sshd.userKey}\n`;
  const sshConfig = [
    `Host by-nc\n${common}  ProxyCommand nc -X connect -x ${proxy} %h %p\n`,
    `Host by-proxytunnel\n${common}  ProxyCommand proxytunnel -q -p ${proxy} -d %h:%p\n`,
  ].join("");
  await laptop.configure(sshConfig, `${hostOf("dev0")} ${sshd.hostPublicKey}\n`);
});

afterAll(async () => {
  await own.remove();
  await Promise.all([server.stop(), sshd.stop(), laptop.remove()]);
});

it.each(["by-nc", "by-proxytunnel"])(
  "lets in %s with strict host checking, and nobody with another host key",
  async (host) => {
    expect(await laptop.ssh([host, "echo in"])).toEqual({ code: 0, stdout: "in\n", stderr: "" });
    const foreign = join(laptop.folder, "foreign");
    const [type] = sshd.hostPublicKey.split(" ");
    await writeFile(foreign, `${hostOf("dev0")} ${type} ${laptop.publicKey.split(" ")[1]}\n`);
    const refused = await laptop.ssh(["-o", `UserKnownHostsFile=${foreign}`, host, "echo in"]);
    expect(refused).toMatchObject({ code: 255, stdout: "" });
  },
);

it("carries 1 GiB both ways unharmed", async () => {
  const [there, far, back] = ["there", "far", "back"].map((name) => join(laptop.folder, name)) as [
    string,
    string,
    string,
  ];
  await run("sh", ["-c", `head -c 1073741824 /dev/urandom >${there}`], { timeoutSeconds: 300 });
  const began = Date.now();
  expect((await laptop.scp([there, `by-nc:${far}`], 1200)).code).toBe(0);
  const middle = Date.now();
  expect((await laptop.scp([`by-nc:${far}`, back], 1200)).code).toBe(0);
  const rate = (milliseconds: number) => (1024 / (milliseconds / 1000)).toFixed(0);
  console.log(`1 GiB by scp: ${rate(middle - began)} MiB/s up, ${rate(Date.now() - middle)} MiB/s down`);
  const { stdout } = await run("sha256sum", [there, back], { timeoutSeconds: 300 });
  const sums = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  expect(sums[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(sums).toEqual([sums[0], sums[0]]);
  await run("rm", ["-f", there, far, back]);
});

it("holds fifty sessions while ten other containers come and go", async () => {
  // sshd lets in ten at a time that have not said who they are (MaxStartups), so they come in fives.
  const sessions: ReturnType<Laptop["openCounter"]>[] = [];
  while (sessions.length < 50) {
    const next = Array.from({ length: 5 }, () => laptop.openCounter("by-nc", 500));
    sessions.push(...next);
    await Promise.all(next.map((session) => session.reached(1, 120)));
  }
  const others = await Promise.all(names.slice(1).map(start));
  await Promise.all(others.map((frpc) => frpc.says("start proxy success", 60)));
  await Promise.all(others.map((frpc) => frpc.remove()));
  const before = sessions.map(({ lines }) => lines.length);
  await eventually("three more lines of each", async () =>
    sessions.every(({ alive, lines }, index) => !alive || lines.length > (before[index] ?? 0) + 2),
  );
  const broken = sessions.filter((session) => !session.alive || !session.unbroken);
  expect(broken.map(({ lines, stderr }) => [lines.length, stderr.trim()])).toEqual([]);
  expect(sessions.length).toBe(50);
  await Promise.all(sessions.map((session) => session.close()));
});
