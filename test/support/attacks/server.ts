/** A real API server with Istio's kinds, for attacks that need no gateway to run. */
import { readFile } from "node:fs/promises";
import { istioObjects } from "../../../packages/lab/src/cluster/istio/chart.ts";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { ensureTools } from "../../../packages/lab/src/tools/index.ts";
import type { ApiServer } from "../../../scripts/lib/engine/api-server.ts";
import { listOf } from "../../../scripts/lib/lab/lab.ts";
import { ApiUser, pluralOf } from "./api-user.ts";
import { everybody, type Who } from "./attack.ts";
import { accounts } from "./stage.ts";

/** Kinds of a group; any content passes. */
interface Kinds {
  readonly group: string;
  readonly kinds: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Groups below k8s.io need an approval, or a word that there is none. */
const unapproved = { "api-approved.kubernetes.io": "unapproved, a test's own" };

/** What Istio's charts do not bring, and other programs' kinds of which policies know. */
const others: readonly Kinds[] = [
  {
    group: "gateway.networking.k8s.io",
    kinds: ["BackendTLSPolicy", "Gateway", "HTTPRoute", "GRPCRoute", "TCPRoute", "TLSRoute", "UDPRoute"],
    annotations: { "api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/gateway-api/pull/2466" },
  },
  { group: "gateway.networking.x-k8s.io", kinds: ["XBackendTrafficPolicy"], annotations: unapproved },
  { group: "externaldns.k8s.io", kinds: ["DNSEndpoint"], annotations: unapproved },
  { group: "cilium.io", kinds: ["CiliumNetworkPolicy", "CiliumLocalRedirectPolicy", "CiliumEnvoyConfig"] },
  { group: "projectcalico.org", kinds: ["NetworkPolicy"] },
  { group: "crd.projectcalico.org", kinds: ["NetworkPolicy"] },
];

const definitionsOf = ({ group, kinds, annotations }: Kinds) =>
  kinds.map((kind) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${pluralOf(kind)}.${group}`, ...(annotations && { annotations }) },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural: pluralOf(kind), singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  }));

export async function addIstioKinds(api: ApiServer): Promise<void> {
  const { "istio-charts": charts } = await ensureTools(["istio-charts"], silentProgress);
  const file = await istioObjects(charts, imageRef("proxyv2"), silentProgress);
  const { definitions } = JSON.parse(await readFile(file, "utf8")) as { definitions: object[] };
  await install(api, definitions);
  for (const kinds of others) await addKinds(api, kinds);
}

export async function addKinds(api: ApiServer, kinds: Kinds): Promise<void> {
  await install(api, definitionsOf(kinds));
  await api.kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"]);
}

export async function install(api: ApiServer, items: readonly object[]): Promise<void> {
  await api.kubectl(["apply", "--server-side", "-f", "-"], listOf(items));
}

let canaries = 0;

/**
 * Waits until the API server has taken up all changes of policies that were made before this call. It takes them up
 * together, so it has them when it obeys a policy that was made after them.
 */
export async function policiesStand(api: ApiServer): Promise<void> {
  canaries += 1;
  const name = `policy-canary-${canaries}`;
  await install(api, [
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
          ],
        },
        matchConditions: [{ name: "canary", expression: `request.name == '${name}'` }],
        validations: [{ expression: "false", message: "policies stand" }],
      },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    },
  ]);
  const probe = ["-n", "default", "create", "configmap", name, "--dry-run=server"];
  for (const end = Date.now() + 60_000; ; ) {
    const refused = await api.kubectl(probe).then(
      () => false,
      (error: Error) => error.message.includes("policies stand"),
    );
    if (refused) return;
    if (Date.now() > end) throw new Error("the API server did not take up the policies within a minute");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** All accounts, each with a token of its own. */
export async function usersOf(
  api: Pick<ApiServer, "kubectl"> & { readonly kubeconfigs: Pick<ApiServer["kubeconfigs"], "admin"> },
): Promise<Readonly<Record<Who, ApiUser>>> {
  const all = everybody.map(async (who) => {
    const token = await api.kubectl(["-n", accounts, "create", "token", who, "--duration=2h"]);
    return [who, await ApiUser.create(api.kubeconfigs.admin, token.trim())] as const;
  });
  return Object.fromEntries(await Promise.all(all)) as Record<Who, ApiUser>;
}
