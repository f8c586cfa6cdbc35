import { isAlive } from "./host/processes.ts";
import { checkedName, readRecord } from "./instance.ts";
import { layoutOf } from "./layout.ts";
import { type InstanceStatus, readStatus } from "./supervisor/status.ts";

/** An instance as `status` shows it: how far it has come, and whether it is there at all. */
export type LabStatus = { name: string } & (
  | { phase: "absent" | "preparing" | "stopped" }
  | (InstanceStatus & { kubeconfig: string })
);

/** Looks at an instance; a name that nobody uses is `absent`, one whose processes have ended `stopped`. */
export async function status(name: string): Promise<LabStatus> {
  const layout = layoutOf(checkedName(name));
  const record = await readRecord(layout);
  if (record === undefined) return { name, phase: "absent" };
  if (record.init === undefined) {
    return { name, phase: isAlive(record.starter) ? "preparing" : "stopped" };
  }
  if (!isAlive(record.init)) return { name, phase: "stopped" };
  const told = await readStatus(layout.status);
  return told === undefined ? { name, phase: "preparing" } : { name, ...told, kubeconfig: layout.kubeconfig };
}
