import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The pair with which service account tokens are signed and checked: `service-account.key` and `.pub`. */
export async function writeServiceAccountKey(folder: string): Promise<void> {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await Promise.all([
    writeFile(
      join(folder, "service-account.key"),
      // The controller manager's reader of private keys takes SEC 1 for elliptic curves.
      pair.privateKey.export({ type: "sec1", format: "pem" }),
      { mode: 0o600 },
    ),
    writeFile(join(folder, "service-account.pub"), pair.publicKey.export({ type: "spki", format: "pem" })),
  ]);
}
