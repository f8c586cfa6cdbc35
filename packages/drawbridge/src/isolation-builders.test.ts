/**
 * The same recorded objects, from the builders alone: no engine's library is loaded, so `npm run test:mutation` can ask
 * after each of thousands of changes.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { built } from "./built.fixture.ts";
import { asBuilt, isolationKinds } from "./isolation.fixture.ts";
import type { Manifest } from "./kubernetes/manifest.ts";

const title = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const byTitle = (all: readonly Manifest[]) => Object.fromEntries(all.map((one) => [title(one), one]));

/** The recorded objects; of workloads only a part is recorded, without their apiVersion. */
function recorded(name: string): Manifest[] {
  const file = fileURLToPath(new URL(`recorded/isolation-${name}.yaml`, import.meta.url));
  return parseAllDocuments(readFileSync(file, "utf8"))
    .map((document) => document.toJS() as Manifest)
    .filter((object) => "apiVersion" in object);
}

it.each(Object.entries(built))("are what is recorded: %s", (name, objects) => {
  const manifests = Object.values(objects()).flatMap((object) => (object ? [asBuilt(object.manifest)] : []));
  const present = manifests.filter(({ kind }) => isolationKinds.includes(kind));
  expect(byTitle(present)).toEqual(byTitle(recorded(name)));
});
