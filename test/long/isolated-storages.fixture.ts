/**
 * Two proxies, one for each mode, a team whose storage is attacked and a neighbour who attacks, with the
 * deployer's role in a namespace of his own.
 */

import { filesRoute } from "../../packages/manifests/src/istio/storage-route.ts";
import { testStack } from "../support/engine/engine.ts";
import { TestCa, tlsSecret } from "../support/lab/certificates.ts";
import { endStack, testNamespace } from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { apply, eventually, kubectl, Laptop } from "../support/lab/lab.ts";
import { curl } from "../support/lab/web.ts";
import { deploy, handToNeighbour } from "../support/stacks/deployer.ts";
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

/** One way to the storages. */
export interface Way {
  readonly mode: "standalone" | "istio";
  readonly host: string;
  readonly origin: string;
  /** Name and namespace of the proxy. */
  readonly proxy: string;
  /** Name of the team's storage behind it. */
  readonly vault: string;
  /** Name of the neighbour's proper storage behind it. */
  readonly bait: string;
  /** The neighbour's own server behind it. */
  readonly made: HandMadeStorage;
}

export async function isolatedStorages(suffix: string) {
  const laptop = await Laptop.create();
  const team = `team-${suffix}`;
  const other = `other-${suffix}`;
  const way = (mode: Way["mode"], scheme: string): Way => ({
    mode,
    host: `${mode}.example.com`,
    origin: `${scheme}://${mode}.example.com`,
    proxy: `files-${mode === "istio" ? "i" : "s"}-${suffix}`,
    vault: `vault-${mode}`,
    bait: `bait-${mode}`,
    made: new HandMadeStorage(other, `made-${mode}`),
  });
  const ways = [way("standalone", "https"), way("istio", "http")] as const;

  const stack = await testStack(async () => {
    const [teamNamespace, otherNamespace] = [testNamespace(team), testNamespace(other)];
    const actions = ["upload", "delete", "search", "archive"] as const;
    for (const { mode, host, proxy: name, vault, bait } of ways) {
      const proxy = testProxy(name, {
        mode,
        dnsName: host,
        createNamespace: false,
        ...(mode === "standalone" ? { tls: { secretName: "certificate" } } : {}),
      });
      const accessor = testAccess(proxy, { mode, actions: [...actions], credentials: [reader, writer] });
      const prepare = prepareWith("echo the secret > secret.txt; echo the victim > victim.txt");
      testStorage(vault, { namespace: team, prepare, browse: accessor }, [teamNamespace]);
      testStorage(bait, { namespace: other, browse: accessor }, [otherNamespace]);
    }
    return {};
  });

  for (const { proxy } of ways) await kubectl(["create", "namespace", proxy]);
  await certificate(laptop, ways[0]);
  await stack.stack.up();
  await handToNeighbour(other);
  const addresses = Object.fromEntries(
    await Promise.all(
      ways.map(async ({ host, proxy }) => [host, await loadBalancerAddress(proxy, proxy)] as const),
    ),
  );
  const resolve = ways.flatMap(({ host }) =>
    [80, 443].flatMap((port) => ["--resolve", `${host}:${port}:${addresses[host]}`]),
  );
  const ask = (args: readonly string[]) => curl(["-k", ...resolve, ...args]);
  const url = ({ origin, vault }: Way, path = "") => `${origin}/storage/${team}/${vault}/${path}`;
  const baitUrl = ({ origin, bait }: Way, path = "") => `${origin}/storage/${other}/${bait}/${path}`;
  for (const one of ways) {
    await eventually(
      "the storage",
      async () => (await ask([...login(reader), url(one, "secret.txt")])).status === 200,
    );
    await eventually("the bait", async () => (await ask([...login(reader), baitUrl(one)])).status === 200);
  }

  return {
    laptop,
    team,
    other,
    ways,
    addresses,
    resolve,
    ask,
    url,
    baitUrl,
    /** Puts a file into the neighbour's proper storage. */
    async plant(one: Way, name: string, body: string): Promise<string> {
      const answer = await ask([...login(writer), "-X", "PUT", "--data-binary", body, baitUrl(one, name)]);
      if (answer.status !== 201) throw new Error(`planting ${name}: ${answer.status} ${answer.body}`);
      return baitUrl(one, name);
    },
    /** The neighbour's own server behind a way, with a route of its own where the mode asks for one. */
    async serve(one: Way, answers: readonly HandMadeAnswer[]): Promise<HandMadeStorage> {
      await one.made.start(answers);
      if (one.mode === "istio") await deploy([routeTo(one)]);
      const there = async () =>
        (await ask([`${one.origin}${one.made.path}there`])).status === answers.at(-1)?.status;
      await eventually("the hand-made server", there);
      return one.made;
    },
    /** Names and contents of the team's storage, as the team sees it. */
    async contents(one: Way): Promise<Record<string, string>> {
      const names = (await ask([...login(reader), url(one, "?simple")])).body
        .split("\n")
        .filter((name) => name !== "");
      const read = async (name: string) => (await ask([...login(reader), url(one, name)])).body;
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await read(name)] as const)),
      );
    },
    remove: () => endStack(stack, [team, other, ...ways.map(({ proxy }) => proxy)], laptop),
  };
}

export type IsolatedStorages = Awaited<ReturnType<typeof isolatedStorages>>;

/** A route of the neighbour's to its own server, as its storages have. */
export function routeTo({ host, proxy, made }: Way): object {
  const { name, namespace, path } = made;
  const files = { name: `${name}-files`, namespace, labels: {}, path: path.replace(/\/$/, ""), target: 5000 };
  const route = filesRoute(files, { name: proxy, namespace: proxy, dnsName: host });
  return { ...route, metadata: { name, namespace } };
}

async function certificate(laptop: Laptop, { host, proxy }: Way): Promise<void> {
  const ca = await TestCa.create("files", laptop.folder);
  const issued = await ca.issue("files", { subject: `/CN=${host}`, names: `DNS=${host}` });
  await apply(tlsSecret(proxy, "certificate", issued));
}
