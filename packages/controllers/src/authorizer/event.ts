/** What is written of a decision. */
import type { AuthorizerEvent } from "@drawbridge-iac/drawbridge/src/host/event";
import { type Identity, keyOf } from "../api-server.ts";

interface Decided extends Pick<AuthorizerEvent, "way" | "what"> {
  /** Who it is, once that is proven. */
  readonly identity?: Identity | undefined;
  /** Empty where nobody says. */
  readonly address: string;
  /** Why it was refused. */
  readonly reason?: string | undefined;
  readonly destination?: string | undefined;
}

export function authorizerEvent(decided: Decided): AuthorizerEvent {
  const { identity, address, way, what, reason, destination } = decided;
  return {
    ...(identity && { container: keyOf(identity) }),
    ...(address === "" ? {} : { address }),
    way,
    // A client may write at length.
    what: what.slice(0, 300),
    ...(reason === undefined ? { outcome: "allowed" } : { outcome: "refused", reason }),
    ...(destination === undefined ? {} : { destination }),
  };
}
