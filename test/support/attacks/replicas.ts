/** StatefulSets that the cluster's controllers cannot hold in memory. */
import type { Answer, ApiObject, ApiUser } from "./api-user.ts";
import { named, namespaceOf, type Place, variants, type Who } from "./attack.ts";

/** As many pods as one likes, which need not come to be. */
function statefulSet(place: Place, who: Who, replicas: number | undefined): ApiObject {
  const labels = { app: "own" };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "own", namespace: namespaceOf(who, place) },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      serviceName: "own",
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "drawbridge.local/none:1" }] },
      },
    },
  } as ApiObject;
}

const tooManyReplicas = /a StatefulSet of a team's namespace may have at most 100 replicas/;

export const sets = variants<number>(
  {
    policy: "team-replicas",
    who: "deployer",
    name: "a StatefulSet that fills the controller manager",
    refusal: tooManyReplicas,
    make: (place, replicas) => statefulSet(place, "deployer", replicas),
    twin: (place) => statefulSet(place, "deployer", 0),
  },
  { "as many as there may be": () => 2 ** 31 - 1, "one too many": () => 101 },
);

/** One that is there, scaled. */
const scaledTo =
  (replicas: number) =>
  async (user: ApiUser, place: Place): Promise<Answer> => {
    const set = named(statefulSet(place, "owner", 0), "scaled");
    const made = await user.apply(set);
    if (made.status >= 300) return made;
    return user.merge(set, { spec: { replicas } }, { dryRun: true, subresource: "scale" });
  };

export const byScale = {
  name: "a StatefulSet that fills the controller manager, by its scale",
  policy: "team-replicas",
  who: "owner",
  refusal: tooManyReplicas,
  attempt: scaledTo(101),
  twin: scaledTo(100),
} as const;
