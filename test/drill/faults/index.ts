import { byItself, type Fault, nothing } from "../fault.ts";
import { disks } from "./disks.ts";
import { gateways } from "./gateways.ts";
import { keys } from "./keys.ts";
import { network } from "./network.ts";
import { nodes } from "./nodes.ts";
import { objects } from "./objects.ts";
import { pods } from "./pods.ts";
import { programFaults } from "./programs.ts";
import { serviceFaults } from "./services.ts";
import { stackFaults } from "./stacks.ts";

/** Every kind of fault that a drill injects. */
export const faults: readonly Fault[] = [
  ...pods,
  ...gateways,
  ...nodes,
  ...programFaults,
  ...network,
  ...serviceFaults,
  ...disks,
  ...stackFaults,
  ...keys,
  ...objects,
];

/** What a control run has in their place: a drill that finds something now finds it in itself. */
export const control: Fault = {
  name: "none",
  lasts: [0, 5],
  inject: async () => ({ target: "nothing", mayEnd: nothing, heal: byItself }),
};
