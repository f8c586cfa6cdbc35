/** The keys of a host: what the Secret holds, and what clients pin. Its whole way: `host-key.ts`. */
import type { Resolve } from "../../kit/resolve.ts";
import { type HostKeyed, type HostKeySource, hostKeyOf } from "./host-key.ts";

/** The current key, and the next one during a rotation. The private ones are secret, the public ones are not. */
export function hostKeys({ hostKey, hostIdentity }: HostKeyed, { secret, derived, plain }: Resolve) {
  const privateKeyOf = (source: HostKeySource) =>
    hostKeyOf(source, hostIdentity, (of, make) => secret(of, (known) => make(known).privateKey));
  const publicKeyOf = (source: HostKeySource) =>
    hostKeyOf(source, hostIdentity, (of, make) => derived(of, (known) => make(known).publicKey));
  const { next } = hostKey;
  const publicKeys = [hostKey, ...(next ? [next] : [])].map(publicKeyOf);
  return {
    privateKey: privateKeyOf(hostKey),
    nextPrivateKey: next && privateKeyOf(next),
    publicKeys: plain(publicKeys, (known) => [...known]),
  };
}
