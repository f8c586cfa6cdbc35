/** agent-sandbox's own controller: what it makes of a Sandbox, which sshd for its pods has to build on. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type AgentSandbox, startAgentSandbox } from "../support/lab/agent-sandbox.ts";
import { eventually, getObject, kubectl } from "../support/lab/lab.ts";

interface Meta {
  name: string;
  uid: string;
  generation: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: object[];
}
interface Pod {
  metadata: Meta;
  spec: { nodeName: string; volumes: { name: string }[]; containers: { image: string }[] };
  status: { podIP: string; phase: string };
}
interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  observedGeneration: number;
}
interface Sandbox {
  metadata: Meta;
  status?: { conditions?: Condition[] };
}

const namespace = "team-sandboxes";
const name = "dev1";
/** FNV-1a of the name: by this label the Service finds the pod, and the controller hears of both. */
const hash = { "agents.x-k8s.io/sandbox-name-hash": "690992f7" };
const own = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  readOnlyRootFilesystem: true,
};
const mount = (name: string, mountPath: string) => ({ name, mountPath });

const container = (name: string, script: string, further: object = {}) => ({
  name,
  image: imageRef("busybox"),
  imagePullPolicy: "Never",
  command: ["sh", "-c", script],
  securityContext: own,
  ...further,
});

/** Every field that a sshd may bring into a template. */
const spec = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  terminationGracePeriodSeconds: 1,
  shareProcessNamespace: true,
  hostUsers: false,
  hostname: "workshop",
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    fsGroup: 1000,
    fsGroupChangePolicy: "OnRootMismatch",
    seccompProfile: { type: "RuntimeDefault" },
  },
  initContainers: [
    container("first", "echo put > /opt/sshd/program", { volumeMounts: [mount("sshd", "/opt/sshd")] }),
    container("beside", "exec sleep 1000000", { restartPolicy: "Always" }),
  ],
  containers: [
    container("main", "exec sleep 1000000", {
      env: [{ name: "GREETING", value: "hello" }],
      ports: [{ name: "ssh", containerPort: 2222 }],
      lifecycle: {
        postStart: { exec: { command: ["sh", "-c", "cat /opt/sshd/program > /home/dev/started"] } },
      },
      readinessProbe: { exec: { command: ["test", "-e", "/home/dev/started"] }, periodSeconds: 1 },
      volumeMounts: [mount("sshd", "/opt/sshd"), mount("keys", "/etc/keys"), mount("home", "/home/dev")],
    }),
  ],
  volumes: [
    { name: "sshd", emptyDir: { sizeLimit: "16Mi" } },
    { name: "keys", projected: { defaultMode: 288, sources: [{ secret: { name: "keys" } }] } },
  ],
};
const metadata = {
  labels: { team: "sandboxes", role: "agent" },
  annotations: { "example.com/digest": "first" },
};
const home = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

const sandbox = (name: string, podTemplate: object, further: object = {}) => ({
  apiVersion: "agents.x-k8s.io/v1alpha1",
  kind: "Sandbox",
  metadata: { name, namespace },
  spec: { podTemplate, ...further },
});
const withHome = { volumeClaimTemplates: [{ metadata: { name: "home" }, spec: home }] };

const apply = (object: object) => kubectl(["apply", "--server-side", "-f", "-"], JSON.stringify(object));
const get = <T>(what: string) => getObject<T>(["-n", namespace, what]);
const patch = (what: string, change: object) =>
  kubectl(["-n", namespace, "patch", what, "--type=merge", "-p", JSON.stringify(change)]);
const inPod = (script: string) =>
  kubectl(["-n", namespace, "exec", name, "-c", "main", "--", "sh", "-c", script]);
const remains = async () =>
  (await kubectl(["-n", namespace, "get", "pods,services,pvc", "-o", "name"])).split("\n").filter(Boolean);

/** The Sandbox's one condition, once the controller has seen the newest generation and says this. */
async function says(sandbox: string, message: string | RegExp): Promise<Condition> {
  return await eventually(`${sandbox}: ${message}`, async () => {
    const { metadata, status } = await get<Sandbox>(`sandbox/${sandbox}`);
    const [ready] = status?.conditions ?? [];
    if (ready?.observedGeneration === metadata.generation && ready.message.match(message) !== null)
      return ready;
    throw new Error(JSON.stringify(status));
  });
}

const ready = () => says(name, "Pod is Ready; Service Exists");

let agentSandbox: AgentSandbox;
let first: Pod;

