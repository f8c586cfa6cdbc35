/** The laptop of somebody who does have a kubeconfig: the way in over the Kubernetes API. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sshdBundleFolder } from "../../test/support/clients/cli.ts";
import { type Laptop, run } from "../../test/support/lab/lab.ts";
import { succeeded } from "./steps.ts";

/** Logs in by `drawbridge proxy` with the block that docs/sshpod.md shows; returns what the remote command printed. */
export async function overTheApi(laptop: Laptop, target: string, remote: string): Promise<string> {
  const kept = join(laptop.folder, ".local", "state", "drawbridge", "sshpod");
  const config = join(laptop.folder, "sshpod_config");
  await writeFile(
    config,
    [
      "Host *.sshpod",
      `  ProxyCommand ${process.execPath} ${join(process.cwd(), "packages/cli/src/main.ts")} proxy --host %h --user %r --port %p`,
      `  IdentityFile ${join(kept, "id_ed25519")}`,
      "  IdentitiesOnly yes",
      "  StrictHostKeyChecking yes",
      `  UserKnownHostsFile ${join(kept, "known_hosts")}`,
      "",
    ].join("\n"),
  );
  const env = {
    HOME: laptop.folder,
    XDG_STATE_HOME: join(laptop.folder, ".local", "state"),
    // The published package brings the bundle along; here it comes from the lab's image.
    DRAWBRIDGE_SSHD_BUNDLE: await sshdBundleFolder(),
  };
  return succeeded(await run("ssh", ["-F", config, target, remote], { env, timeoutSeconds: 120 }), "ssh");
}
