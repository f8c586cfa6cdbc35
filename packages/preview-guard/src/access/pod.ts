/** Pods and pod templates: their rights on the node and over the Kubernetes API. */
import { safeSysctls, sshdLabel } from "@drawbridge-iac/manifests";
import { at } from "../finding.ts";
import { type Inputs, isOf, listAt, mapAt, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, gains, loses, setEffects } from "./effect.ts";
import { podFields, sandboxFields } from "./known-pod-fields.ts";
import { unknownKeys } from "./placeholder.ts";
import { accountOf, sourceEffects, sourcesDeciding } from "./pod-sources.ts";
import { containersOf, hasInjectedSshd, podSpecOf, templateOf, unseenGroups } from "./pod-template.ts";
import { demandsOf, selects } from "./selector.ts";

/** The fields of a pod that decide on access. */
export function podDeciding(inputs: Inputs, { kind }: ObjectPair): Record<string, unknown> {
  const template = templateOf(inputs, kind);
  const spec = mapAt(template, "spec");
  const { serviceAccountName, automountServiceAccountToken, securityContext, hostNetwork, hostUsers } = spec;
  return {
    labels: at(template, "metadata", "labels"),
    networks: networksOf(template),
    serviceAccountName,
    automountServiceAccountToken,
    securityContext,
    hostNetwork,
    hostUsers,
    ...sourcesDeciding(spec),
    containers: containersOf(spec).map(({ securityContext }) => securityContext),
    ...unseenGroups(inputs, kind),
  };
}

export function podUnknownFields(inputs: Inputs, { kind }: ObjectPair): string[] {
  return [
    ...unknownKeys(podSpecOf(inputs, kind), podFields, "pod"),
    ...(kind === "Sandbox" ? unknownKeys(mapAt(inputs, "spec"), sandboxFields, "spec") : []),
  ];
}

export function podEffects(pair: ObjectPair, context: AccessContext): Effect[] {
  const { kind, before, after, isOwnerNew } = pair;
  if (after === undefined) return [];
  const [was, is] = [powers(templateOf(before, kind), pair), powers(templateOf(after, kind), pair)];
  const isNewPlatformProgram = isOwnerNew && isOf(pair, "SshGateway", "FrpServer", "StorageProxy");
  const gained = [...is].filter(([power]) => !was.has(power));
  return [
    ...gained.map(([text, isToken]) =>
      // The platform's programs need the Kubernetes API.
      isToken && isNewPlatformProgram ? gains(text) : crosses("pod-privileges", text),
    ),
    ...[...was.keys()].filter((power) => !is.has(power)).map((power) => loses(`no longer: ${power}`)),
    ...sourceEffects(pair),
    ...accounts(pair),
    ...networks(pair),
    ...labels(pair),
    ...withoutIsolation(pair, context),
  ];
}

/** Powers of a pod by their text; true for those over the Kubernetes API. */
function powers(template: unknown, { name }: ObjectPair): Map<string, boolean> {
  const spec = at(template, "spec");
  const found = new Map<string, boolean>();
  if (spec === undefined) return found;
  for (const host of ["hostNetwork", "hostPID", "hostIPC"])
    if (at(spec, host) === true) found.set(`its pod shares ${host} with the node`, false);
  for (const sysctl of listAt(spec, "securityContext", "sysctls")) {
    const name = String(at(sysctl, "name"));
    if (!safeSysctls.includes(name)) found.set(`its pod sets the sysctl ${name}`, false);
  }
  for (const volume of listAt(spec, "volumes")) {
    if (at(volume, "hostPath") !== undefined)
      found.set(`its pod mounts the node's ${at(volume, "hostPath", "path")}`, false);
    for (const source of listAt(volume, "projected", "sources"))
      if (at(source, "serviceAccountToken") !== undefined) found.set(tokenText(spec), true);
  }
  const account = accountOf(mapAt(spec));
  const isMounted = isTokenMounted(mapAt(spec));
  if (isMounted) found.set(tokenText(spec), true);
  if (account !== undefined && isMounted) found.set(`its pod acts as service account ${account}`, true);
  for (const container of containersOf(spec))
    for (const power of containerPowers(
      container,
      mapAt(spec, "securityContext"),
      at(spec, "hostUsers") === false,
    ))
      found.set(`container ${container.name ?? name} ${power}`, false);
  return found;
}

/** A change of an account without its token: a cloud may know the pod by it. With its token it is among the powers. */
function accounts({ kind, before, after }: ObjectPair): Effect[] {
  const [was, is] = [podSpecOf(before, kind), podSpecOf(after, kind)];
  const of = (spec: Inputs) => (isTokenMounted(spec) ? [] : [accountOf(spec) ?? []].flat());
  if (before === undefined || isTokenMounted(is) || accountOf(was) === accountOf(is)) return [];
  const text = (account: string) => `its pod is service account ${account}, by which a cloud may know it`;
  return setEffects(of(was).map(text), of(is).map(text), gains, (text) => loses(`no longer: ${text}`));
}

// https://github.com/k8snetworkplumbingwg/multus-cni
const networkAnnotations = ["k8s.v1.cni.cncf.io/networks", "v1.multus-cni.io/default-network"];

