import { objectLabels, selectorLabels } from "../common/labels.ts";
import type { SshGatewayParsed } from "./args.ts";

/** Routes with this name become CONNECT routes by the gateway's one EnvoyFilter. */
export const connectRouteName = "ssh-connect";

/** One port on which the gateway answers CONNECT. */
export interface Listener {
  readonly name: "plain";
  readonly port: number;
}

/** A gateway with every default, name and port decided. */
export interface SshGatewayPlan extends Omit<SshGatewayParsed, "name" | "namespace" | "listeners"> {
  readonly name: string;
  readonly namespace: string;
  readonly listeners: readonly Listener[];
  readonly labels: Record<string, string>;
  readonly selector: Record<string, string>;
  /** Seconds the pod may take to stop: the drain window and a little to exit in. */
  readonly terminationGraceSeconds: number;
}

/** @param logicalName the component's name, the default for the objects' name */
export function planSshGateway(logicalName: string, args: SshGatewayParsed): SshGatewayPlan {
  const name = args.name ?? logicalName;
  const { plain } = args.listeners;
  return {
    ...args,
    name,
    namespace: args.namespace ?? name,
    listeners: plain === undefined ? [] : [{ name: "plain", port: plain.port }],
    labels: objectLabels("ssh-gateway", name),
    selector: selectorLabels("ssh-gateway", name),
    terminationGraceSeconds: args.drainSeconds + 30,
  };
}
