/** A gateway that someone runs for the web, to which SSH is attached: its web site must not notice. */
import { get } from "node:http";
import { SshGateway } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, eventually, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { knockWith, opened } from "../support/clients/tunnel-client.ts";
import { byGateway, testContainer, testDomain, testNamespace } from "../support/lab/cluster.ts";
import { ingressWorkload, loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { startProbe, stopProbe } from "../support/lab/probe-pod.ts";

const edge = "web-edge";
const site = "web-site";
const team = "team-existing";
const webHost = "web.example.com";
const selector = { istio: "web-edge" };

/** The web gateway and its site, which know nothing of SSH. */
const web = [
  ...ingressWorkload({
    name: "edge",
    namespace: edge,
    selector,
    port: { name: "http", port: 80, targetPort: 8080 },
  }),
  {
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name: "edge", namespace: edge },
    spec: {
      selector,
      servers: [{ port: { number: 80, name: "http", protocol: "HTTP" }, hosts: [`*/${webHost}`] }],
    },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "site", namespace: site },
    spec: { selector: { app: "site" }, ports: [{ name: "http", port: 8080 }] },
  },
  {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: "site", namespace: site },
    spec: {
      hosts: [webHost],
      gateways: [`${edge}/edge`],
      http: [
        { route: [{ destination: { host: `site.${site}.svc.cluster.local`, port: { number: 8080 } } }] },
      ],
    },
  },
];

let laptop: Laptop;
let address: string;
let stack: Awaited<ReturnType<typeof testStack>>;

function program() {
  const namespace = testNamespace(team);
  const gateway = new SshGateway("attached", {
    domain: testDomain,
    existing: { namespace: edge, selector, address },
  });
  testContainer("dev", { namespace: team, authorizedKeys: [laptop.publicKey], access: byGateway(gateway) }, [
    namespace,
  ]);
}

/** The status that the web site answers with. */
function webStatus(): Promise<number | string> {
  return new Promise((resolve) => {
    const request = get(
      { host: address, port: 80, path: "/etc/hostname", headers: { host: webHost } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    request.setTimeout(5000, () => request.destroy(new Error("time-out")));
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

beforeAll(async () => {
  laptop = await Laptop.create();
  await startProbe(site);
  await kubectl(["-n", site, "label", "pod/probe", "app=site"]);
  await kubectl(["create", "namespace", edge]);
  await apply(...web);
  await kubectl(["rollout", "status", "-n", edge, "deployment/edge", "--timeout=120s"]);
  address = await loadBalancerAddress(edge, "edge");
  await eventually("the web site", async () => (await webStatus()) === 200);
  stack = await testStack(async () => program());
});

afterAll(async () => {
  await kubectl(["delete", "namespace", edge, team, "--ignore-not-found", "--wait=false"]);
  await stopProbe(site);
  await Promise.all([stack.removeState(), laptop.remove()]);
});

it("answers 200 on the web before, while and after SSH comes and goes on the same port", async () => {
  const answers: (number | string)[] = [];
  let watching = true;
  const watch = (async () => {
    while (watching) {
      answers.push(await webStatus());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const host = `dev.${team}.${testDomain}:22`;
  const door = () => ({ address, port: 80 });
  expect(await knockWith(door(), host)).toBe("HTTP/1.1 404 Not Found");
  const { summary } = await stack.stack.up();
  expect(summary.result).toBe("succeeded");
  await eventually("the tunnel", async () => (await knockWith(door(), host)) === opened);
  // What carries the web is no way around: CONNECT leads to containers only.
  expect(await knockWith(door(), `${webHost}:80`)).toBe("HTTP/1.1 404 Not Found");
  await stack.stack.destroy();
  await eventually("its end", async () => (await knockWith(door(), host)) === "HTTP/1.1 404 Not Found");
  watching = false;
  await watch;
  console.log(`${answers.length} requests to the web site meanwhile`);
  expect([...new Set(answers)]).toEqual([200]);
  expect(answers.length).toBeGreaterThan(50);
});
