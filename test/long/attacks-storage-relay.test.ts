/** Where a neighbour's Services may lead the storage proxy: to accessors alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { type IsolatedStorages, isolatedStorages } from "./isolated-storages.fixture.ts";

const relay = "relay-wr";
const owner = ["--as=owner", "--as-group=system:authenticated"];
let storages: IsolatedStorages;

beforeAll(async () => {
  storages = await isolatedStorages("wr");
  await storages.serve([{ path: "any", status: 200, headers: {}, body: "by hand" }]);
  await startProbe(relay);
  const right = ["create", "rolebinding", "owner", "--clusterrole=cluster-admin", "--user=owner"];
  await kubectl(["-n", relay, ...right]);
});

afterAll(async () => {
  await stopProbe(relay);
  await storages.remove();
});

describe("the proxy as a relay, by somebody with all rights in his own namespace", () => {
  /** A Service with a storage's name, which leads to someone else. */
  async function lead(name: string, to: { address: string; port: number } | string): Promise<void> {
    const metadata = { name: `${name}-files`, namespace: relay };
    const port = { name: "http", port: 5000, appProtocol: "http" };
    const objects =
      typeof to === "string"
        ? [{ apiVersion: "v1", kind: "Service", metadata, spec: { type: "ExternalName", externalName: to } }]
        : [
            {
              apiVersion: "v1",
              kind: "Service",
              metadata,
              spec: { ports: [{ ...port, targetPort: to.port }] },
            },
            {
              apiVersion: "discovery.k8s.io/v1",
              kind: "EndpointSlice",
              metadata: { ...metadata, labels: { "kubernetes.io/service-name": `${name}-files` } },
              addressType: "IPv4",
              ports: [{ name: "http", port: to.port }],
              endpoints: [{ addresses: [to.address], conditions: { ready: true } }],
            },
          ];
    const items = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
    await kubectl([...owner, "apply", "-f", "-"], items);
  }

  const podAddress = async (namespace: string, selector: string) =>
    (await getObject<{ items: { status: { podIP: string } }[] }>(["-n", namespace, "pod", "-l", selector]))
      .items[0]?.status.podIP ?? expect.fail(`no pod ${selector}`);

  it("answers nothing of what is no accessor's port, and reaches one through the same kind of slice", async () => {
    const node = (await getObject<{ items: { status: { addresses: { address: string }[] } }[] }>(["nodes"]))
      .items[0]?.status.addresses[0]?.address;
    const api = (
      await getObject<{ subsets: { addresses: { ip: string }[]; ports: { port: number }[] }[] }>([
        "endpoints",
        "kubernetes",
      ])
    ).subsets[0];
    const probe = (await getObject<{ status: { podIP: string } }>(["-n", relay, "pod", "probe"])).status
      .podIP;
    const accessor = await podAddress(storages.other, `app.kubernetes.io/instance=${storages.bait}`);
    await lead("api", { address: api?.addresses[0]?.ip ?? "", port: api?.ports[0]?.port ?? 0 });
    await lead("kubelet", { address: node ?? "", port: 10250 });
    await lead("pod", { address: probe, port: 8080 });
    await lead("name", "kubernetes.default.svc.cluster.local");
    await lead("outside", "example.com");
    await lead("accessor", { address: accessor, port: 5000 });
    const ask = async (name: string) => {
      const answer = await storages.ask(["-m", "20", `${storages.origin}/storage/${relay}/${name}/x`]);
      return [answer.status, answer.body.slice(0, 4)];
    };
    const answers: Record<string, unknown> = {};
    for (const name of ["api", "kubelet", "pod", "name", "outside"]) answers[name] = await ask(name);
    expect(answers).toEqual({
      api: [503, "503:"],
      kubelet: [503, "503:"],
      pod: [503, "503:"],
      name: [503, "503:"],
      outside: [404, "404:"],
    });
    // dufs itself: this path is not below its storage's.
    expect(await storages.ask([`${storages.origin}/storage/${relay}/accessor/x`])).toEqual({
      status: 400,
      body: "Invalid Path",
    });
  });

  it("has no way out but to accessors and DNS", async () => {
    const { spec } = await getObject<{
      spec: { egress: { ports: { port: number }[] }[]; policyTypes: string[] };
    }>(["-n", storages.proxy, "networkpolicy", storages.proxy]);
    expect(spec.policyTypes).toEqual(["Egress"]);
    const ports = spec.egress.map((rule) => rule.ports.map(({ port }) => port));
    expect(ports).toEqual([[5000], [53, 53]]);
  });

  it("lets an inmate reach neither a file server nor one with a proxy's labels", async () => {
    const labels = `app.kubernetes.io/component=storage-proxy,app.kubernetes.io/instance=${storages.proxy}`;
    await kubectl(["-n", relay, "label", "pod", "probe", ...labels.split(","), "--overwrite"]);
    const path = new URL(storages.url("__dufs__/health")).pathname;
    const target = `http://${storages.vault}-files.${storages.team}.svc.cluster.local:5000${path}`;
    const outcome = await run("kubectl", [
      "-n",
      relay,
      "exec",
      "probe",
      "--",
      "wget",
      "-q",
      "-T",
      "3",
      "-O",
      "-",
      target,
    ]);
    expect(outcome.stdout).toBe("");
    expect((await storages.ask([storages.url("__dufs__/health")])).body).toBe('{"status":"OK"}');
  });

  it("would answer for them without that policy", async () => {
    await kubectl(["-n", storages.proxy, "delete", "networkpolicy", storages.proxy]);
    const reached = async () => {
      const { status } = await storages.ask([`${storages.origin}/storage/${relay}/pod/x`]);
      return status !== 503 && status;
    };
    expect(await eventually("the probe's web server", reached)).toBe(404);
    expect((await storages.ask([`${storages.origin}/storage/${relay}/api/x`])).body).toBe(
      "Client sent an HTTP request to an HTTPS server.\n",
    );
  });
});
