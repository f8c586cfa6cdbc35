/** Whether a preview's components are of this guard's version: it makes their objects by its own builders. */
import { libraryVersion } from "@drawbridge-iac/manifests";
import type { Change } from "./change.ts";
import { type Failure, failure } from "./completeness.ts";
import { at } from "./finding.ts";
import { joined } from "./report-text.ts";

export function versionFailures(changes: readonly Change[]): Failure[] {
  const names = new Map<string | undefined, string[]>();
  for (const { type, isCustom, name, after } of changes) {
    if (isCustom || after === undefined || !type.startsWith("drawbridge:index:")) continue;
    const said = at(after, "library", "version");
    const version = isVersion(said) ? said : undefined;
    names.set(version, [...(names.get(version) ?? []), name]);
  }
  const others = [...names].filter(([version]) => version !== libraryVersion);
  const [other] = others;
  if (other === undefined) return [];
  const said = [...names]
    .map(([version, of]) => `${version ?? "an unknown one"} (${joined(of)})`)
    .join(" and ");
  return [
    failure(
      "other-version",
      names.size > 1
        ? `the components are of several versions of drawbridge, ${said}: bring all to one, and see what \`npm ls @drawbridge-iac/drawbridge\` says`
        : other[0] !== undefined
          ? `the components are of drawbridge ${said}, and this guard is of ${libraryVersion}: npm install --save-exact @drawbridge-iac/preview-guard@${other[0]}`
          : `the components do not say of which version of drawbridge they are (${joined(other[1])}), so that it is older than this guard: npm install --save-exact @drawbridge-iac/drawbridge@${libraryVersion}`,
    ),
  ];
}

const isVersion = (version: unknown): version is string => /^\d+\.\d+\.\d+[\w.-]*$/.test(String(version));