function networksOf(template: unknown): unknown[] {
  const annotations = mapAt(template, "metadata", "annotations");
  return networkAnnotations.map((name) => annotations[name]).filter((value) => value !== undefined);
}

/** An additional network of the pod, where NetworkPolicies do not apply. */
function networks({ kind, before, after }: ObjectPair): Effect[] {
  const was = networksOf(templateOf(before, kind));
  return networksOf(templateOf(after, kind))
    .filter((value) => !was.includes(value))
    .map((value) =>
      crosses("network-wall", `its pods join the network ${value}, where no NetworkPolicy holds`),
    );
}

function isTokenMounted(spec: Inputs): boolean {
  return spec.automountServiceAccountToken !== false;
}

function tokenText(spec: unknown): string {
  return `its pod holds a token of the Kubernetes API (service account ${at(spec, "serviceAccountName") ?? "default"})`;
}

/** @param hasOwnUsers where the pod has a user namespace of its own, root and its capabilities are nothing on the node */
function containerPowers(container: Inputs, pod: Inputs, hasOwnUsers: boolean): string[] {
  const own = mapAt(container, "securityContext");
  const either = (field: string) => own[field] ?? pod[field];
  const seccomp = mapAt(own, "seccompProfile").type ?? mapAt(pod, "seccompProfile").type;
  const appArmor = mapAt(own, "appArmorProfile").type ?? mapAt(pod, "appArmorProfile").type;
  const ports = listAt(container, "ports").filter((port) => (at(port, "hostPort") ?? 0) !== 0);
  return [
    ...(own.privileged === true ? ["is privileged"] : []),
    ...(own.allowPrivilegeEscalation === true
      ? [hasOwnUsers ? "may be root inside, which is nobody on the node" : "may gain privileges"]
      : []),
    ...(either("runAsUser") === 0 && !hasOwnUsers ? ["runs as root"] : []),
    ...(either("runAsNonRoot") === false && !hasOwnUsers ? ["may run as root"] : []),
    ...listAt(own, "capabilities", "add").map(
      (one) => `has the capability ${one}${hasOwnUsers ? " in its pod's own user namespace" : ""}`,
    ),
    ...(seccomp === "Unconfined" ? ["runs without seccomp"] : []),
    ...(appArmor === "Unconfined" ? ["runs without AppArmor"] : []),
    ...(own.procMount !== undefined && own.procMount !== "Default" ? [`has procMount ${own.procMount}`] : []),
    ...ports.map((port) => `takes port ${at(port, "hostPort")} of its node`),
    ...(at(own, "windowsOptions", "hostProcess") === true ? ["is a host process"] : []),
  ];
}

const partLabel = "app.kubernetes.io/component";
const wallLabels = [partLabel, "app.kubernetes.io/instance", "drawbridge.dev/team"];
const partOf: Readonly<Record<string, string>> = {
  "ssh-gateway": "SshGateway",
  "storage-proxy": "StorageProxy",
  "frp-server": "FrpServer",
};

/** NetworkPolicies find pods by these labels. */
function labels(pair: ObjectPair): Effect[] {
  const of = (inputs: Inputs | undefined) => mapAt(templateOf(inputs, pair.kind), "metadata", "labels");
  const [was, is] = [of(pair.before), of(pair.after)];
  // If sshd is removed along with its label, its wall has nothing left to guard.
  const all = hasInjectedSshd(templateOf(pair.after, pair.kind)) ? [...wallLabels, sshdLabel] : wallLabels;
  const lost = all.filter(
    (label) => pair.before !== undefined && was[label] !== undefined && was[label] !== is[label],
  );
  const part = String(is[partLabel] ?? "");
  const isBorrowed = part in partOf && was[partLabel] !== part && !isOf(pair, partOf[part] ?? "");
  return [
    ...lost.map((label) =>
      crosses("network-wall", `its pods lose the label ${label}=${was[label]}, by which walls find them`),
    ),
    ...(isBorrowed
      ? [
          crosses(
            "network-wall",
            `its pods take the label ${partLabel}=${part}, by which the platform's programs are let in`,
          ),
        ]
      : []),
  ];
}

/** Requires a NetworkPolicy for a new container, storage or frpc. */
function withoutIsolation(pair: ObjectPair, { pairs }: AccessContext): Effect[] {
  if (
    pair.before !== undefined ||
    !isOf(pair, "DevContainer", "StorageAccessor", "SshRoute") ||
    !pair.groupKind?.startsWith("apps/")
  )
    return [];
  const own = demandsOf({ matchLabels: mapAt(templateOf(pair.after, pair.kind), "metadata", "labels") });
  // An existing component may have an unchanged policy, which the preview does not list.
  const hasPolicy = pairs.some(
    (wall) =>
      wall.kind === "NetworkPolicy" &&
      wall.after !== undefined &&
      ["Ingress", "Egress"].every((type) => listAt(wall.after, "spec", "policyTypes").includes(type)) &&
      wall.namespace === pair.namespace &&
      selects(demandsOf(at(wall.after, "spec", "podSelector")), own),
  );
  return hasPolicy || !pair.isOwnerNew
    ? []
    : [crosses("network-wall", "no NetworkPolicy of this preview would select its pods")];
}
