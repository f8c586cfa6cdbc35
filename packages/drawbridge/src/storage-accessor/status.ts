/** The state of a storage when Pulumi last read its objects. */
import { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { oneOf } from "../kit/schema.ts";

/** Where a storage is in its life, by what a person does about it. */
export const StoragePhase = {
  /** Its preparation has not ended: wait. */
  Preparing: "Preparing",
  /** Its preparation failed: read the reason. */
  Failed: "Failed",
  /** It holds what is declared. */
  Ready: "Ready",
} as const;
export type StoragePhase = (typeof StoragePhase)[keyof typeof StoragePhase];

/** What can be said of a storage, each true or not. */
export const StorageConditionType = {
  /** The preparation's Job has ended well. */
  Prepared: "Prepared",
  /** The address of the proxy is known, and with it `url`. */
  ProxyRoute: "ProxyRoute",
} as const;
export type StorageConditionType = (typeof StorageConditionType)[keyof typeof StorageConditionType];

const storageConditionSchema = group(
  "StorageCondition",
  "One statement about a storage.",
  {
    type: arg(oneOf(StorageConditionType), "What is stated."),
    status: arg(z.boolean(), "Whether it holds."),
    reason: arg(z.string(), "Why, in one word."),
    message: arg(z.string(), "What is to be done where it does not hold; may be empty."),
  },
  { isOutput: true },
);

export const storageStatusSchema = group(
  "StorageStatus",
  "The state of a storage as its objects report it.",
  {
    phase: arg(
      oneOf(StoragePhase),
      "`Preparing`: its preparation has not ended. `Failed`: it waits for a human. `Ready`: it holds what is declared.",
    ),
    conditions: arg(
      z.array(storageConditionSchema),
      "Whether its preparation has ended well, and the way to its files stands; of those alone that it has.",
    ),
  },
  { isOutput: true },
);

export type StorageStatus = z.output<typeof storageStatusSchema>;
type StorageCondition = StorageStatus["conditions"][number];

/** What is read of a Job's status. */
export interface JobReport {
  readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
}

/** A storage's preparation, and its proxy. */
interface Parts {
  readonly namespace: string;
  /** Undefined where nothing is prepared. */
  readonly job: { readonly name: string; readonly report: JobReport } | undefined;
  /** Undefined where nobody browses it. */
  readonly proxy:
    | { readonly name: string; readonly namespace: string; readonly isReached: boolean }
    | undefined;
}

export function storageStatus({ namespace, job, proxy }: Parts): StorageStatus {
  const prepared = job && preparation(namespace, job.name, job.report);
  return {
    phase: prepared?.phase ?? "Ready",
    conditions: [...(prepared ? [prepared.condition] : []), ...(proxy ? [proxyRoute(proxy)] : [])],
  };
}

function preparation(namespace: string, job: string, { conditions = [] }: JobReport) {
  const holds = (type: string) => conditions.find((one) => one.type === type && one.status === "True");
  const says = (
    phase: StoragePhase,
    reason: string,
    message = "",
  ): { phase: StoragePhase; condition: StorageCondition } => ({
    phase,
    condition: { type: "Prepared", status: phase === "Ready", reason, message },
  });
  const see = `kubectl -n ${namespace} logs job/${job}`;
  if (holds("Complete") !== undefined) return says("Ready", "Complete");
  const failed = holds("Failed");
  if (failed === undefined) return says("Preparing", "Running", `it has not ended; see: ${see}`);
  const { reason = "Failed", message = "the Job has failed" } = failed;
  return says("Failed", reason, `${message}; see: ${see}`);
}

function proxyRoute({ name, namespace, isReached }: NonNullable<Parts["proxy"]>): StorageCondition {
  const type = "ProxyRoute";
  if (isReached) return { type, status: true, reason: "Routed", message: "" };
  const why = `kubectl -n ${namespace} describe service ${name}`;
  const message = `the proxy ${namespace}/${name} has no address; set browse.address, or wait for its LoadBalancer (${why}) and run pulumi up --refresh`;
  return { type, status: false, reason: "NoAddress", message };
}
