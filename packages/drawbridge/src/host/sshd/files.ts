/** sshd's files as objects, and the annotations that roll a pod when they change. */

import {
  sshdAccountSh,
  sshdEmptyFolderSh,
  sshdPenaltiesSh,
  sshdProfileSh,
  teamStartupScriptSh,
} from "../../generated/programs.ts";
import { hashOf } from "../../kit/crypto.ts";
import {
  type Input,
  isEmpty,
  text,
  whenAllKnown,
  whenKnown,
  whenListed,
  whenRecorded,
  whenSettled,
} from "../../kit/input.ts";
import { filled } from "../../kit/program.ts";
import { configMap, secret } from "../../kubernetes/data.ts";
import { prefix } from "../../kubernetes/labels.ts";
import { compact } from "../../kubernetes/manifest.ts";
import { renderAuthorizedKeys } from "../keys/authorized-keys.ts";
import { bundleFolder } from "./bundle.ts";
import { engineFile, engineScript, engineStart } from "./engine.ts";
import {
  idleAgentScript,
  idleProgramFile,
  idleProgramText,
  idleSettingsFile,
  idleSettingsText,
} from "./idle-agent.ts";
import { isRoot, type SshdPlan } from "./plan.ts";
import { hostKeyFile, nextHostKeyFile, sshdConfig, sshdPaths } from "./sshd-config.ts";

/** The private keys are secret, the public ones in the order in which sshd has them. */
export interface ContainerHostKey {
  readonly privateKey: Input<string>;
  readonly nextPrivateKey: Input<string> | undefined;
  readonly publicKeys: Input<string[]>;
}

/** Annotation with the public keys, a line each, the current one first: by it a preview shows a change of keys. */
export const publicKeysAnnotation = `${prefix}/public-keys`;

/** A sshd's files: who may log in, the host key, and the rest. */
export function sshdManifests(plan: SshdPlan, { privateKey, nextPrivateKey, publicKeys }: ContainerHostKey) {
  const { names, user } = plan;
  const { userCa } = plan.ssh;
  return {
    // Mounted as a directory, never by subPath, so that a change reaches the running container: the next login, since
    // open sessions go on until `ssh.sessionsValidFrom`. A provider with `enableConfigMapMutable` changes it in place.
    authorizedKeys: configMap(names.authorizedKeys, plan, {
      authorized_keys: whenListed(plan.authorizedKeys, renderAuthorizedKeys),
      user_ca_keys: userCa && whenListed(userCa.keys, renderAuthorizedKeys),
      // A certificate must name one of these.
      principals:
        userCa &&
        whenListed(
          isEmpty(userCa.principals) ? [user.name] : userCa.principals,
          (known) => `${known.join("\n")}\n`,
        ),
    }),
    hostKey: secret(
      names.hostKey,
      plan,
      { [hostKeyFile]: privateKey, [nextHostKeyFile]: nextPrivateKey },
      { annotations: { [publicKeysAnnotation]: whenKnown(publicKeys, (known) => known.join("\n")) } },
    ),
    sshd: configMap(names.sshdConfig, plan, { ...sshdFiles(plan), ...idleSettings(plan) }),
  };
}

/** The files that sshd and its start script read once, at start. */
export function sshdFiles(plan: SshdPlan): Record<string, Input<string>> {
  return compact({
    ...sshdConfig(plan),
    prepare: prepareScript(plan),
    profile: sshdProfileSh,
    startup: plan.startupScript,
    [engineFile]: plan.containersInside ? engineScript(plan) : undefined,
    [idleProgramFile]: plan.idle === undefined ? undefined : idleProgramText(plan),
  }) as Record<string, Input<string>>;
}

/** The idle agent reads these again and again, so a change rolls the pod only where they are copied at start. */
export function idleSettings(plan: SshdPlan): Record<string, Input<string>> {
  return plan.idle === undefined ? {} : { [idleSettingsFile]: idleSettingsText(plan, plan.idle) };
}

/**
 * POSIX shell that the start script (images/sshd/drawbridge-sshd) sources before it starts sshd. `$sshd` is the program and
 * `$run` a writable folder. Nothing in it may fail the start: without sshd no user could log in to mend it.
 */
function prepareScript(plan: SshdPlan): Input<string> {
  const isOfRoot = isRoot(plan.user);
  const parts = [
    ...(isOfRoot ? [sshdEmptyFolderSh] : []),
    whenSettled({ NAME: plan.user.name, UID: plan.user.uid }, (known) =>
      filled(sshdAccountSh, { BUNDLE: bundleFolder, ...known, ROOT: isOfRoot }),
    ),
    filled(sshdPenaltiesSh, { HOST_KEY: hostKeyFile }),
    ...(plan.containersInside ? [engineStart(isOfRoot)] : []),
    ...(plan.startupScript === undefined ? [] : [filled(teamStartupScriptSh, { CONFIG: sshdPaths.config })]),
    ...(plan.idle === undefined ? [] : [idleAgentScript(plan)]),
  ];
  return whenAllKnown(parts, (known) => known.join("\n"));
}

/** A new value makes a new pod; nothing less ends all that a session may have left running. */
export const sessionsValidFromAnnotation = `${prefix}/sessions-valid-from`;

/**
 * Annotations of the pod, which roll it when something changes that sshd reads at start.
 * @param copied a hash of what is read while sshd runs, keys and idle settings, where it is copied at start
 * (`containersInside`)
 */
export function sshdMarks(plan: SshdPlan, hostKeys?: Input<string>, copied?: Input<string>) {
  return compact({
    [`${prefix}/sshd-config`]: whenRecorded(sshdFiles(plan), hashOf),
    [`${prefix}/host-keys`]: hostKeys,
    // Only with `containersInside`: elsewhere keys are read at each login.
    [`${prefix}/authorized-keys`]: copied,
    // By these, programs that come over the Kubernetes API find the sshd that is already running.
    [`${prefix}/ssh-port`]: text`${plan.ssh.port}`,
    [`${prefix}/ssh-user`]: plan.user.name,
  }) as Record<string, Input<string>>;
}

/** A changed host key rolls the pod: sshd reads host keys at start. */
export const hostKeyMark = (publicKeys: Input<string[]>) => whenKnown(publicKeys, (known) => hashOf(known));