beforeAll(async () => {
  agentSandbox = await startAgentSandbox();
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
  await apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "keys", namespace },
    stringData: { alice: "ssh-ed25519 AAAA" },
  });
  await apply(sandbox(name, { metadata, spec }, withHome));
  await ready();
  first = await get<Pod>(`pod/${name}`);
});

afterAll(async () => {
  await agentSandbox.stop();
  await kubectl(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"]);
});

describe("a Sandbox", () => {
  it("has one pod of its name, with the template's labels and annotations and one label more", async () => {
    const { uid } = (await get<Sandbox>(`sandbox/${name}`)).metadata;
    const owner = { apiVersion: "agents.x-k8s.io/v1alpha1", kind: "Sandbox", name, uid };
    expect(first.metadata).toMatchObject({ name, namespace, annotations: metadata.annotations });
    expect(first.metadata.labels).toEqual({ ...metadata.labels, ...hash });
    expect(first.metadata.ownerReferences).toEqual([
      { ...owner, controller: true, blockOwnerDeletion: true },
    ]);
    expect(await remains()).toEqual([`pod/${name}`, `service/${name}`, `persistentvolumeclaim/home-${name}`]);
  });

  it("has the template's whole spec in it, and the volume of a claim of its own", async () => {
    const volumes = [...spec.volumes, { name: "home", persistentVolumeClaim: { claimName: `home-${name}` } }];
    const twin = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "twin", namespace },
      spec: { ...spec, volumes },
    };
    const asked = ["create", "--dry-run=server", "-o", "json", "-f", "-"];
    const { nodeName, ...made } = first.spec;
    expect(nodeName).toMatch(/./);
    expect(made).toEqual((JSON.parse(await kubectl(asked, JSON.stringify(twin))) as Pod).spec);
    expect(await inPod("cat /home/dev/started; id -u; ls /etc/keys; hostname; echo $GREETING")).toBe(
      "put\n1000\nalice\nworkshop\nhello\n",
    );
  });

  it("has a headless Service without ports, by whose name the pod is found", async () => {
    const { metadata, spec } = await get<{ metadata: Meta; spec: object }>(`service/${name}`);
    expect(metadata.labels).toEqual(hash);
    expect(spec).toEqual({
      clusterIP: "None",
      clusterIPs: ["None"],
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      selector: hash,
      sessionAffinity: "None",
      type: "ClusterIP",
    });
    expect(await inPod(`nslookup ${name}.${namespace}.svc.cluster.local`)).toContain(
      `Address: ${first.status.podIP}\n`,
    );
    const { status } = await get<{ status: object }>(`sandbox/${name}`);
    expect(status).toEqual({
      replicas: 1,
      selector: `agents.x-k8s.io/sandbox-name-hash=${hash["agents.x-k8s.io/sandbox-name-hash"]}`,
      service: name,
      serviceFQDN: `${name}.${namespace}.svc.cluster.local`,
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "DependenciesReady",
          message: "Pod is Ready; Service Exists",
          observedGeneration: 1,
          lastTransitionTime: expect.any(String),
        },
      ],
    });
  });
});

describe("a changed template", () => {
  const changed = {
    metadata: { labels: { team: "sandboxes" }, annotations: { "example.com/digest": "second" } },
    spec: { ...spec, containers: [{ ...spec.containers[0], env: [{ name: "GREETING", value: "again" }] }] },
  };

  it("leaves the pod as it is", async () => {
    await apply(sandbox(name, changed, withHome));
    expect(await ready()).toMatchObject({ status: "True", observedGeneration: 2 });
    const now = await get<Pod>(`pod/${name}`);
    expect([now.metadata.uid, now.metadata.labels, now.metadata.annotations, now.spec]).toEqual([
      first.metadata.uid,
      first.metadata.labels,
      first.metadata.annotations,
      first.spec,
    ]);
  });

  it("is the next pod's, which comes by itself, with the same Service and home", async () => {
    const service = await get<{ metadata: Meta }>(`service/${name}`);
    await inPod("echo kept > /home/dev/file");
    await kubectl(["-n", namespace, "delete", "pod", name]);
    const next = await eventually("another pod", async () => {
      const pod = await get<Pod>(`pod/${name}`);
      return pod.metadata.uid !== first.metadata.uid && pod;
    });
    await kubectl(["-n", namespace, "wait", "--for=condition=Ready", `pod/${name}`, "--timeout=60s"]);
    expect(next.metadata.labels).toEqual({ ...changed.metadata.labels, ...hash });
    expect(next.metadata.annotations).toEqual(changed.metadata.annotations);
    expect(await inPod("cat /home/dev/file; echo $GREETING")).toBe("kept\nagain\n");
    expect((await get<{ metadata: Meta }>(`service/${name}`)).metadata.uid).toBe(service.metadata.uid);
  });
});

