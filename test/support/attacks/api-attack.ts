/** An attack as calls of the API server, with what it answers, and the calls that several are made of. */
import type { Answer, ApiObject, ApiUser } from "./api-user.ts";
import type { Place, Who } from "./attack.ts";

export type Act = (user: ApiUser, place: Place) => Promise<Answer>;

/** One thing that must be refused, beside one that must not. */
export interface ApiAttack {
  readonly name: string;
  /** @default the gateway's */
  readonly policy: string;
  /** Of a kind that a lab has not installed: tried on a bare API server alone. */
  readonly bare?: true;
  readonly who: Who;
  readonly refusal: RegExp;
  readonly attempt: Act;
  readonly twin: Act;
}

export const dry = { dryRun: true } as const;

export const inTeam = (apiVersion: string, kind: string, name: string, { team }: Place): ApiObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: team },
});

export const pod = (place: Place): ApiObject => inTeam("v1", "Pod", "stage", place);

export const statusOf = (object: (place: Place) => ApiObject, status: unknown): Act => {
  return (user, place) => user.merge(object(place), { status }, { ...dry, subresource: "status" });
};

/** A change that nobody minds. */
export const annotate = (object: (place: Place) => ApiObject): Act => {
  return (user, place) => user.merge(object(place), { metadata: { annotations: { seen: "yes" } } }, dry);
};

/** The refusal of what only the cluster's own parts or the platform write. */
export const forged =
  /in a team's namespace only those write this who may write it in the whole cluster: status, Endpoints, /;

/** The owner's attempt at something that only parts of the control plane write. */
export const forgery = (name: string, attempt: Act, twin: Act = annotate(pod)): ApiAttack => ({
  name,
  policy: "team-addresses",
  who: "owner",
  refusal: forged,
  attempt,
  twin,
});
