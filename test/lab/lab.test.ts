/** The lab itself: what the other lab tests take for granted. Runs inside a lab. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { tried } from "../../scripts/lib/trials/index.ts";
import { made } from "../../scripts/lib/trials/made.fixture.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { claim, gateway, namespace, pod, policy, service } from "../support/lab/lab-objects.ts";
import { fromOutside } from "../support/lab/outside.ts";

beforeAll(async () => {
  await kubectl(["create", "namespace", namespace]);
  await kubectl([
    "label",
    "namespace",
    namespace,
    "pod-security.kubernetes.io/enforce=restricted",
    "pod-security.kubernetes.io/enforce-version=latest",
  ]);
  await apply(
    claim("data", "1Gi"),
    pod("web", { role: "web" }, "echo hello > /data/index.html; exec httpd -f -p 8080 -h /data", "data"),
    service("web", { role: "web" }),
    pod("friend", { role: "friend" }, "exec sleep 1000000"),
    pod("stranger", { role: "stranger" }, "exec sleep 1000000"),
  );
  await kubectl(["wait", "-n", namespace, "--for=condition=Ready", "pod", "--all", "--timeout=120s"]);
});

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
});

test("pods run as they were described, under Pod Security restricted", async () => {
  // kubectl itself says now and then on its error output that it drops a message of its websocket.
  expect(await inPod("web", "id -u; id -g; grep CapEff /proc/self/status")).toMatchObject({
    code: 0,
    stdout: "1000\n1000\nCapEff:\t0000000000000000\n",
  });
  const privileged = JSON.stringify(pod("bad", {}, "true", undefined, { securityContext: {} }));
  const refusal = await run("kubectl", ["apply", "-f", "-"], { input: privileged });
  expect(refusal.code).toBe(1);
  expect(refusal.stderr).toContain('violates PodSecurity "restricted:latest"');
});

test("cluster DNS answers for Services, and says no to anything else", async () => {
  const { spec } = await getObject<{ spec: { clusterIP: string } }>(["-n", namespace, "service/web"]);
  const found = await inPod("friend", `nslookup web.${namespace}.svc.cluster.local`);
  expect(found.stdout).toContain(`Address: ${spec.clusterIP}\n`);
  const missing = await inPod("friend", "nslookup www.example.com.");
  expect([missing.code, missing.stdout.includes("NXDOMAIN")]).toEqual([1, true]);
});

describe("a Service of type LoadBalancer", () => {
  test("is reachable at its address from the node, from a pod and from a machine on the node's network", async () => {
    const address = await loadBalancerAddress(namespace, "web");
    expect(address).toMatch(/^10\.201\.1\.\d+$/);
    const url = `http://${address}:80/`;
    expect((await run("curl", ["-sS", "-m", "5", url])).stdout).toBe("hello\n");
    expect((await inPod("friend", `wget -qO- -T 5 ${url}`)).stdout).toBe("hello\n");
    expect(await fromOutside("192.0.2.2", ["curl", "-sS", "-m", "5", url])).toEqual({
      code: 0,
      stdout: "hello\n",
      stderr: "",
    });
    // MetalLB's speaker answers for it; for an address that no Service has, nobody does.
    expect(await fromOutside("192.0.2.2", ["curl", "-sS", "-m", "20", "http://10.201.1.254/"])).toMatchObject(
      {
        code: 7,
      },
    );
  });

  test("gets the address it asks for, and an event when that is another's", async () => {
    const taken = await loadBalancerAddress(namespace, "web");
    await apply(
      service("asks", { role: "web" }, { loadBalancerIP: "10.201.1.77" }),
      service("asks-late", { role: "web" }, { loadBalancerIP: taken }),
    );
    expect(await loadBalancerAddress(namespace, "asks")).toBe("10.201.1.77");
    const reason = await eventually("the event", async () => {
      const events = await getObject<{ items: { message: string }[] }>([
        ...["-n", namespace, "events", "--field-selector", "involvedObject.name=asks-late,type=Warning"],
      ]);
      return events.items[0]?.message;
    });
    expect(reason).toContain(`Failed to allocate IP for "${namespace}/asks-late"`);
    expect(reason).toContain(`address also in use by ${namespace}/web`);
  });
});

test("a claim is bound when a pod wants it, belongs to the pod's group, grows, and is removed with its data", async () => {
  await apply(claim("unused", "1Gi"));
  type Claim = { status: { phase: string; capacity?: { storage: string } }; spec: { volumeName: string } };
  const look = (name: string) => getObject<Claim>(["-n", namespace, `pvc/${name}`]);
  expect((await look("unused")).status.phase).toBe("Pending");
  expect((await look("data")).status).toMatchObject({ phase: "Bound", capacity: { storage: "1Gi" } });
  expect((await inPod("web", "stat -c '%u:%g' /data")).stdout).toBe("0:1000\n");

  const bigger = JSON.stringify({ spec: { resources: { requests: { storage: "2Gi" } } } });
  await kubectl(["patch", "pvc", "data", "-n", namespace, "-p", bigger]);
  await eventually("growth", async () => (await look("data")).status.capacity?.storage === "2Gi");

  const volume = (await look("data")).spec.volumeName;
  await kubectl(["delete", "-n", namespace, "pod/web", "pvc/data", "--grace-period=1"]);
  await eventually("removal", async () => (await run("kubectl", ["get", "pv", volume])).code === 1);
  await apply(claim("data", "1Gi"), pod("web", { role: "web" }, "exec httpd -f -p 8080 -h /data", "data"));
  await kubectl(["wait", "-n", namespace, "--for=condition=Ready", "pod/web", "--timeout=60s"]);
  expect((await inPod("web", "ls -A /data")).stdout).toBe("");
  await inPod("web", "echo hello > /data/index.html");
});

describe("a NetworkPolicy", () => {
  const reach = async (from: string) => {
    const { status } = await getObject<{ status: { podIP: string } }>(["-n", namespace, "pod/web"]);
    return await inPod(from, `wget -qO- -T 2 http://${status.podIP}:8080/`);
  };

  test("holds from a pod's first moment: what it forbids, a new pod never reaches", async () => {
    const { status } = await getObject<{ status: { podIP: string } }>(["-n", namespace, "pod/web"]);
    await apply(policy("new", "new", { policyTypes: ["Egress"], egress: [] }));
    // Every few milliseconds for two seconds, from the first on: later the address is known everywhere anyway.
    const knock = `(nc -w 1 ${status.podIP} 8080 < /dev/null 2> /dev/null && echo open) &`;
    const script = `for i in $(seq 100); do ${knock} sleep 0.02; done; wait; echo done; exec sleep 1000000`;
    const names = ["new-1", "new-2", "new-3", "new-4"];
    for (const name of names) {
      await apply(pod(name, { role: "new" }, script));
      const log = await eventually(`the end of ${name}'s knocking`, async () => {
        const text = await kubectl(["logs", "-n", namespace, name]);
        return text.includes("done") && text;
      });
      expect(log).toBe("done\n");
    }
    await kubectl(["delete", "networkpolicy/new", ...names.map((name) => `pod/${name}`), "-n", namespace]);
  });

  test("closes a pod's way out, but for DNS where it is let through", async () => {
    await apply(
      policy("out", "stranger", {
        policyTypes: ["Egress"],
        egress: [
          {
            to: [
              {
                namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
                podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
              },
            ],
            ports: [{ port: 53, protocol: "UDP" }],
          },
        ],
      }),
    );
    await eventually("the policy", async () => (await reach("stranger")).code !== 0);
    expect((await inPod("stranger", "nslookup kubernetes.default.svc.cluster.local")).code).toBe(0);
    expect((await inPod("stranger", "nc -w 2 10.201.0.1 6443 < /dev/null")).code).toBe(1);
    expect((await inPod("friend", "nc -w 2 10.201.0.1 6443 < /dev/null")).code).toBe(0);
    await kubectl(["delete", "networkpolicy", "out", "-n", namespace]);
  });
});

test("Istio injects a gateway, which takes its configuration from istiod", async () => {
  const edge = `${namespace}-edge`;
  await kubectl(["create", "namespace", edge]);
  try {
    await apply(...gateway(edge));
    await kubectl(["rollout", "status", "-n", edge, "deployment/gateway", "--timeout=120s"]);
    const address = await loadBalancerAddress(edge, "gateway");
    const get = (host: string) =>
      run("curl", [
        "-sS",
        "-m",
        "5",
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        "-H",
        `Host: ${host}`,
        `http://${address}/`,
      ]);
    await eventually("the route", async () => (await get("web.example.com")).stdout === "200", 30);
    expect((await get("other.example.com")).stdout).toBe("404");
  } finally {
    await kubectl(["delete", "namespace", edge, "--wait=false"]);
  }
});

describe("Istio's own validation", () => {
  const routeTo = (name: string, http: object, labels: object = {}) => ({
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name, namespace, labels },
    spec: { hosts: [`${name}.example.com`], http: [http] },
  });
  const attempt = (object: object) => run("kubectl", ["apply", "-f", "-"], { input: JSON.stringify(object) });

  test("refuses every object that it cannot be asked about", async () => {
    interface Configurations {
      items: { metadata: { name: string }; webhooks: { name: string; failurePolicy: string }[] }[];
    }
    const { items } = await getObject<Configurations>([
      "validatingwebhookconfigurations",
      "-l",
      "app=istiod",
    ]);
    const found = items.flatMap(({ metadata, webhooks }) =>
      webhooks.map(({ name, failurePolicy }) => `${metadata.name} ${name} ${failurePolicy}`),
    );
    expect(found.sort()).toEqual([
      "istio-validator-istio-system rev.validation.istio.io Fail",
      "istiod-default-validator validation.istio.io Fail",
    ]);
  });

  // Whole and of the right types, so that no schema refuses them first.
  test.each([
    ["leads nowhere", {}, "HTTP route, redirect or direct_response is required"],
    [
      "both leads on and answers itself",
      { route: [{ destination: { host: "web" } }], directResponse: { status: 200 } },
      "HTTP route cannot contain both route and direct_response",
    ],
  ])("refuses a route that %s, in istiod's words", async (_, http, words) => {
    const refusal = await attempt(routeTo("bad", http));
    expect(refusal.code).toBe(1);
    expect(refusal.stderr).toContain(
      `admission webhook "validation.istio.io" denied the request: configuration is invalid: ${words}`,
    );
    const again = await attempt(routeTo("bad", http, { "istio.io/rev": "default" }));
    expect(again.stderr).toMatch(/admission webhook "(rev\.)?validation\.istio\.io" denied the request/);
    const missing = await run("kubectl", ["get", "virtualservice", "bad", "-n", namespace]);
    expect([missing.code, missing.stderr.includes("NotFound")]).toEqual([1, true]);
  });

  test("takes a route that makes sense", async () => {
    const taken = await attempt(routeTo("good", { route: [{ destination: { host: "web" } }] }));
    expect([taken.code, taken.stdout]).toEqual([0, "virtualservice.networking.istio.io/good created\n"]);
  });
});

function apply(...objects: readonly object[]): Promise<string> {
  return kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
}

function inPod(name: string, script: string) {
  return run("kubectl", ["exec", "-n", namespace, name, "--", "sh", "-c", script]);
}

describe("the kinds of objects that drawbridge makes", () => {
  const manifests = [...tried].flatMap(([title, { base, full }]) =>
    [base("it"), { ...base("it"), ...full }].flatMap((args) =>
      Object.values(made(title, args).objects).flatMap((object) => (object ? [object.manifest] : [])),
    ),
  );
  // cert-manager is not here.
  const known = manifests.filter(({ apiVersion }) => !apiVersion.startsWith("cert-manager.io/"));
  const strictly = async (...objects: object[]) =>
    run("kubectl", ["apply", "--dry-run=server", "--validate=strict", "-o", "name", "-f", "-"], {
      input: JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }),
    });
  const here = <T extends { metadata: { namespace?: unknown } }>(object: T): T =>
    object.metadata.namespace === undefined
      ? object
      : { ...object, metadata: { ...object.metadata, namespace } };

  test("have no field that the cluster does not know", async () => {
    const { stdout, stderr } = await strictly(...known.map(here));
    expect(stderr.split("\n").filter((line) => /unknown field|invalid/i.test(line))).toEqual([]);
    expect(
      new Set(
        stdout
          .trim()
          .split("\n")
          .map((line) => line.split("/")[0]),
      ),
    ).toEqual(new Set(known.map(({ apiVersion, kind }) => resourceName(apiVersion, kind))));
  });

  test.each(["Gateway", "VirtualService", "EnvoyFilter", "AuthorizationPolicy"])(
    "%s: a misspelt field is refused",
    async (kind) => {
      const object = here(known.find((one) => one.kind === kind) ?? expect.fail(kind));
      const { spec } = object as unknown as { spec: object };
      const { code, stderr } = await strictly({ ...object, spec: { ...spec, selectr: {} } });
      expect([code, stderr]).toEqual([1, expect.stringContaining('unknown field "selectr"')]);
    },
  );
});

/** As kubectl prints it. */
function resourceName(apiVersion: string, kind: string): string {
  const [group] = apiVersion.split("/");
  return apiVersion.includes("/") ? `${kind.toLowerCase()}.${group}` : kind.toLowerCase();
}
