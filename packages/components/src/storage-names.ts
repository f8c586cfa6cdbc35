import { ArgsError, issueOf, type StoragePlan, wrong } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { InvalidArgsError } from "./invalid-args.ts";

// One stack's storages by their path; a program may run more than one stack in one process.
const taken = new WeakMap<pulumi.Resource, Map<string, string>>();

/** Two storages with one name would share claim and address; Kubernetes would notice only when one is made. */
export function reserveStorageName(logicalName: string, plan: StoragePlan): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined) return;
  const names = taken.get(stack) ?? new Map<string, string>();
  taken.set(stack, names);
  const other = names.get(plan.path);
  if (other !== undefined) {
    throw new InvalidArgsError(
      new ArgsError("StorageAccessor", logicalName, [
        issueOf({
          path: ["name"],
          ...wrong("storage-name-taken", { other, name: plan.name, namespace: plan.namespace }),
        }),
      ]),
    );
  }
  names.set(plan.path, logicalName);
}
