/**
 * The policies of a namespace that allows root, alone on a real API server: Pod Security asks nothing there, so what is
 * refused is refused by them. With Pod Security and real pods: test/long/root.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  admissionPolicy,
  admissionPolicyBinding,
} from "../../packages/drawbridge/src/kubernetes/admission.ts";
import { rootPolicies, rootPolicyOwner } from "../../packages/drawbridge/src/team/root-policies.ts";
import { type ApiServer, startApiServer } from "../../scripts/lib/engine/api-server.ts";
import { eventually } from "../../scripts/lib/lab/lab.ts";
import { type ApiObject, ApiUser } from "../support/attacks/api-user.ts";
import { ephemeral, podWith, serviceOf } from "../support/attacks/root-pods.ts";
import { install, policiesStand } from "../support/attacks/server.ts";
import { foreignAccount, namedAccount, weakPods } from "../support/attacks/weak-pods.ts";

const inside = "team-inside";
const outside = "team-outside";
/** Where containers may start others inside. */
const engines = "team-engines";
const roots = [
  { namespace: inside, allowedServiceAccountNames: [namedAccount], containersInside: false },
  { namespace: engines, allowedServiceAccountNames: [namedAccount], containersInside: true },
];
const policy = (name: string, namespace = inside) =>
  `ValidatingAdmissionPolicy 'drawbridge.team.${namespace}.${name}' with binding`;
let api: ApiServer;
let admin: ApiUser;

beforeAll(async () => {
  api = await startApiServer();
  admin = await ApiUser.create(api.kubeconfigs.admin, api.adminToken);
  for (const name of [inside, engines, outside]) {
    await install(api, [
      { apiVersion: "v1", kind: "Namespace", metadata: { name } },
      ...[namedAccount, foreignAccount, "default"].map((account) => ({
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: account, namespace: name },
      })),
    ]);
  }
  for (const root of roots) {
    const owner = rootPolicyOwner(root);
    await install(
      api,
      rootPolicies(root).flatMap((one) => [admissionPolicy(owner, one), admissionPolicyBinding(owner, one)]),
    );
  }
  await policiesStand(api);
});
afterAll(async () => {
  admin?.close();
  await api?.stop();
});

/** What the API server says to a new object, without keeping it; empty for what it takes. */
const answer = async (object: ApiObject) =>
  (await admin.post(object, { dryRun: true, strict: true })).message;

describe("a pod that is weaker in one field is refused, and its twin is taken", () => {
  it.each(weakPods.map((one) => [one.name, one] as const))(
    "%s",
    async (_name, { of, weak, twin, refusal }) => {
      expect(await answer(podWith(inside, of, twin))).toBe("");
      const refused = await answer(podWith(inside, of, weak));
      expect(refused).toMatch(refusal);
      expect(refused).toContain(policy("pods"));
      // Elsewhere it is not theirs to judge.
      expect(await answer(podWith(outside, of, weak))).toBe("");
    },
  );

  it.each(weakPods.map((one) => [one.name, one] as const))(
    "where containers inside are allowed, too: %s",
    async (_name, { of, weak, twin, refusal, isEngines }) => {
      expect(await answer(podWith(engines, of, twin))).toBe("");
      const said = await answer(podWith(engines, of, weak));
      if (isEngines) return expect(said).toBe("");
      expect(said).toMatch(refusal);
      expect(said).toContain(policy("pods", engines));
    },
  );

  it.each([
    ["a ConfigMap", { configMap: { name: "a" } }],
    ["a Secret", { secret: { secretName: "a" } }],
    ["the downward API", { downwardAPI: { items: [] } }],
    ["projected sources", { projected: { sources: [] } }],
    ["a driver of its own", { csi: { driver: "secrets-store.csi.k8s.io" } }],
  ])("an engine beside a volume that the kubelet writes to: %s", async (_name, source) => {
    const pod = (own: object, add: string[]) =>
      podWith(engines, "root", {
        pod: { volumes: [{ name: "data", ...own }] },
        context: { capabilities: { add } },
      });
    expect(await answer(pod(source, ["SYS_ADMIN"]))).toMatch(
      /has no volumes but emptyDir, persistentVolumeClaim and ephemeral, and no token/,
    );
    expect(await answer(pod(source, ["CHOWN"]))).toBe("");
    expect(await answer(pod({ emptyDir: {} }, ["SYS_ADMIN"]))).toBe("");
  });

  it("an engine beside a token of the API", async () => {
    const pod = (automountServiceAccountToken: boolean) =>
      podWith(engines, "root", {
        pod: { automountServiceAccountToken },
        context: { capabilities: { add: ["NET_ADMIN"] } },
      });
    expect(await answer(pod(true))).toContain(policy("pods", engines));
    expect(await answer(pod(false))).toBe("");
  });

  it("what an engine needs is taken there alone", async () => {
    const engine = { context: { capabilities: { add: ["NET_ADMIN", "SYS_ADMIN", "SYS_PTRACE"] } } };
    expect(await answer(podWith(engines, "root", engine))).toBe("");
    expect(await answer(podWith(inside, "root", engine))).toContain(policy("pods"));
  });

  it("as a container that is added to a pod that runs", async () => {
    await install(api, [podWith(inside, "root", {})]);
    const add = (capabilities: object) =>
      api
        .kubectl([
          ...[
            "-n",
            inside,
            "patch",
            "pod",
            "inside",
            "--subresource=ephemeralcontainers",
            "--dry-run=server",
          ],
          ...["-p", JSON.stringify(ephemeral(capabilities as Record<string, unknown>))],
        ])
        .then(
          () => "",
          (error: Error) => error.message,
        );
    const drop = ["NET_RAW"];
    expect(await add({ add: ["CHOWN"], drop })).toBe("");
    expect(await add({})).toMatch(/drops NET_RAW/);
    const refused = await add({ add: ["SYS_PTRACE"], drop });
    expect(refused).toMatch(/may add the capabilities/);
    expect(refused).toContain(policy("pods"));
  });
});

describe("a Service", () => {
  it.each(["NodePort", "LoadBalancer"])("of type %s is refused there alone", async (type) => {
    expect(await answer(serviceOf(inside, type))).toContain(policy("services"));
    expect(await answer(serviceOf(outside, type))).toBe("");
  });

  it("of type ClusterIP is taken", async () => {
    expect(await answer(serviceOf(inside, "ClusterIP"))).toBe("");
  });
});

it.each([inside, engines])("no field of the API is misspelt in those of %s", async (namespace) => {
  interface Policy {
    status?: { observedGeneration?: number; typeChecking?: { expressionWarnings?: unknown[] } };
  }
  for (const name of ["pods", "services"]) {
    const { status } = await eventually(`a look at ${name}`, async () => {
      const policy = [
        "get",
        "validatingadmissionpolicy",
        `drawbridge.team.${namespace}.${name}`,
        "-o",
        "json",
      ];
      const found = JSON.parse(await api.kubectl(policy)) as Policy;
      return found.status?.observedGeneration === undefined ? undefined : found;
    });
    expect(status?.typeChecking?.expressionWarnings ?? []).toEqual([]);
  }
});
