/** Objects by which something lasts: the addresses of pods that are gone, and the rights of a deployer who is. */
import type { ApiObject } from "./api-user.ts";
import { type Attack, type Place, variants, type Who } from "./attack.ts";
import { metadata } from "./kubernetes.ts";

export const slicesQuota = "count/endpointslices.discovery.k8s.io";

export const quotaOf = (place: Place, counted: string, who: Who = "owner"): ApiObject => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: metadata(place, who),
  spec: { hard: { [counted]: "0" } },
});

const quotas = variants<string>(
  {
    policy: "team-quotas",
    who: "owner",
    name: "a quota that keeps the addresses of pods that are gone",
    refusal: /a quota of a team's namespace does not count endpointslices/,
    make: (place, counted) => quotaOf(place, counted),
    twin: (place) => quotaOf(place, "count/csistoragecapacities.storage.k8s.io"),
  },
  { "of slices": slicesQuota },
);

export const secret = (place: Place, type: string, who: Who = "deployer"): ApiObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { ...metadata(place, who), annotations: { "kubernetes.io/service-account.name": "default" } },
  type,
});

const tokens = (["deployer", "owner"] as const).flatMap((who) =>
  variants<string>(
    {
      policy: "team-tokens",
      who,
      newAlone: true,
      name: `a Secret that outlasts the rights of its ${who}`,
      refusal: /a team's Secret is no token of a service account/,
      make: (place, type) => secret(place, type, who),
      twin: (place) => secret(place, "Opaque", who),
    },
    { "a token": "kubernetes.io/service-account-token" },
  ),
);

export const lastingAttacks: readonly Attack[] = [...quotas, ...tokens];
