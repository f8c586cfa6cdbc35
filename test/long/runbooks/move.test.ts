/** docs/move.md: a team moves to another cluster with its homes and host keys. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, Laptop, type Outcome, run } from "../../../scripts/lib/lab/lab.ts";
import { Runbook } from "./runbook.fixture.ts";
import { SecondCluster } from "./two-clusters.fixture.ts";

let book: Runbook;
let cluster: SecondCluster;
let knownHosts: string;

beforeAll(async () => {
  book = await Runbook.create("docs/move.md", {
    team: { "team.containers.dev1.storage[0].readOnly": "false" },
  });
  cluster = await SecondCluster.create(`moved-${process.pid}`);
  const programs = join(book.project.folder, "programs");
  await cluster.programs(programs, book.env.PATH ?? "");
  book.env.KUBECONFIG = join(book.project.folder, "kubeconfig");
  await cluster.contexts(book.env.KUBECONFIG);
  knownHosts = await readFile(join(book.laptop.folder, "known_hosts"), "utf8");
});
afterAll(async () => {
  await cluster.remove();
  await book.close();
});

/** By ssh as the laptop stands, in the network of the new cluster, once the way is open. */
async function loginOverThere(command: string): Promise<string> {
  const [program = "", ...args] = cluster.enter;
  const ssh = [...args, "ssh", "-F", book.laptop.configFile, "dev1.gateway", command];
  return eventually(
    "a login to the new cluster",
    async () => {
      const { code, stdout, stderr } = await run(program, ssh, { env: book.laptop.env });
      if (code !== 0) throw new Error(stderr.trim());
      return stdout;
    },
    120,
  );
}

/** Runs the page's block without its waiting for the kubelet. */
async function closed(): Promise<Outcome> {
  const block = await book.pageBlock("sleep 90");
  const [before = "", after = ""] = block.split("sleep 90\n");
  await book.type(before);
  const refused = async () =>
    (await book.laptop.ssh(["dev1.gateway", "true"])).stderr.includes("Permission denied");
  await eventually("the end of the old keys", refused, 150);
  return book.shell(after);
}

it("the new platform and the team come up over there, with the same host keys, and the old ones go on", async () => {
  const fill = [
    "mkdir -p many .config; for i in $(seq 1000); do echo $i > many/$i; done",
    "head -c 20000000 /dev/urandom > large; ln -s large link; chmod 600 large; touch 'a name with blanks'",
    "echo theirs > /models/own.txt; echo done",
  ];
  expect(await book.login("dev1.gateway", fill.join("; "))).toBe("done\n");
  const session = book.laptop.openCounter("dev1.gateway");
  await session.reached(5);
  await book.follow("platform-new --copy-config-from platform");
  await book.follow("team-a-new --copy-config-from team-a");
  expect([session.alive, session.unbroken]).toEqual([true, true]);
  await session.close();
});

it("nobody gets in while the data travels, and all of it arrives", async () => {
  const session = book.laptop.openCounter("dev1.gateway");
  await session.reached(5);
  expect(await closed()).toMatchObject({ code: 0 });
  await eventually("the end of the session", async () => !session.alive);
  await book.follow("copy dev1 /home/jovyan");
  const compare = await book.pageBlock("contents old");
  expect(await book.shell(compare)).toMatchObject({ code: 0, stdout: "" });
  // It would have said so.
  await book.type("kubectl --context new -n team-a exec dev1-0 -- sh -c 'echo x >> ~/many/7'");
  expect(await book.shell(compare)).toMatchObject({ code: 1, stdout: expect.stringContaining("./many/7") });
  await book.type("kubectl --context new -n team-a exec dev1-0 -- sh -c 'echo 7 > ~/many/7'");
});

it("the laptop needs the new address alone: its known_hosts is the old one", async () => {
  await book.follow("sshConfig > ssh_config");
  const config = await readFile(join(book.project.folder, "ssh_config"), "utf8");
  await book.laptop.configure(config, knownHosts);
  expect(await loginOverThere("hostname; cat many/1000 link | wc -c; cat /models/own.txt")).toBe(
    "dev1-0\n20000005\ntheirs\n",
  );
  const outputs = JSON.parse(await readFile(join(book.project.folder, "outputs.json"), "utf8"));
  // The laptop's came from `pulumi stack output`, which ends what it prints with a line's end of its own.
  expect(`${outputs.knownHosts}\n`).toBe(knownHosts);
  // Strict checking is on, and would have told another host.
  const stranger = await Laptop.create("stranger");
  await stranger.configure(config, "");
  const [program = "", ...args] = cluster.enter;
  const ssh = [...args, "ssh", "-F", stranger.configFile, "dev1.gateway", "true"];
  const { stderr } = await run(program, ssh, { env: stranger.env });
  expect(stderr).toContain("Host key verification failed");
  await stranger.remove();
});

it("the old team is ended last, and the new one does not notice", async () => {
  await book.follow("delete namespace team-a");
  expect(await book.type("kubectl --context old get namespaces -o name")).not.toContain("team-a");
  expect(await loginOverThere("cat /models/own.txt")).toBe("theirs\n");
});
