/** Where a storage stands, read from its preparation's Job. */

/** What is read of a Job's status. */
export interface JobStatus {
  readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
}

/**
 * `Ready`, `Preparing` or `Failed: <reason>`.
 * @param job status of the preparation's Job; undefined where the storage has none
 */
export function storageState(job: JobStatus | undefined): string {
  if (job === undefined) return "Ready";
  const holds = (type: string) => job.conditions?.find((one) => one.type === type && one.status === "True");
  if (holds("Complete") !== undefined) return "Ready";
  const failed = holds("Failed");
  if (failed === undefined) return "Preparing";
  return `Failed: ${[failed.reason, failed.message].filter((text) => text !== undefined).join(": ")}`;
}
