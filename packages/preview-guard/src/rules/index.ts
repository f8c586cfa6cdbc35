import type { Rule } from "../finding.ts";
import { hostKeyLost } from "./host-key-lost.ts";
import { loadBalancerReplaced } from "./load-balancer-replaced.ts";
import { sshListenerChanged } from "./ssh-listener-changed.ts";
import { volumeLeftBehind } from "./volume-left-behind.ts";
import { volumeLost } from "./volume-lost.ts";
import { volumeShrunk } from "./volume-shrunk.ts";

/** Every rule, in the order in which a report lists them. */
export const rules: readonly Rule[] = [
  volumeLost,
  volumeLeftBehind,
  volumeShrunk,
  hostKeyLost,
  sshListenerChanged,
  loadBalancerReplaced,
];
