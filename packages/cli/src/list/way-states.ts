/** Whether sshd answers by each way in, tried now. */
import { type SshTarget, viaOf } from "@drawbridge-iac/manifests";
import { walk } from "../doctor/walk.ts";
import { parseVia } from "../proxy/via.ts";
import { type Saved, tlsOn } from "../targets.ts";

export interface WayState {
  readonly way: SshTarget["ways"][number]["way"];
  readonly answers: boolean;
  /** The step at which it ends, and why; empty where it answers. */
  readonly fault: { readonly step: string; readonly text: string } | undefined;
}

/** All ways at once, in the order in which they would be tried. */
export function wayStates(target: SshTarget, saved: Pick<Saved, "tls">): Promise<WayState[]> {
  const { hostName, port } = target;
  return Promise.all(
    target.ways.map(async (way) => {
      const findings = await walk(parseVia(viaOf(way)), { hostName, port, tls: tlsOn(way, saved) });
      const fault = findings.find(({ ok }) => !ok);
      return {
        way: way.way,
        answers: fault === undefined,
        fault: fault && { step: fault.step, text: fault.text },
      };
    }),
  );
}

/** `gateway answers, frp: no answer (TCP)` */
export function waysText(states: readonly WayState[]): string {
  return states
    .map(({ way, fault }) => (fault === undefined ? `${way} answers` : `${way}: no answer (${fault.step})`))
    .join(", ");
}
