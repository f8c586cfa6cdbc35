/** A proxy, a team whose storage is attacked, and a neighbour who attacks, with the deployer's role in a namespace of his own. */

import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, eventually, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { handToNeighbour } from "../../scripts/lib/stacks/deployer.ts";
import { TestCa, tlsSecret } from "../support/lab/certificates.ts";
import { endStack, testNamespace } from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { curl } from "../support/lab/web.ts";
import {
  login,
  prepareWith,
  reader,
  testAccess,
  testProxy,
  testStorage,
  writer,
} from "../support/stacks/storage.ts";
import { type HandMadeAnswer, HandMadeStorage } from "./hand-made-storage.fixture.ts";

export async function isolatedStorages(suffix: string) {
  const laptop = await Laptop.create();
  const team = `team-${suffix}`;
  const other = `other-${suffix}`;
  const host = "files.example.com";
  const origin = `https://${host}`;
  const proxy = `files-${suffix}`;
  const vault = "vault";
  const bait = "bait";
  const made = new HandMadeStorage(other, "made");

  const stack = await testStack(async () => {
    const [teamNamespace, otherNamespace] = [testNamespace(team), testNamespace(other)];
    const actions = ["upload", "delete", "search", "archive"] as const;
    const tls = { secretName: "certificate" };
    const of = testProxy(proxy, { dnsName: host, createNamespace: false, tls });
    const browse = testAccess(of, { actions: [...actions], credentials: [reader, writer] });
    const prepare = prepareWith("echo the secret > secret.txt; echo the victim > victim.txt");
    testStorage(vault, { namespace: team, prepare, browse }, [teamNamespace]);
    testStorage(bait, { namespace: other, browse }, [otherNamespace]);
    return {};
  });

  await kubectl(["create", "namespace", proxy]);
  const ca = await TestCa.create("files", laptop.folder);
  const issued = await ca.issue("files", { subject: `/CN=${host}`, names: `DNS=${host}` });
  await apply(tlsSecret(proxy, "certificate", issued));
  await stack.stack.up();
  await handToNeighbour(other);
  const address = await loadBalancerAddress(proxy, proxy);
  const resolve = ["--resolve", `${host}:443:${address}`];
  const ask = (args: readonly string[]) => curl(["-k", ...resolve, ...args]);
  const url = (path = "") => `${origin}/storage/${team}/${vault}/${path}`;
  const baitUrl = (path = "") => `${origin}/storage/${other}/${bait}/${path}`;
  await eventually(
    "the storage",
    async () => (await ask([...login(reader), url("secret.txt")])).status === 200,
  );
  await eventually("the bait", async () => (await ask([...login(reader), baitUrl()])).status === 200);

  return {
    laptop,
    team,
    other,
    host,
    origin,
    /** Name and namespace of the proxy. */
    proxy,
    /** Name of the team's storage. */
    vault,
    /** Name of the neighbour's proper storage. */
    bait,
    /** The neighbour's own server. */
    made,
    address,
    ask,
    url,
    baitUrl,
    /** Puts a file into the neighbour's proper storage. */
    async plant(name: string, body: string): Promise<string> {
      const answer = await ask([...login(writer), "-X", "PUT", "--data-binary", body, baitUrl(name)]);
      if (answer.status !== 201) throw new Error(`planting ${name}: ${answer.status} ${answer.body}`);
      return baitUrl(name);
    },
    /** Starts the neighbour's own server. */
    async serve(answers: readonly HandMadeAnswer[]): Promise<void> {
      await made.start(answers);
      const there = async () => (await ask([`${origin}${made.path}there`])).status === answers.at(-1)?.status;
      await eventually("the hand-made server", there);
    },
    /** Names and contents of the team's storage, as the team sees it. */
    async contents(): Promise<Record<string, string>> {
      const names = (await ask([...login(reader), url("?simple")])).body
        .split("\n")
        .filter((name) => name !== "");
      const read = async (name: string) => (await ask([...login(reader), url(name)])).body;
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await read(name)] as const)),
      );
    },
    remove: () => endStack(stack, [team, other, proxy], laptop),
  };
}

export type IsolatedStorages = Awaited<ReturnType<typeof isolatedStorages>>;
