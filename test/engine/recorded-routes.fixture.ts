/** Routes of the recorded states, which an earlier version made, under the names of an attack's place. */
import { readdirSync, readFileSync } from "node:fs";
import type { ApiObject } from "../support/attacks/api-user.ts";
import type { Place } from "../support/attacks/attack.ts";

const folder = new URL("../recorded/", import.meta.url);

export function recordedRoutes(place: Place): ApiObject[] {
  const states = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("state.json"),
  );
  return states.flatMap((file) => {
    const found: ApiObject[] = [];
    JSON.parse(readFileSync(new URL(file, folder), "utf8"), (_, value) => {
      if (value?.kind === "VirtualService" && value.spec?.hosts !== undefined)
        found.push(renamed(value, place));
      return value;
    });
    return found;
  });
}

interface Recorded {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly gateways: readonly [string] };
}

function renamed({ apiVersion, kind, metadata, spec }: Recorded, { gateway, team }: Place): ApiObject {
  const [namespace, name] = spec.gateways[0].split("/");
  const route = { apiVersion, kind, metadata: { name: metadata.name, namespace: team }, spec };
  return JSON.parse(
    JSON.stringify(route)
      .replaceAll(`"${namespace}/${name}"`, `"${gateway.namespace}/${gateway.name}"`)
      .replaceAll(`"${namespace}"`, `"${gateway.namespace}"`)
      .replaceAll(`.${metadata.namespace}.`, `.${team}.`),
  );
}
