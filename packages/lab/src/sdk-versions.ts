import { readFileSync } from "node:fs";

/** The release of the Kubernetes provider that the components' SDK asks for, and the oldest that they take. */
export function sdkVersions(): { readonly asked: string; readonly oldest: string } {
  const file = new URL("../../components/package.json", import.meta.url);
  const { peerDependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
  const name = "@pulumi/kubernetes";
  return { asked: devDependencies[name], oldest: peerDependencies[name].replace("^", "") };
}
