/**
 * Images of the platform's own pods, whose rights all share: every one in what its components make, whichever argument
 * or setting it comes from. A team's images are the team's.
 */
import { ownImages, publicImages } from "@drawbridge-iac/drawbridge/src/kubernetes/images";
import { hidden } from "./arguments/sets.ts";
import type { Bounds } from "./bounds.ts";
import type { Change } from "./change.ts";
import { crosses, type Effect } from "./effect.ts";
import { templateOf } from "./objects.ts";
import { generatedOf } from "./ours/components.ts";
import type { Found } from "./ours/index.ts";
import { at, hasHidden, listAt } from "./values.ts";
import { ofPlatform } from "./whose.ts";

const isPlatform = ({ type, isCustom }: Change) =>
  !isCustom && ofPlatform.some((kind) => type === `drawbridge:index:${kind}`);

/** What comes with the library; `auto` leaves it to Istio. */
const standard: ReadonlySet<string> = new Set([...Object.values(publicImages), ...ownImages, "auto"]);

/** @param isFirst whether the stack had nothing before, so that there is nothing that it could take the place of */
export function imageEffects(changes: readonly Change[], bounds: Bounds, isFirst: boolean): Found[] {
  if (isFirst && bounds.registries.length === 0) return [];
  const shown = changes
    .filter(isPlatform)
    .map((change) => ({ change, was: imagesOf(change, "before"), is: imagesOf(change, "after") }));
  const had = new Set(shown.flatMap(({ was }) => [...was].flatMap((image) => repositoryOf(image) ?? [])));
  return shown.flatMap(({ change, was, is }) =>
    [...is]
      .filter((image) => change.op !== "same" && !was.has(image))
      .flatMap((image) => imageEffect(image, had, bounds).map((effect) => ({ change, effect }))),
  );
}

function imageEffect(image: unknown, had: ReadonlySet<string>, { registries }: Bounds): Effect[] {
  const repository = repositoryOf(image);
  if (typeof image !== "string" || repository === undefined) return [hidden("an image of its pods")];
  const found = (text: string) => [crosses("cluster-rights", `the image ${image} ${text}`)];
  if (registries.length === 0)
    return standard.has(image) || had.has(repository)
      ? []
      : found(
          "of its pods is neither the library's nor from where one of the platform's was: name its registry",
        );
  const from = registries.filter(({ name }) => `${repository}/`.startsWith(`${onHost(name)}/`));
  if (image === "auto" || from.some(({ digest }) => !digest || /@sha256:[0-9a-f]{64}$/.test(image)))
    return [];
  return found(
    from.length === 0
      ? "of its pods is from none of the platform's registries"
      : "of its pods has to be named by its digest",
  );
}

/** Images of what it makes; arguments that cannot be read are told elsewhere. */
function imagesOf(change: Change, side: "before" | "after"): ReadonlySet<unknown> {
  const inputs = change[side];
  const made = inputs === undefined ? undefined : generatedOf(change.urn, inputs);
  if (made === undefined || typeof made === "string") return new Set();
  const pods = [...made.objects.values()].map(({ manifest }) => templateOf(manifest, manifest.kind));
  const containers = pods.flatMap((pod) =>
    ["containers", "initContainers"].flatMap((list) => listAt(pod, "spec", list)),
  );
  return new Set(containers.map((one) => at(one, "image")));
}

/** `docker.io/fatedier/frps` of `fatedier/frps:v0.70.1`. */
function repositoryOf(image: unknown): string | undefined {
  if (typeof image !== "string" || hasHidden(image)) return undefined;
  return onHost(image.replace(/@[^@]*$/, "").replace(/:[^:/]*$/, ""), "library/");
}

/** @param alone what Docker's own images are in */
function onHost(name: string, alone = ""): string {
  const [host = "", ...path] = name.split("/");
  if (/[.:]|^localhost$/.test(host)) return name;
  return `docker.io/${path.length === 0 ? alone : ""}${name}`;
}
