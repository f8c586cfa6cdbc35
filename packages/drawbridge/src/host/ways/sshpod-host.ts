/**
 * Host names of the sshpod way: `pod--web-0.namespace--team-a.sshpod`. They are in no DNS; the name itself says
 * where to go. This file imports nothing, because it is read at the start of every connection.
 */

/** Ends every host name of the sshpod way. */
export const sshpodSuffix = ".sshpod";

export const targetKinds = ["pod", "deployment", "job"] as const;
const keys = [...targetKinds, "container", "namespace", "context"] as const;
type Key = (typeof keys)[number];

/** What is reached: a pod by its name, or a ready pod of a Deployment or a Job. */
export type SshpodTargetKind = (typeof targetKinds)[number];

/** A host name of the sshpod way, taken apart. */
export interface SshpodHost {
  readonly kind: SshpodTargetKind;
  readonly name: string;
  /** @default the pod's only container */
  readonly container?: string;
  /** @default the context's namespace, else `default` */
  readonly namespace?: string;
  /** @default the current context */
  readonly context?: string;
}

/**
 * Takes a host name apart. The parts may stand in any order; a dot inside a value is kept, as in
 * `pod--web.v2.namespace--team-a.sshpod`.
 */
export function parseSshpodHost(host: string): SshpodHost {
  const refuse = (fault: string) =>
    new Error(
      `the host name ${JSON.stringify(host)} ${fault}; write it like pod--NAME.namespace--NAMESPACE${sshpodSuffix}, with deployment-- or job-- in place of pod--, and container--NAME. or context--NAME. where needed`,
    );
  if (!host.toLowerCase().endsWith(sshpodSuffix)) throw refuse(`does not end in ${sshpodSuffix}`);
  const found = new Map<Key, string>();
  let last: Key | undefined;
  for (const part of host.slice(0, -sshpodSuffix.length).split(".")) {
    const key = keys.find((candidate) => part.startsWith(`${candidate}--`));
    if (key === undefined) {
      if (last === undefined)
        throw refuse(`has ${JSON.stringify(part)} where ${keys.join("--, ")}-- could be`);
      found.set(last, `${found.get(last)}.${part}`);
      continue;
    }
    if (found.has(key)) throw refuse(`says ${key}-- twice`);
    found.set(key, part.slice(key.length + 2));
    last = key;
  }
  for (const [key, value] of found) {
    if (!allowed(key, value))
      throw refuse(`has ${JSON.stringify(value)} after ${key}--, which is not a name`);
  }
  const kinds = targetKinds.filter((kind) => found.has(kind));
  const [kind] = kinds;
  if (kind === undefined) throw refuse("names neither a pod nor a deployment nor a job");
  if (kinds.length > 1) throw refuse(`names ${kinds.join(" and ")}, of which there can be one`);
  const { [kind]: name = "", ...where } = Object.fromEntries(found);
  return { kind, name, ...where };
}

/** The host name that leads to a target. Throws if it would lead to another: a pod may be called `a.context--prod`. */
export function sshpodHostName(host: SshpodHost): string {
  const parts = [
    host.container === undefined ? [] : [`container--${host.container}`],
    [`${host.kind}--${host.name}`],
    host.namespace === undefined ? [] : [`namespace--${host.namespace}`],
    host.context === undefined ? [] : [`context--${host.context}`],
  ];
  const name = `${parts.flat().join(".")}${sshpodSuffix}`;
  const read = parseSshpodHost(name);
  if (read.kind === host.kind && read.name === host.name && sameWhere(read, host)) return name;
  throw new Error(`${JSON.stringify(host.name)} cannot be reached by a host name: ${name} leads elsewhere`);
}

const sameWhere = (one: Partial<SshpodHost>, other: Partial<SshpodHost>) =>
  (["container", "namespace", "context"] as const).every((key) => one[key] === other[key]);

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** The names go into paths of the Kubernetes API, so nothing else may pass. A context may hold more, but
 * nothing that makes a pattern or a list in an ssh_config. */
function allowed(key: Key, value: string): boolean {
  if (key === "context") return /^[A-Za-z0-9_][A-Za-z0-9._:/+@-]*$/.test(value);
  if (value.length > 253) return false;
  const labels = key === "container" || key === "namespace" ? [value] : value.split(".");
  return labels.every((part) => label.test(part));
}
