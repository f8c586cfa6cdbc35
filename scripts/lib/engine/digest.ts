/** Previews as `pulumi preview --json` prints them, and states made from them. */
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation/index.js";

/** A resource as digests and states hold it. */
export interface DigestResource {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly id?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly provider?: string;
  readonly parent?: string;
}

interface Digest {
  readonly steps: { readonly op: string; readonly newState?: DigestResource }[];
}

/** What the engine writes in the place of a string that is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
// How a state marks a secret.
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
// An ID for what the engine would make one up for: providers, and the references to them that previews do not know.
const providerId = "00000000-0000-4000-8000-000000000001";

/** An option of previews, as a variable: they show unchanged resources too. */
export const whole = { PULUMI_OPTION_SHOW_SAMES: "true" };

/**
 * The digest's text.
 * @param options flags of `pulumi preview`, as variables of their environment
 */
export async function previewDigest(
  stack: Stack,
  options: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { workspace } = stack;
  const before = workspace.envVars;
  // The Automation API has no argument for `--json`, but each flag can be set as a variable.
  workspace.envVars = { ...before, PULUMI_OPTION_JSON: "true", ...options };
  try {
    const { stdout } = await stack.preview();
    return stdout.slice(stdout.indexOf("{"));
  } finally {
    workspace.envVars = before;
  }
}

/** Values that previews show as `[secret]`: by type and name of the resource, then by property. */
export type KeptSecrets = Map<string, Record<string, unknown>>;

/** To be called at the start of a program: keeps what it registers, since a made-up state needs its secrets too. */
export function keepSecrets(kept: KeptSecrets): void {
  pulumi.runtime.registerStackTransformation(({ type, name, props }) => {
    const values: Record<string, unknown> = {};
    kept.set(`${type}::${name}`, values);
    for (const [property, value] of Object.entries(props)) {
      pulumi.output(value).apply((known) => {
        values[property] = known;
      });
    }
    return undefined;
  });
}

/**
 * Makes a stack look as if the program had been brought up: the state is what the preview planned.
 * @param earlier what an earlier version of the program would have left instead
 * @returns the URNs of resources with a value that the preview did not know, whose state is therefore incomplete
 */
export async function pretendUp(
  stack: Stack,
  secrets: KeptSecrets,
  earlier: (resources: DigestResource[]) => DigestResource[] = (resources) => resources,
): Promise<Set<string>> {
  const digest = JSON.parse(await previewDigest(stack)) as Digest;
  const planned = digest.steps.flatMap(({ newState }) =>
    newState === undefined ? [] : [stateOf(newState, secrets)],
  );
  const resources = [...defaultProviders(planned), ...planned];
  const { deployment: empty } = await stack.exportStack();
  const deployment = {
    secrets_providers: empty.secrets_providers,
    manifest: { time: new Date(0).toISOString(), magic: "", version: "" },
    resources: earlier(resources),
  };
  await stack.importStack({ version: 3, deployment });
  const incomplete = digest.steps.filter(({ newState }) =>
    JSON.stringify(newState?.inputs ?? {}).includes(unknown),
  );
  return new Set(incomplete.map(({ newState }) => newState?.urn ?? ""));
}

const secretsOf = ({ type, urn }: DigestResource, secrets: KeptSecrets) =>
  secrets.get(`${type}::${urn.split("::").at(-1)}`);

/** A resource as the state would hold it once it is made. */
function stateOf(planned: DigestResource, secrets: KeptSecrets): DigestResource {
  const known = JSON.parse(JSON.stringify(planned).replaceAll(unknown, providerId)) as DigestResource;
  if (!known.custom) return withSecrets(known, secrets);
  const metadata = known.inputs?.metadata as { name?: string; namespace?: string } | undefined;
  const id =
    metadata === undefined ? providerId : [metadata.namespace, metadata.name].filter(Boolean).join("/");
  const values = secretsOf(known, secrets) ?? {};
  const inputs = Object.fromEntries(
    Object.entries(known.inputs ?? {}).map(([property, value]) => [
      property,
      value === "[secret]" ? values[property] : value,
    ]),
  );
  // A provider's state has its settings, without what the engine notes beside them.
  const { __internal, ...settings } = inputs;
  if (known.type.startsWith("pulumi:providers:")) return { ...known, inputs, outputs: settings, id };
  // The provider compares with `__inputs`, which it keeps beside the object.
  return { ...known, inputs, outputs: { ...inputs, __inputs: inputs }, id };
}

/** A component's inputs, in which the engine keeps a secret as one wherever it stands. */
function withSecrets(component: DigestResource, secrets: KeptSecrets): DigestResource {
  const restored = (value: unknown, kept: unknown): unknown => {
    // Nothing is kept of an argument that is partly unknown; its secrets then count as changed too.
    const text = JSON.stringify(kept ?? value);
    if (value === "[secret]") return { [signature]: secretSignature, plaintext: text };
    if (typeof value !== "object" || value === null) return value;
    const inner = (key: string) => (kept as Record<string, unknown> | undefined)?.[key];
    if (Array.isArray(value)) return value.map((one, index) => restored(one, inner(`${index}`)));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, restored(one, inner(key))]));
  };
  const kept = secretsOf(component, secrets);
  return { ...component, inputs: restored(component.inputs ?? {}, kept) as Record<string, unknown> };
}

/** Previews leave default providers out. */
function defaultProviders(resources: readonly DigestResource[]): DigestResource[] {
  const used = new Set(resources.map(({ provider }) => provider ?? ""));
  return [...used].flatMap((reference) => {
    const found = /::(pulumi:providers:\w+)::default(?:_([0-9_]+))?::/.exec(reference);
    if (found === null) return [];
    const [, type = "", version] = found;
    const urn = reference.slice(0, reference.lastIndexOf("::"));
    const inputs = version === undefined ? {} : { version: version.replaceAll("_", ".") };
    return [{ urn, type, custom: true, id: providerId, inputs, outputs: inputs }];
  });
}
