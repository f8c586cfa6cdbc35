import { describe, expect, it } from "vitest";
import { teamPolicies } from "../isolation/policies.ts";
import { defaultQuota } from "../istio/team-limits.ts";
import { type AdmissionPolicy, admissionPolicy } from "../kubernetes/admission.ts";
import { deployerRules } from "./deployer-role.ts";
import { teamNamespace } from "./namespace.ts";

describe("the quota", () => {
  it("counts each kind that the deployer makes, what comes of them, and what Kubernetes' own roles let one make", () => {
    const made = deployerRules
      .filter(({ verbs }) => verbs.includes("update"))
      .flatMap(({ apiGroups: [group], resources }) =>
        resources.map((kind) => (group === "" ? kind : `count/${kind}.${group}`)),
      );
    const counted = Object.keys(defaultQuota);
    expect(counted.filter((kind) => !made.includes(kind)).sort()).toEqual([
      "count/controllerrevisions.apps",
      "count/daemonsets.apps",
      "count/destinationrules.networking.istio.io",
      "count/horizontalpodautoscalers.autoscaling",
      "count/ingresses.networking.k8s.io",
      "count/leases.coordination.k8s.io",
      "count/limitranges",
      "count/pods",
      "count/podtemplates",
      "count/replicasets.apps",
      "count/replicationcontrollers",
      "count/resourcequotas",
      "count/serviceaccounts",
      "count/serviceentries.networking.istio.io",
      "pods",
      "services.loadbalancers",
      "services.nodeports",
    ]);
    expect(made.filter((kind) => !counted.includes(kind))).toEqual([]);
  });

  it("bounds finished pods too, which `pods` does not count", () => {
    expect(Number(defaultQuota["count/pods"])).toBeGreaterThan(Number(defaultQuota.pods));
  });
});

it("marks the namespace with the hosts that may be named, none among them", () => {
  const annotations = (hosts?: string[]) =>
    teamNamespace("team-a", [], "restricted", hosts).metadata?.annotations;
  expect([annotations(), annotations([]), annotations(["pypi.org", "*.example.com"])]).toEqual([
    undefined,
    { "drawbridge.dev/egress-hosts": "" },
    { "drawbridge.dev/egress-hosts": "pypi.org,*.example.com" },
  ]);
});

describe("policies", () => {
  const addresses = (policies: readonly AdmissionPolicy[]) =>
    policies.find(({ name }) => name === "team-addresses")?.rules[0]?.expression ?? "";

  it("let nobody write slices by himself; the exception for an activator is off unless it is named", () => {
    expect(addresses(teamPolicies())).not.toContain("serviceaccount");
    const activator = { namespace: "waking", serviceAccount: "activator" };
    expect(addresses(teamPolicies(activator))).toContain(
      "|| (request.resource.resource == 'endpointslices' && request.userInfo.username == 'system:serviceaccount:waking:activator' && object.metadata.?labels[?'app.kubernetes.io/component'].orValue('') == 'dev-container')",
    );
  });

  it("let the control plane write addresses, also the parts of it that may only create or patch", () => {
    const rights = ["create", "update", "patch"].map(
      (verb) =>
        `authorizer.group(request.resource.group).resource(request.resource.resource).subresource(request.?subResource.orValue('')).check('${verb}').allowed()`,
    );
    const [create, ...change] = rights;
    expect(addresses(teamPolicies())).toBe(
      `(request.operation == 'CREATE' ? ${create} : ${change.join(" || ")})`,
    );
  });

  it("judge teams' namespaces alone, but for who claims a team's names", () => {
    const owner = { path: ["ssh"], labels: {} };
    const marked = { matchExpressions: [{ key: "drawbridge.dev/team", operator: "Exists" }] };
    for (const policy of teamPolicies().filter(({ name }) => name !== "service-entries")) {
      const selector = policy.name === "team-namespace" ? "objectSelector" : "namespaceSelector";
      expect(admissionPolicy(owner, policy)).toHaveProperty(`spec.matchConstraints.${selector}`, marked);
    }
    expect(teamPolicies().filter(({ inTeams }) => inTeams !== true)).toMatchObject([
      { name: "service-entries" },
      { name: "team-namespace" },
    ]);
  });
});
