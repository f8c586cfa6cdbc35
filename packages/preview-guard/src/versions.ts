/** Whether a preview's components are of this guard's version: it makes their objects by its own builders. */
import { libraryVersion } from "@drawbridge-iac/manifests";
import type { Change } from "./change.ts";
import { type Failure, failure } from "./completeness.ts";
import { at } from "./finding.ts";
import { joined } from "./report-text.ts";

export function versionFailures(changes: readonly Change[]): Failure[] {
  const components = changes.filter(
    ({ type, isCustom, after }) => !isCustom && after !== undefined && type.startsWith("drawbridge:index:"),
  );
  const byVersion = Map.groupBy(components, ({ after }) => {
    const version = at(after, "library", "version");
    return isVersion(version) ? version : undefined;
  });
  const names = [...byVersion].map(([version, of]) => [version, joined(of.map(({ name }) => name))] as const);
  const other = names.find(([version]) => version !== libraryVersion);
  if (other === undefined) return [];
  const said = names.map(([version, of]) => `${version ?? "an unknown one"} (${of})`).join(" and ");
  const fault = (text: string) => [failure("other-version", text)];
  if (names.length > 1) {
    return fault(
      `the components are of several versions of drawbridge, ${said}: bring all to one, and see what \`npm ls @drawbridge-iac/drawbridge\` says`,
    );
  }
  const [version, of] = other;
  if (version === undefined) {
    return fault(
      `the components do not say of which version of drawbridge they are (${of}), so that it is older than this guard: npm install --save-exact @drawbridge-iac/drawbridge@${libraryVersion}`,
    );
  }
  return fault(
    `the components are of drawbridge ${said}, and this guard is of ${libraryVersion}: npm install --save-exact @drawbridge-iac/preview-guard@${version}`,
  );
}

const isVersion = (version: unknown): version is string => /^\d+\.\d+\.\d+[\w.-]*$/.test(String(version));
