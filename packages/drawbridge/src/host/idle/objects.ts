/** What a container's sleep adds to its objects: settings for culler and activator, and their rights to it. */

import { type Input, text, whenSettled } from "../../kit/input.ts";
import { metadataOf } from "../../kubernetes/manifest.ts";
import { joinName } from "../../kubernetes/names.ts";
import { type PolicyRule, role, roleBinding, serviceAccountSubject } from "../../kubernetes/rbac.ts";
import type { HostPlan } from "../plan.ts";
import { type IdleSettings, idleSettingsAnnotation } from "./contract.ts";
import { type IdlePlan, reportEvery, scheduleMinutes } from "./plan.ts";

/** The parts of a container's plan that its sleep needs. */
interface SleepingHost extends Pick<HostPlan, "namespace" | "labels" | "ssh" | "access"> {
  readonly names: { readonly workload: string };
  readonly idle: IdlePlan | undefined;
  readonly running: boolean;
  readonly stopWarningSeconds: Input<number>;
}

/** On the StatefulSet and not on its pods, so that a change restarts nothing. */
export function idleAnnotation(plan: SleepingHost): Record<string, Input<string>> {
  const { idle, running, stopWarningSeconds } = plan;
  if (idle === undefined) return {};
  const { accounts: _, ...own } = idle;
  // The schema makes sure that there is one.
  const { namespace = "", name = "" } = plan.access.gateway ?? {};
  const parts = { own, stopWarningSeconds, port: plan.ssh.port, gateway: text`${namespace}/${name}` };
  return {
    [idleSettingsAnnotation]: whenSettled(parts, ({ own, stopWarningSeconds, port, gateway }) => {
      const settings: IdleSettings = {
        stopAfter: own.stopAfterSeconds,
        silentSessions: own.silentSessionSeconds,
        warning: stopWarningSeconds,
        keepAwake: own.keepAwake.map((schedule) => ({
          timeZone: schedule.timeZone,
          minutes: scheduleMinutes(schedule),
        })),
        wake: own.wake,
        maxHold: own.wakeTimeoutSeconds,
        port,
        running,
        dryRun: own.dryRun,
        gateway,
        reportEvery: reportEvery(own),
        gpuAbovePercent: own.signals.gpuAbovePercent,
      };
      return JSON.stringify(settings);
    }),
    // Culler and activator own the number of pods once they have set it; a stack that sets it takes it back.
    "pulumi.com/patchForce": "true",
  };
}

/** Rights to this one container, given by its own stack: a container whose stack gives none is not put to sleep. */
export function idleGrants(plan: SleepingHost) {
  if (plan.idle === undefined) return [];
  const { workload } = plan.names;
  const { namespace, cullerServiceAccountName, activatorServiceAccountName } = plan.idle.accounts;
  const grant = (account: Input<string>, suffix: string, rules: PolicyRule[]) => {
    const metadata = metadataOf(joinName(workload, suffix), plan);
    return {
      role: role(metadata, rules),
      binding: roleBinding(metadata, [serviceAccountSubject(account, namespace)]),
    };
  };
  const scale = {
    apiGroups: ["apps"],
    resources: ["statefulsets/scale"],
    resourceNames: [workload],
    verbs: ["get", "patch"],
  };
  const pod = `${workload}-0`;
  return [
    grant(cullerServiceAccountName, "culler", [
      scale,
      { apiGroups: [""], resources: ["pods/log"], resourceNames: [pod], verbs: ["get"] },
    ]),
    grant(activatorServiceAccountName, "activator", [
      scale,
      { apiGroups: [""], resources: ["pods"], resourceNames: [pod], verbs: ["get", "list", "watch"] },
      // Why there is no pod stands nowhere else, and an Event cannot be named before it is there.
      { apiGroups: [""], resources: ["events"], verbs: ["list"] },
    ]),
  ];
}
