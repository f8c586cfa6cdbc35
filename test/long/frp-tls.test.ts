/** TLS in front of frp's CONNECT port, ended by a gateway that also serves a web site on the same port. */
import { get } from "node:https";
import type { FrpServerArgs } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { apply, eventually, getObject, kubectl, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { type Door, knockWith, opened } from "../support/clients/tunnel-client.ts";
import { type Certificate, TestCa, tlsSecret } from "../support/lab/certificates.ts";
import { ingressWorkload, loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { withHosts } from "../support/lab/outside.ts";
import { startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { FrpStack, frpSuffix } from "../support/stacks/frp-stack.ts";

const edge = "frp-edge";
const team = "team-ft";
const server = "frp-ft";
const host = "frp.example.com";
const site = "web.example.com";
const selector = { istio: "frp-edge" };
const authority = `dev.${team}.${frpSuffix}:22`;
const connectTls: NonNullable<FrpServerArgs["connectTls"]> = {
  dnsName: host,
  secretName: "frp",
  gateway: { namespace: edge, selector },
};

let cli: InstalledCli;
let ca: TestCa;
let address: string;
let stack: FrpStack;

/** The web gateway as someone runs it, which knows nothing of frp. As with Istio's own chart it may read Secrets. */
const web = [
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "edge", namespace: edge },
    rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "watch", "list"] }],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "edge", namespace: edge },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "edge" },
    subjects: [{ kind: "ServiceAccount", name: "default", namespace: edge }],
  },
  ...ingressWorkload({
    name: "edge",
    namespace: edge,
    selector,
    port: { name: "https", port: 443, targetPort: 8443 },
  }),
  {
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name: "edge", namespace: edge },
    spec: {
      selector,
      servers: [
        {
          port: { number: 443, name: "https", protocol: "HTTPS" },
          hosts: [site],
          tls: { mode: "SIMPLE", credentialName: "web" },
        },
      ],
    },
  },
  {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: "site", namespace: edge },
    spec: { hosts: [site], gateways: ["edge"], http: [{ directResponse: { status: 200 } }] },
  },
];

const door = (port = 443): Door => ({ address, port, tls: { serverName: host, ca: ca.cert } });

/** What the web site answers. */
function webStatus(): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { host: address, port: 443, servername: site, ca: ca.cert, headers: { host: site } };
    const request = get({ ...options, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.setTimeout(5000, () => request.destroy(new Error("time-out")));
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** Runs a command on a laptop for which the gateway's name has the gateway's address. */
const onLaptop = (words: readonly string[]): Promise<Outcome> =>
  withHosts(address, [host], words, { ...cli.env, ...stack.laptop.env, HOME: cli.home });

beforeAll(async () => {
  [cli, ca] = await Promise.all([installCli(), TestCa.create("corp")]);
  const certificates = await Promise.all(
    [host, site].map((name, index) => ca.issue(String(index), { subject: "/CN=edge", names: `DNS=${name}` })),
  );
  const secrets = ["frp", "web"].map((name, index) =>
    tlsSecret(edge, name, certificates[index] as Certificate),
  );
  await kubectl(["create", "namespace", edge]);
  await apply(...web, ...secrets);
  await kubectl(["rollout", "status", "-n", edge, "deployment/edge", "--timeout=120s"]);
  address = await loadBalancerAddress(edge, "edge");
  await eventually("the web site", async () => (await webStatus()) === 200);
  stack = await FrpStack.create(team, server);
  await stack.up({ containers: { dev: {} }, server: { connectTls } });
  await eventually("the tunnel", async () => (await knockWith(door(), authority)) === opened);
  await startProbe("frp-tls-stranger");
});

afterAll(async () => {
  await stack.close();
  await kubectl(["delete", "namespace", edge, "--wait=false"]);
  await stopProbe("frp-tls-stranger");
  await Promise.all([ca.remove(), cli.remove()]);
});

it("lets in the published command, with proxytunnel", async () => {
  const command = stack.outputs.dev?.frpCommand ?? "";
  expect(command).toBe(
    `ssh -o StrictHostKeyChecking=yes -o ProxyCommand='proxytunnel -q -p ${host}:443 -E -d %h:%p' jovyan@dev.${team}.${frpSuffix}`,
  );
  const own = command
    .replace("ssh ", `ssh -F ${stack.laptop.plainConfigFile} `)
    .replace(" -E ", ` -E -C ${ca.certFile} `);
  expect(await onLaptop(["sh", "-c", `${own} hostname`])).toMatchObject({ code: 0, stdout: "dev-0\n" });
});

it("lets in drawbridge, whose list and doctor know of the TLS", async () => {
  const target = stack.outputs.dev?.sshTarget ?? "";
  const options = ["--from", "-", "--identity", stack.laptop.keyFile, "--ca", ca.certFile];
  const written = await cli.run(["ssh-config", ...options], { input: JSON.stringify({ target }) });
  expect(written).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ssh dev\nwrote /) });
  const config = `${cli.home}/.ssh/config`;
  expect(await onLaptop(["ssh", "-F", config, "dev.frp", "hostname"])).toMatchObject({
    code: 0,
    stdout: "dev-0\n",
  });
  const [, listed] = (await onLaptop(["drawbridge", "list"])).stdout.split("\n");
  expect(listed).toMatch(/ frp answers, sshpod needs a kubeconfig$/);
  const { stdout } = await onLaptop(["drawbridge", "doctor", "dev", "--way", "frp"]);
  expect(stdout.split("\n").slice(0, 5)).toEqual([
    `dev by frp (https://${host}:443/dev.${team}.${frpSuffix})`,
    `  ok   DNS: ${host} is ${address}`,
    "  ok   TCP: port 443 is open",
    `  ok   TLS: the certificate is valid for ${host}`,
    `  ok   CONNECT: the tunnel to dev.${team}.${frpSuffix}:22 is open`,
  ]);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("all is well");
});

it("answers 404 to a name that nobody registered, and nothing in clear text", async () => {
  expect(await knockWith(door(), `nobody.${team}.${frpSuffix}:22`)).toBe("HTTP/1.1 404 Not Found");
  expect(await knockWith({ address, port: 443 }, authority)).not.toContain("200");
});

it("leaves no other way to the CONNECT port", async () => {
  type List = { items: { metadata: { name: string }; spec: { type: string; clusterIP: string } }[] };
  const { items } = await getObject<List>(["-n", server, "services"]);
  expect(items.map(({ metadata, spec }) => [metadata.name, spec.type])).toEqual([[server, "ClusterIP"]]);
  const pods = await getObject<{ items: { status: { podIP: string } }[] }>([
    ...["-n", server, "pods", "-l", "app.kubernetes.io/component=frp-server"],
  ]);
  const command = `nc -w 3 ${pods.items[0]?.status.podIP} 1337 </dev/null`;
  const stranger = ["-n", "frp-tls-stranger", "exec", "probe", "--", "sh", "-c", command];
  expect((await run("kubectl", stranger)).code).not.toBe(0);
});

it("leaves the web site on the same port alone, coming and going", async () => {
  expect(await webStatus()).toBe(200);
  const answers: (number | string)[] = [];
  let watching = true;
  const watch = (async () => {
    while (watching) {
      answers.push(await webStatus());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await stack.up({ containers: { dev: {} } });
  await eventually("TLS's end", async () => !(await knockWith(door(), authority)).includes("200"));
  await stack.up({ containers: { dev: {} }, server: { connectTls } });
  await eventually("the tunnel", async () => (await knockWith(door(), authority)) === opened);
  watching = false;
  await watch;
  expect([...new Set(answers)]).toEqual([200]);
});
