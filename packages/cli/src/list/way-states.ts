/** Whether sshd answers by each way in, tried now. */
import { type SshTarget, type SshWay, viaOf } from "@drawbridge-iac/manifests";
import { walk } from "../doctor/walk.ts";
import type { KnownTarget } from "../known-stacks.ts";
import { parseVia } from "../proxy/via.ts";
import { hasKubeconfig } from "../sshpod/kube.ts";
import { tlsOn } from "../targets.ts";

export interface WayState {
  readonly way: SshTarget["ways"][number]["way"];
  readonly answers: boolean;
  /** Whether this laptop lacks what the way needs, which is no fault of the container's. */
  readonly off: boolean;
  /** The step at which the way fails, and why; undefined where sshd answers. */
  readonly fault:
    | { readonly step: string; readonly text: string; readonly status: number | undefined }
    | undefined;
}

/** Tries all ways at once; the result has them in the order in which a client tries them. */
export function wayStates(known: Pick<KnownTarget, "target" | "tls">): Promise<WayState[]> {
  const { target } = known;
  const { hostName, port } = target;
  return Promise.all(
    target.ways.map(async (way) => {
      const findings = await walk(parseVia(viaOf(way)), { hostName, port, tls: tlsOn(way, known) });
      const fault = findings.find(({ ok }) => !ok);
      return {
        way: way.way,
        answers: fault === undefined,
        off: isOff(way),
        fault: fault && { step: fault.step, text: fault.text, status: fault.status },
      };
    }),
  );
}

/** The Kubernetes API is for those who have a kubeconfig; most people come by the other ways alone. */
export const isOff = ({ way }: Pick<SshWay, "way">) => way === "sshpod" && !hasKubeconfig();

/** Like `gateway answers, frp: no answer (TCP)`, or `gateway says 404` for a way that refuses. */
export function waysText(states: readonly WayState[]): string {
  const text = ({ way, off, fault }: WayState) => {
    if (fault === undefined) return `${way} answers`;
    if (off) return `${way} needs a kubeconfig`;
    return fault.status ? `${way} says ${fault.status}` : `${way}: no answer (${fault.step})`;
  };
  return states.map(text).join(", ");
}
