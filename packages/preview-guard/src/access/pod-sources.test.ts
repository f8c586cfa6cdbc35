/** What a container's further volumes, variables, programs and patches give: each judged, or said to be unknown. */
import { describe, expect, it } from "vitest";
import { judge } from "../guard.ts";
import { change, whole } from "../sample.ts";
import { unknownText } from "./placeholder.ts";

const metadata = { name: "dev1", namespace: "team-a" };
const own = { name: "dev", image: "a:1" };

function pod(spec: object, annotations: object = {}) {
  return {
    metadata,
    spec: {
      template: {
        metadata: { annotations },
        spec: { automountServiceAccountToken: false, containers: [own], ...spec },
      },
    },
  };
}

/** The code of an update, the rules and the texts of what it does to access. */
function verdict(after: object, before: object | undefined = pod({})) {
  const op = before === undefined ? "create" : "update";
  const of = "DevContainer dev1";
  const changes = [change("StatefulSet", "dev1", { op, of, before: before as never, after: after as never })];
  const { code, refused, unjudged, access } = judge(whole(changes), [], new Date());
  const named = [...refused, ...unjudged].map(({ rule, text }) => `${rule}: ${text}`);
  return [code, ...named, ...access.map(({ text }) => text)];
}

const volume = (source: object) => pod({ volumes: [{ name: "v", ...source }] });
const sidecar = (fields: object) =>
  pod({ initContainers: [{ name: "helper", image: "b:1", restartPolicy: "Always", ...fields }] });

