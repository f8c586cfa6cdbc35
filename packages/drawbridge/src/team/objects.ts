import { platformPolicyOwner, teamPolicies } from "../isolation/policies.ts";
import { defaultQuota } from "../istio/team-limits.ts";
import { whenListed } from "../kit/input.ts";
import { admissionObjects } from "../kubernetes/admission-objects.ts";
import { etcdSizeAnnotation, objectLabels } from "../kubernetes/labels.ts";
import { compact } from "../kubernetes/manifest.ts";
import { allAfter, declared } from "../kubernetes/objects.ts";
import type { RootParsed, TeamPlan } from "./args.ts";
import { deployerBinding, deployerRole } from "./deployer-role.ts";
import { teamDefaultDeny, teamNamespace } from "./namespace.ts";
import { outsideHostObjects } from "./outside-hosts.ts";
import { rootPodSecurity, rootPolicies, rootPolicyOwner } from "./root-policies.ts";

/** A team's namespace, and what the platform puts into it. */
export function teamObjects(plan: TeamPlan) {
  const { namespace, root, deployers, limits, idle, etcdSize } = plan;
  const policies =
    root === undefined
      ? {}
      : admissionObjects([namespace, accounts(root)], (known = "", accounts = "") => {
          const own = { ...root, namespace: known, allowedServiceAccountNames: listOf(accounts) };
          return { owner: rootPolicyOwner(own), policies: rootPolicies(own) };
        });
  const level = root === undefined ? "restricted" : rootPodSecurity(root);
  const metadata = { name: "team", namespace, labels: objectLabels("team", namespace) };
  const quota = { ...defaultQuota, ...plan.quota };
  return {
    ...policies,
    namespace:
      plan.createNamespace &&
      // The homes in it go with it, so it stays until someone deletes it by hand. What it allows comes after the policies.
      declared(teamNamespace(namespace, plan.allowedPrivateNetworks, level, plan.allowedHosts), {
        kept: true,
        after: Object.keys(policies),
      }),
    ...allAfter([...Object.keys(policies), "namespace"], {
      "default-deny": declared(teamDefaultDeny(namespace)),
      // A pod that is made before the LimitRange goes without its defaults, and a quota refuses it.
      quota: declared<"ResourceQuota">({
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: compact({
          ...metadata,
          annotations: etcdSize === undefined ? undefined : { [etcdSizeAnnotation]: etcdSize },
        }),
        spec: { hard: quota },
      }),
      limits:
        limits &&
        declared<"LimitRange">({
          apiVersion: "v1",
          kind: "LimitRange",
          metadata,
          spec: { limits: [compact({ type: "Container", ...limits })] },
        }),
      deployer: deployers && declared(deployerRole(namespace, idle)),
      "deployer-binding":
        deployers && declared(deployerBinding(namespace, deployers), { suffix: "deployer" }),
    }),
    ...allAfter([...Object.keys(policies), "namespace"], outsideHostObjects(namespace, plan.outsideHosts)),
  };
}

// As one text, since a policy's texts are made of texts that may come later.
const accounts = ({ allowedServiceAccountNames }: RootParsed) =>
  whenListed(allowedServiceAccountNames, (names) => names.join(" "));
const listOf = (names: string) => names.split(" ").filter((name) => name !== "");

export type TeamObjects = ReturnType<typeof teamObjects>;

/** The policies on what all teams write, where no SSH gateway brings them. */
export function teamPoliciesObjects(name: string) {
  return admissionObjects([], () => ({ owner: platformPolicyOwner(name), policies: teamPolicies() }));
}

export type TeamPoliciesObjects = ReturnType<typeof teamPoliciesObjects>;