describe("what others change", () => {
  it("in the pod stays", async () => {
    const image = imageRef("pause");
    await patch(`pod/${name}`, { metadata: { labels: { added: "later", team: "other" } } });
    const containers = [{ name: "main", image }];
    await kubectl([
      ...["-n", namespace, "patch", `pod/${name}`, "--type=strategic"],
      ...["-p", JSON.stringify({ spec: { containers } })],
    ]);
    await patch(`sandbox/${name}`, { spec: { podTemplate: { metadata: { labels: { role: "none" } } } } });
    await says(name, /Service Exists$/);
    const { metadata, spec } = await get<Pod>(`pod/${name}`);
    expect(metadata.labels).toEqual({ team: "other", added: "later", ...hash });
    expect(spec.containers[0]?.image).toBe(image);
  });

  it("in the Service stays", async () => {
    await patch(`service/${name}`, { spec: { ports: [{ name: "ssh", port: 22, targetPort: "ssh" }] } });
    await patch(`sandbox/${name}`, { spec: { podTemplate: { metadata: { labels: { role: "some" } } } } });
    await says(name, /Service Exists$/);
    const { spec } = await get<{ spec: { ports: object[] } }>(`service/${name}`);
    expect(spec.ports).toEqual([{ name: "ssh", port: 22, protocol: "TCP", targetPort: "ssh" }]);
  });
});

describe("a Sandbox", () => {
  it("scaled to nothing keeps its Service and home, and scaled up again has another pod", async () => {
    const { uid } = (await get<Pod>(`pod/${name}`)).metadata;
    await kubectl(["-n", namespace, "scale", `sandbox/${name}`, "--replicas=0"]);
    const asleep = await says(name, "Pod does not exist, replicas is 0; Service Exists");
    expect(asleep).toMatchObject({ status: "True", reason: "DependenciesReady" });
    // It says so from the order on, while the pod still ends.
    await kubectl(["-n", namespace, "wait", "--for=delete", `pod/${name}`, "--timeout=60s"]);
    expect(await remains()).toEqual([`service/${name}`, `persistentvolumeclaim/home-${name}`]);
    await kubectl(["-n", namespace, "scale", `sandbox/${name}`, "--replicas=1"]);
    await ready();
    expect((await get<Pod>(`pod/${name}`)).metadata.uid).not.toBe(uid);
    expect(await inPod("cat /home/dev/file")).toBe("kept\n");
  });

  it("whose pod has ended stays without one that runs", async () => {
    const { terminationGracePeriodSeconds, securityContext } = spec;
    const containers = [container("main", "exit 3")];
    const ends = { terminationGracePeriodSeconds, securityContext, containers, restartPolicy: "Never" };
    await apply(sandbox("ends", { spec: ends }));
    const { status, reason } = await says("ends", "Pod exists with phase: Failed; Service Exists");
    expect([status, reason]).toEqual(["False", "DependenciesNotReady"]);
    const { metadata } = await get<Pod>("pod/ends");
    expect([metadata.labels, metadata.annotations]).toEqual([
      { "agents.x-k8s.io/sandbox-name-hash": "9743849b" },
      undefined,
    ]);
  });

  it("whose pod is refused says so, and has no pod", async () => {
    const { containers } = spec;
    await apply(sandbox("root", { spec: { containers: [{ ...containers[0], volumeMounts: [] }] } }));
    const { status, reason } = await says("root", /violates PodSecurity "restricted:latest"/);
    expect([status, reason]).toEqual(["False", "ReconcilerError"]);
    expect((await remains()).filter((object) => object.endsWith("/root"))).toEqual(["service/root"]);
  });

  it("takes all with it that it made", async () => {
    await kubectl(["-n", namespace, "delete", "sandbox", "--all"]);
    await eventually("nothing to be left", async () => (await remains()).length === 0);
  });

  it("is nothing that the cluster knows once agent-sandbox is gone", async () => {
    await agentSandbox.stop();
    const kinds = "crd,clusterrole,clusterrolebinding,namespace";
    const names = (await kubectl(["get", kinds, "-o", "name"])).split("\n");
    expect(names.filter((name) => /agent-sandbox|agents\.x-k8s/.test(name))).toEqual([]);
  });
});
