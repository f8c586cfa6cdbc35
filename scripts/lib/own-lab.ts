/** A lab that a command has for itself, and what its end takes along. */
import { down, ensureDebianPackages, execInLab, lineProgress, type UpOptions, up } from "@drawbridge-iac/lab";
import { childrenOf } from "../../packages/lab/src/cluster/host/processes.ts";

/** The laptop's programs in the tests. Inside a lab there is no package mirror, so they are brought before it starts. */
export const clientPackages = [
  "curl",
  "jq",
  "netcat-openbsd",
  "openssh-client",
  "openssl",
  "procps",
  "proxytunnel",
  "rsync",
];

/** What only the long tests use besides. */
export const browserPackages = ["chromium"];

/** Runs a command in a lab, which goes with it unless it is kept; returns the exit code. */
export async function inLab(
  { name, ...options }: UpOptions & { name: string },
  command: readonly string[],
  isKept = false,
): Promise<number> {
  const progress = lineProgress();
  await ensureDebianPackages(clientPackages, progress);
  try {
    await up({ name, ...options }, progress);
    return await execInLab(name, command);
  } finally {
    if (!isKept) await down(name);
  }
}

/** A signal ends what this process has started, which removes what it made, and only then this process itself. */
export function passSignalsOn(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      for (const child of childrenOf(process.pid)) process.kill(child, signal);
    });
  }
}
