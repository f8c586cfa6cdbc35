/** An attack as calls of the API server, with what it answers, and the calls that several are made of. */
import type { Answer, ApiObject, ApiUser } from "./api-user.ts";
import type { Owner, Place, Who } from "./attack.ts";

export type Act = (user: ApiUser, place: Place) => Promise<Answer>;

/** One thing that must be refused, beside one that must not. */
export interface ApiAttack {
  readonly name: string;
  /** @default the gateway's */
  readonly of?: Owner;
  readonly policy: string;
  /** Of a kind that a lab has not installed. */
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

export const pod = ({ team }: Place): ApiObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "stage", namespace: team },
});
export const statusOf = (object: (place: Place) => ApiObject, status: unknown): Act => {
  return (user, place) => user.merge(object(place), { status }, { ...dry, subresource: "status" });
};
/** A change that nobody minds. */
export const annotate = (object: (place: Place) => ApiObject): Act => {
  return (user, place) => user.merge(object(place), { metadata: { annotations: { seen: "yes" } } }, dry);
};
