import { expect, it } from "vitest";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import { teamRequirements } from "./teams.ts";

const restricted = { "pod-security.kubernetes.io/enforce": "restricted" };
const namespace = (name: string, labels?: Record<string, string>) => ({ metadata: { name, labels } });
const inside = (namespace: string) => ({ metadata: { name: "one", namespace } });

const lists: Record<string, unknown[]> = {
  namespaces: [
    namespace("default"),
    namespace("team-a", { ...restricted, "drawbridge.dev/team": "team-a" }),
    namespace("team-b", {
      "drawbridge.dev/team": "team-a",
      "pod-security.kubernetes.io/enforce": "privileged",
    }),
    namespace("team-c", { ...restricted, "drawbridge.dev/team": "team-c" }),
    namespace("team-d", restricted),
    // A Team with containers inside.
    namespace("team-e", {
      "drawbridge.dev/team": "team-e",
      "pod-security.kubernetes.io/enforce": "privileged",
    }),
  ],
  validatingadmissionpolicybindings: [{ metadata: { name: "drawbridge.team.team-e.pods" } }],
  networkpolicies: [inside("team-a"), inside("team-b"), inside("team-e")],
  statefulsets: [inside("team-a"), inside("team-d")],
};

it("looks at the namespaces that have a team's objects, and says which label is missing and what for", async () => {
  const kube = {
    get: async (path: string) => ({ items: lists[/\/(\w+)(\?|$)/.exec(path)?.[1] ?? ""] }),
  } as unknown as Kube;
  expect(await teamRequirements(kube)).toEqual([
    { step: "namespace team-a", ok: true, text: `is marked as a team's, with Pod Security "restricted"` },
    {
      step: "namespace team-b",
      ok: false,
      text: "lacks drawbridge.dev/team=team-b, so no admission policy judges what is written in it, and the gateway takes no routes from it; lacks pod-security.kubernetes.io/enforce=restricted, so no pod is refused but by the policies for a team with root; set it: kubectl label --overwrite namespace team-b drawbridge.dev/team=team-b pod-security.kubernetes.io/enforce=restricted",
    },
    {
      step: "namespace team-d",
      ok: false,
      text: "lacks drawbridge.dev/team=team-d, so no admission policy judges what is written in it, and the gateway takes no routes from it; set it: kubectl label --overwrite namespace team-d drawbridge.dev/team=team-d",
    },
    { step: "namespace team-e", ok: true, text: `is marked as a team's, with Pod Security "privileged"` },
  ]);
});

it("says that it is unknown where the account may not look", async () => {
  const kube = { get: () => Promise.reject(new KubeError(403, "forbidden")) } as unknown as Kube;
  expect(await teamRequirements(kube)).toEqual([
    {
      step: "teams",
      ok: false,
      text: "unknown: this account may not list namespaces, network policies, stateful sets and admission policy bindings of the cluster; ask the platform team to run drawbridge doctor --teams",
    },
  ]);
});
