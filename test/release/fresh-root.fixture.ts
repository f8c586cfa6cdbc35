/**
 * A root of its own: the system's programs, a Node, and Pulumi with its provider. Nothing of this repository is on PATH,
 * in the home or above the folder of a project. The lab's provider and host of Node programs are run from where they
 * are, since this machine has no others.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheDir } from "@drawbridge-iac/lab";
import { type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { pulumiRelease } from "../support/engine/pulumi-release.ts";

/** What a Debian without anything installed has, and the network's settings. */
const system = ["/usr", "/bin", "/lib", "/lib64", "/sbin", "/etc", "/dev", "/proc"];
export const home = "/home/stranger";

export class FreshRoot {
  readonly folder: string;
  #env: Record<string, string> = {};

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<FreshRoot> {
    const root = new FreshRoot(await mkdtemp(join(tmpdir(), "drawbridge-root-")));
    const make = (...path: string[]) => mkdir(join(root.folder, ...path), { recursive: true });
    await Promise.all([make("tmp"), make(home, ".ssh"), make("opt/node"), make(tmpdir())]);
    await cp(process.execPath, join(root.folder, "opt/node/node"));
    const env = await pulumiRelease(join(root.folder, "opt/pulumi"));
    root.#env = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("PULUMI_")));
    return root;
  }

  write(path: string, text: string): Promise<void> {
    return writeFile(join(this.folder, path), text);
  }

  async copy(from: string, to: string): Promise<void> {
    await mkdir(join(this.folder, dirname(to)), { recursive: true });
    const kept = (path: string) => !path.includes("node_modules");
    await cp(from, join(this.folder, to), { recursive: true, filter: kept });
  }

  /** Runs lines as someone who has just logged in. Pulumi is on PATH only if asked for. */
  shell(lines: string, cwd: string, pulumi = true): Promise<Outcome> {
    const repository = [process.cwd(), cacheDir()].flatMap((place) => [place, `${this.folder}${place}`]);
    const mounts = [
      ...system.flatMap((place) => [place, `${this.folder}${place}`]),
      ...(pulumi ? repository : []),
      ...[npmCache, `${this.folder}/npm-cache`],
    ];
    const env = {
      HOME: home,
      PATH: `/opt/node:${pulumi ? "/opt/pulumi:" : ""}/usr/bin:/bin`,
      npm_config_cache: "/npm-cache",
      PULUMI_BACKEND_URL: `file://${home}`,
      PULUMI_CONFIG_PASSPHRASE: "only for tests",
      ...certificates(),
      ...(pulumi ? this.#env : {}),
    };
    const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    return run("unshare", ["--mount", "sh", "-euc", enter, "sh", this.folder, cwd, lines], {
      env: { MOUNTS: mounts.join("\n"), WORDS: words.join("\n") },
      timeoutSeconds: 900,
    });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

const npmCache = join(process.env.HOME ?? "/root", ".npm");

/** The variables that name the network's own authorities, which a stranger's shell needs too. */
const certificates = () =>
  Object.fromEntries(
    ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The mounts end with the process that has them. */
const enter = `
root=$1 folder=$2 lines=$3
echo "$MOUNTS" | while read -r from && read -r to; do
  [ -e "$from" ] || continue
  mkdir -p "$to"
  mount --rbind "$from" "$to"
done
set --
while read -r word; do set -- "$@" "$word"; done <<END
$WORDS
END
exec chroot "$root" /usr/bin/env -i "$@" bash -euo pipefail -c "cd $folder
$lines"
`;
