import { mkdir } from "node:fs/promises";
import type { Layout } from "../layout.ts";
import { issueAll } from "./authority.ts";
import { certificates } from "./certificates.ts";
import { writeKubeconfigs } from "./kubeconfig.ts";
import { writeServiceAccountKey } from "./service-account-key.ts";

/** Everything secret of an instance: its authority, its certificates, its kubeconfig files. */
export async function makeCredentials(layout: Layout): Promise<void> {
  await Promise.all(
    [layout.certificates, layout.kubeconfigs].map((folder) =>
      mkdir(folder, { recursive: true, mode: 0o700 }),
    ),
  );
  await Promise.all([
    issueAll(layout.certificates, certificates),
    writeServiceAccountKey(layout.certificates),
  ]);
  await writeKubeconfigs(layout);
}
