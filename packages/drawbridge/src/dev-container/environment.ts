/** The environment of the container's processes, which its sessions get too; secret values are in a Secret of its own. */

import { egressEnvironment, withoutProxy } from "../host/egress/environment.ts";
import type { EgressPlan } from "../host/egress/plan.ts";
import { engineEnvironment } from "../host/sshd/engine.ts";
import { keyedMark, slowMark } from "../kit/crypto.ts";
import { type Input, text, whenAllKnown } from "../kit/input.ts";
import { type Resolve, secretValues } from "../kit/resolve.ts";
import { prefix } from "../kubernetes/labels.ts";
import { compact, ifAny } from "../kubernetes/manifest.ts";
import { literalEnv, secretSources, sourcedEnv } from "../kubernetes/pod.ts";
import type { DevContainerParsed } from "./args.ts";
import type { EnvSources } from "./args-environment.ts";
import type { MountsPlan } from "./args-mounts.ts";

/** Where the CA bundle is mounted. */
export const trustedCaFolder = "/etc/drawbridge/ca";

// Each tool reads its own: OpenSSL, Python, Node.js, git, curl, pip, the AWS SDKs.
const caVariables = [
  "SSL_CERT_FILE",
  "REQUESTS_CA_BUNDLE",
  "NODE_EXTRA_CA_CERTS",
  "GIT_SSL_CAINFO",
  "CURL_CA_BUNDLE",
  "PIP_CERT",
  "AWS_CA_BUNDLE",
];

type Sources = Pick<
  DevContainerParsed,
  "trustedCa" | "proxy" | "egress" | "env" | "user" | "containersInside"
> &
  Pick<MountsPlan, "mounts" | "storage" | "volumeMounts">;

/** What is declared wins over what proxy, CA bundle and engine add. */
export function containerEnvironment(args: Sources, homePath: Input<string>): Record<string, Input<string>> {
  return {
    // An image that knows nothing of the user has no home for it.
    HOME: homePath,
    USER: args.user.name,
    ...caEnvironment(args.trustedCa),
    ...(args.egress.hosts === undefined ? proxyEnvironment(args.proxy) : {}),
    ...(args.containersInside ? engineEnvironment : {}),
    ...gitEnvironment(args),
    ...args.env,
  };
}

function caEnvironment(bundle: Sources["trustedCa"]): Record<string, Input<string>> {
  if (bundle === undefined) return {};
  return Object.fromEntries(caVariables.map((name) => [name, text`${trustedCaFolder}/${bundle.key}`]));
}

/** The top folder of a mounted volume belongs to root and the user's group, and git trusts the user's own folders alone. */
function gitEnvironment({ env, mounts, storage, volumeMounts }: Sources): Record<string, string> {
  const folders = [...mounts, ...storage, ...volumeMounts].map(({ mountPath }) => mountPath);
  if (folders.length === 0 || env.GIT_CONFIG_COUNT !== undefined) return {};
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(folders.length)],
    ...folders.flatMap((folder, index) => [
      [`GIT_CONFIG_KEY_${index}`, "safe.directory"],
      [`GIT_CONFIG_VALUE_${index}`, folder],
    ]),
  ]);
}

/** Both spellings: curl heeds only the lower-case http_proxy, other tools only the upper-case one. */
function proxyEnvironment(proxy: Sources["proxy"]): Record<string, Input<string>> {
  if (proxy === undefined) return {};
  const except = [...withoutProxy, ...proxy.except];
  const variables = {
    HTTP_PROXY: proxy.http,
    HTTPS_PROXY: proxy.https ?? proxy.http,
    NO_PROXY: whenAllKnown(except, (all) => all.join(",")),
  };
  return Object.fromEntries(
    Object.entries(compact(variables)).flatMap(([name, value]) => [
      [name, value],
      [name.toLowerCase(), value],
    ]),
  );
}

/** Annotation of the pod with the mark of the secret values, which are read at start. */
export const secretEnvAnnotation = `${prefix}/secret-env`;

/** The key of a variable in the Secret: its name, below that of the init container or sidecar that has it. */
const keyOf = (name: string, helper?: string) => (helper === undefined ? name : `${helper}.${name}`);

/** Every secret variable of the pod, by its key in the Secret; undefined where there is none. */
export function secretEnvOf({
  secretEnv,
  initContainers,
  sidecars,
}: Pick<DevContainerParsed, "secretEnv"> & Pick<DevContainerParsed["pod"], "initContainers" | "sidecars">):
  | Readonly<Record<string, Input<string>>>
  | undefined {
  const helpers = [...initContainers, ...sidecars].flatMap((helper) =>
    Object.entries(helper.secretEnv).map(([name, value]) => [keyOf(name, helper.name), value] as const),
  );
  return ifAny({ ...secretEnv, ...Object.fromEntries(helpers) });
}

/**
 * The mark of the secret values.
 * @param key the secret that the host key is made of, if there is one
 */
export function secretEnvMark(
  place: string,
  values: Readonly<Record<string, string>>,
  key: string | undefined,
): string {
  const text = JSON.stringify(values);
  return key === undefined ? slowMark(place, text) : keyedMark(key, place, text);
}

/** Values of a pod's secret environment variables, and a mark of them that restarts the pod when one changes. */
export function secretEnvironment(plan: SecretEnvironment, resolve: Resolve) {
  const all = secretEnvOf(plan);
  if (all === undefined) return undefined;
  const values = secretValues(all, resolve);
  const key = plan.hostKey?.seed ?? plan.hostKey?.privateKey;
  const mark = resolve.mark({ place: plan.hostIdentity, values: all, key }, (known) =>
    secretEnvMark(known.place, known.values, known.key),
  );
  return { values, mark };
}

type SecretEnvironment = Parameters<typeof secretEnvOf>[0] &
  Pick<DevContainerParsed, "hostKey"> & { readonly hostIdentity: Input<string> };

interface Variables extends Pick<DevContainerParsed, "secretEnv" | "envValueFrom" | "envFrom"> {
  readonly byName?: EgressPlan | undefined;
  readonly proxy?: DevContainerParsed["proxy"];
  readonly egress?: Pick<DevContainerParsed["egress"], "allow">;
  readonly environment: Readonly<Record<string, Input<string>>>;
}

/**
 * A container's `env` and `envFrom`. What has a source wins over what proxy, CA bundle and engine add.
 * @param secret name of the Secret with the secret values
 * @param helper the init container or sidecar that it is; none for the container itself
 */
export function containerVariables(variables: Variables, secret: string, helper?: string) {
  const { environment, secretEnv, envValueFrom, envFrom } = variables;
  const sources: EnvSources = {
    ...envValueFrom,
    ...secretSources(secret, secretEnv, (name) => keyOf(name, helper)),
  };
  const literal = Object.entries(environment).filter(([name]) => sources[name] === undefined);
  return {
    env: ifAny([
      ...proxiedEnv(variables, new Set([...Object.keys(environment), ...Object.keys(sources)])),
      ...literalEnv(Object.fromEntries(literal)),
      ...sourcedEnv(sources),
    ]),
    envFrom: ifAny(envFrom),
  };
}

/** What a container's programs need to reach hosts by name, except what someone declared himself. */
function proxiedEnv({ byName, proxy, egress }: Variables, declared: ReadonlySet<string>) {
  if (byName === undefined) return [];
  const networks = (egress?.allow ?? []).map(({ cidr }) => cidr);
  return egressEnvironment(byName, [...networks, ...(proxy?.except ?? [])], declared);
}