describe("what a pod reads", () => {
  it.each<[string, object, (string | number)[]]>([
    ["a Secret by a variable", { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s" } } }] }, ["s"]],
    [
      "a Secret's keys as variables",
      { envFrom: [{ secretRef: { name: "s" } }, { configMapRef: {} }] },
      ["s"],
    ],
    ["a pod's field by a variable", { env: [{ name: "A", valueFrom: { fieldRef: {} } }] }, []],
  ])("%s, of the container and of a sidecar, is reported", (_, fields, secrets) => {
    const gained = secrets.map((name) => `its pod reads the Secret ${name}`);
    expect(verdict(sidecar(fields))).toEqual([0, ...gained]);
    expect(verdict(pod({ containers: [{ ...own, ...fields }] }))).toEqual([0, ...gained]);
    expect(verdict(pod({}), sidecar(fields))).toEqual([0, ...gained.map((text) => `no longer: ${text}`)]);
  });

  it.each<[string, object, string]>([
    ["as files", { secret: { secretName: "s" } }, "its pod reads the Secret s"],
    ["among others", { projected: { sources: [{ secret: { name: "s" } }] } }, "its pod reads the Secret s"],
    ["a claim", { persistentVolumeClaim: { claimName: "c" } }, "its pod may read the claim c"],
  ])("of its own namespace %s is reported", (_, source, text) => {
    expect(verdict(volume(source))).toEqual([0, text]);
  });

  it("once, however often it stands there", () => {
    const twice = { envFrom: [{ secretRef: { name: "s" } }] };
    expect(
      verdict(pod({ containers: [{ ...own, ...twice }], initContainers: [{ name: "x", ...twice }] })),
    ).toEqual([0, "its pod reads the Secret s"]);
  });

  it("is not judged while its name is not known", () => {
    const [code, unknown] = verdict(sidecar({ envFrom: [{ secretRef: { name: unknownText } }] }));
    expect([code, unknown]).toEqual([
      2,
      `unknown-value: secretsOfEnvironment[0] is not known before \`pulumi up\`, or secret`,
    ]);
  });

  it.each<[string, object]>([
    ["a ConfigMap", { configMap: { name: "c" } }],
    ["an empty folder", { emptyDir: { sizeLimit: "1Gi" } }],
    ["the pod's own fields", { downwardAPI: { items: [] } }],
    ["a volume of its own", { ephemeral: { volumeClaimTemplate: { spec: { storageClassName: "fast" } } } }],
  ])("says nothing of %s", (_, source) => {
    expect(verdict(volume(source))).toEqual([0]);
  });
});

describe("a volume that leads further", () => {
  it("is refused where a claim of the pod's own takes a volume or data of others", () => {
    const ephemeral = (spec: object) => volume({ ephemeral: { volumeClaimTemplate: { spec } } });
    expect(verdict(ephemeral({ volumeName: "pv-b" }))).toEqual([
      1,
      `volume-borrowed: volume v: it takes a volume of the cluster's by volumeName "pv-b"`,
    ]);
    const dataSource = { kind: "PersistentVolumeClaim", name: "other" };
    expect(verdict(ephemeral({ dataSource })).slice(0, 1)).toEqual([1]);
    // In a new pod as well.
    expect(verdict(ephemeral({ volumeName: "pv-b" }), undefined)[0]).toBe(1);
    expect(verdict(ephemeral({ volumeName: "pv-b" }), ephemeral({ volumeName: "pv-b" }))).toEqual([0]);
  });

  it.each<[string, object, RegExp]>([
    [
      "a driver",
      { csi: { driver: "secrets-store.csi.k8s.io", volumeAttributes: { secretProviderClass: "b" } } },
      /^unknown-field: .*what volume v gives, by csi of the driver secrets-store\.csi\.k8s\.io, the guard does not know/,
    ],
    [
      "a server",
      { nfs: { server: "10.0.0.1", path: "/" } },
      /what volume v gives, by nfs, the guard does not/,
    ],
    [
      "a certificate of the cluster's",
      { projected: { sources: [{ podCertificate: {} }] } },
      /what volume v gives, by projected\.podCertificate, the guard does not know/,
    ],
  ])("is not judged where %s hands it out, new or changed", (_, source, text) => {
    for (const before of [pod({}), undefined]) {
      const [code, unknown] = verdict(volume(source), before);
      expect([code, text.test(String(unknown))]).toEqual([2, true]);
    }
    const changed = { ...source, csi: { driver: "other" } };
    expect(verdict(volume(changed), volume(source))[0]).toBe(2);
    expect(verdict(pod({ ...volume(source).spec.template.spec, dnsPolicy: "None" }), volume(source))).toEqual(
      [0],
    );
  });

  it("is refused with a token, whoever it is for", () => {
    const token = { projected: { sources: [{ serviceAccountToken: { audience: "vault", path: "token" } }] } };
    expect(verdict(volume(token))).toEqual([
      1,
      `pod-privileges: its pod holds a token of the Kubernetes API (service account default)`,
    ]);
  });
});

describe("a sidecar", () => {
  it("of its own image is daily work", () => {
    expect(verdict(sidecar({ volumeMounts: [{ name: "home", mountPath: "/work" }] }))).toEqual([0]);
  });

  it("that may more than the container is refused", () => {
    expect(verdict(sidecar({ securityContext: { runAsUser: 0 } }))).toEqual([
      1,
      `pod-privileges: container helper runs as root`,
    ]);
    expect(verdict(sidecar({ securityContext: { appArmorProfile: { type: "Unconfined" } } }))).toEqual([
      1,
      `pod-privileges: container helper runs without AppArmor`,
    ]);
  });
});

describe("another service account", () => {
  it("is reported, since a cloud knows pods by it", () => {
    const data = pod({ serviceAccountName: "data" });
    const ci = pod({ serviceAccountName: "ci" });
    const text = (name: string) => `its pod is service account ${name}, by which a cloud may know it`;
    expect(verdict(data)).toEqual([0, text("data")]);
    expect(verdict(ci, data)).toEqual([0, text("ci"), `no longer: ${text("data")}`]);
    expect(verdict(pod({}), data)).toEqual([0, `no longer: ${text("data")}`]);
    expect(verdict(data, data)).toEqual([0]);
  });
});

describe("a pod's annotation", () => {
  it("for a queue or a cost is daily work", () => {
    expect(verdict(pod({}, { "cost.example.com/center": "4711" }))).toEqual([0]);
  });

  it.each(["k8s.v1.cni.cncf.io/networks", "v1.multus-cni.io/default-network"])(
    "%s joins a network without walls, and is refused",
    (name) => {
      const joined = pod({}, { [name]: "other" });
      const refused = `network-wall: its pods join the network other, where no NetworkPolicy holds`;
      expect(verdict(joined)).toEqual([1, refused]);
      expect(verdict(pod({ dnsPolicy: "None" }, { [name]: "other" }), joined)).toEqual([0]);
    },
  );
});
