/** The proxy with HTTPS and a host name of its own. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, eventually, getObject, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { TestCa, tlsSecret } from "../support/lab/certificates.ts";
import { endStack, testNamespace } from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { curl } from "../support/lab/web.ts";
import { login, prepareWith, reader, testAccess, testProxy, testStorage } from "../support/stacks/storage.ts";

const team = "team-tls";
const proxyNamespace = "files-tls";
const host = "files.example.com";

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let url: string;
let first: TestCa;
let resolve: string[];

async function program() {
  const namespace = testNamespace(team);
  const tls = { secretName: "certificate" };
  const proxy = testProxy(proxyNamespace, { createNamespace: false, dnsName: host, tls });
  const prepare = prepareWith("echo seeded > README.txt");
  const storage = testStorage("models", { namespace: team, prepare, browse: testAccess(proxy) }, [namespace]);
  return { url: storage.url };
}

/** Puts a certificate of another authority into the proxy's namespace, in the place of any before. */
async function issue(): Promise<TestCa> {
  const ca = await TestCa.create("files", laptop.folder);
  const issued = await ca.issue("files", { subject: `/CN=${host}`, names: `DNS=${host}` });
  await apply(tlsSecret(proxyNamespace, "certificate", issued));
  return ca;
}

const trusting = ({ certFile }: TestCa) => ["--cacert", certFile, ...resolve];

beforeAll(async () => {
  laptop = await Laptop.create();
  await kubectl(["create", "namespace", proxyNamespace]);
  first = await issue();
  stack = await testStack(program);
  url = (await stack.stack.up()).outputs.url?.value as string;
  resolve = ["--resolve", `${host}:443:${await loadBalancerAddress(proxyNamespace, proxyNamespace)}`];
});

afterAll(() => endStack(stack, [team, proxyNamespace], laptop));

describe("over HTTPS", () => {
  it("serves files at its host name, with its certificate", async () => {
    expect(url).toBe(`https://${host}/storage/${team}/models/`);
    const answer = await curl([...trusting(first), ...login(reader), `${url}README.txt`]);
    expect(answer).toEqual({ status: 200, body: "seeded\n" });
  });

  it("answers no other name", async () => {
    const answer = await curl([...trusting(first), ...login(reader), "-H", "Host: evil.example.com", url]);
    expect([answer.status, answer.body.slice(0, 26)]).toEqual([404, "404: there is no storage a"]);
  });

  it("takes up a renewed certificate without a restart", async () => {
    const second = await issue();
    await eventually(
      "the new certificate",
      async () => (await curl([...trusting(second), ...login(reader), url])).status === 200,
      90,
    );
    const pods = await getObject<{ items: { status: { containerStatuses: { restartCount: number }[] } }[] }>([
      "-n",
      proxyNamespace,
      "pods",
    ]);
    expect(pods.items.map(({ status }) => status.containerStatuses.map((one) => one.restartCount))).toEqual([
      [0],
    ]);
  });
});
