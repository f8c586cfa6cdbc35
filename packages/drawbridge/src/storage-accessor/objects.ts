import { hashOf } from "../kit/crypto.ts";
import { type Input, whenKnown } from "../kit/input.ts";
import { secret, volumeClaim } from "../kubernetes/data.ts";
import { allAfter, declared, type Objects } from "../kubernetes/objects.ts";
import type { SecretValues } from "../kubernetes/pod.ts";
import { fileServerDeployment, tokenCheckConfigMap } from "./deployment.ts";
import { credentialsSecret } from "./dufs.ts";
import { fileServerNetworkPolicy, fileServerService } from "./network.ts";
import type { StoragePlan } from "./plan.ts";
import { prepareJob } from "./prepare-job.ts";

/** What a storage's objects are made of besides its arguments. */
export interface StorageSecrets {
  /** Secret: dufs's rules. */
  readonly rules: Input<string>;
  /** A mark of the rules that is safe to show. */
  readonly rulesMark: Input<string>;
  /** Text of the token check's configuration. */
  readonly tokenCheck: Input<string> | undefined;
  /** Secret: the preparation's variables; undefined where there are none. */
  readonly prepareEnv: SecretValues | undefined;
}

/** A storage's objects. */
export function storageObjects(plan: StoragePlan, secrets: StorageSecrets) {
  const { prepare } = plan;
  return {
    claim:
      plan.claimName === undefined &&
      // It stays by retainOnDelete and not by protect: a protected resource would make the removal itself fail.
      declared(volumeClaim(plan, plan.names.claim, plan), { kept: true }),
    "prepare-env": secrets.prepareEnv && declared(secret(plan.names.prepareEnv, plan, secrets.prepareEnv)),
    prepare:
      prepare &&
      declared(prepareJob(plan, prepare), {
        suffix: `prepare-${prepare.revision}`,
        after: ["claim", "prepare-env"],
        // A changed command must not touch data that people work with: only another revision runs it.
        ignoreChanges: ["spec"],
        createTimeoutSeconds: prepare.activeDeadlineSeconds + 60,
      }),
    ...allAfter(["claim", "prepare"], accessObjects(plan, secrets)),
  };
}

export type StorageAccessorObjects = ReturnType<typeof storageObjects>;

/** The Service stays while the file server is switched off; then only what answers there is missing. */
function accessObjects(plan: StoragePlan, { rules, rulesMark, tokenCheck }: StorageSecrets): Objects {
  const { fileServer, proxy } = plan;
  if (proxy === undefined) return {};
  const hasCredentials = fileServer !== undefined && fileServer.credentials.length > 0;
  const before = {
    service: declared(fileServerService(plan)),
    network: declared(fileServerNetworkPolicy(plan, proxy)),
  };
  const files = {
    credentials: hasCredentials && declared(credentialsSecret(plan, rules)),
    "token-check": tokenCheck !== undefined && declared(tokenCheckConfigMap(plan, tokenCheck)),
  };
  const marks = {
    ...(hasCredentials && { credentials: rulesMark }),
    ...(tokenCheck !== undefined && { "token-check": whenKnown(tokenCheck, (text) => hashOf(text)) }),
  };
  return {
    ...before,
    ...files,
    accessor:
      fileServer &&
      declared(fileServerDeployment(plan, fileServer, marks), {
        after: Object.keys({ ...before, ...files }),
      }),
  };
}
