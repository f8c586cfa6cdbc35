/** What the runners of both vendors share: a repository of a team, the machine of a job, and the vendors' services. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { must, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { pulumiRelease } from "../support/engine/pulumi-release.ts";

export const passphrase = "only for tests";

export class Place {
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #modules: string | undefined;

  private constructor(folder: string, env: Readonly<Record<string, string>>, modules?: string) {
    this.folder = folder;
    this.#env = env;
    this.#modules = modules;
  }

  /**
   * A folder with the vendors' services: Pulumi's downloads, and where comments go.
   * @param modules what stands in the place of what `npm ci` would install
   */
  static async create(modules?: string): Promise<Place> {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-ci-"));
    const env = await pulumiRelease(join(folder, "release", "pulumi"));
    // Sources in the place of packages.
    const sources = { NODE_OPTIONS: "--conditions=@drawbridge/source --disable-warning=ExperimentalWarning" };
    const place = new Place(folder, { ...env, ...(modules && sources) }, modules);
    await must("tar", ["-czf", place.archive, "-C", join(folder, "release"), "pulumi"]);
    await mkdir(join(folder, "state"));
    await mkdir(join(folder, "services"));
    const service = (name: string, text: string) =>
      writeFile(join(folder, "services", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    // Both answer what the recipes ask and nothing else.
    await service("gh", `[ "$1 $2" = "pr comment" ] && cp "$7" "${place.comment}"`);
    await service(
      "curl",
      `while [ $# -gt 1 ]; do
  case $1 in --output) output=$2 ;; --form) form=\${2#body=<} ;; esac
  shift
done
case $1 in
  https://github.com/pulumi/pulumi/releases/download/*) cp "${place.archive}" "$output" ;;
  */merge_requests/7/notes) cp "$form" "${place.comment}" ;;
  *) exit 22 ;;
esac`,
    );
    return place;
  }

  get archive(): string {
    return join(this.folder, "pulumi.tar.gz");
  }

  /** The last comment that was posted. */
  get comment(): string {
    return join(this.folder, "comment.md");
  }

  get origin(): string {
    return join(this.folder, "origin.git");
  }

  get backend(): string {
    return `file://${join(this.folder, "state")}`;
  }

  /** The PATH of a runner: Node, git and the vendors' services, but no Pulumi. */
  get path(): string {
    return [join(this.folder, "services"), dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  }

  /** A clone with a commit of the origin checked out. */
  async checkOut(folder: string, ref: string): Promise<void> {
    await must("git", ["clone", "--quiet", this.origin, folder]);
    await must("git", ["-C", folder, "-c", "advice.detachedHead=false", "checkout", "--quiet", ref]);
  }

  /** Runs a script as both vendors do, with nothing of this process's environment: no kubeconfig either. */
  async shell(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Outcome> {
    const npm = {
      npm_config_userconfig: join(homedir(), ".npmrc"),
      npm_config_cache: (await must("npm", ["config", "get", "cache"])).trim(),
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
      // Behind a proxy that ends TLS, a runner knows its authority too.
      ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
    };
    const all = { ...this.#env, ...npm, ...env, CI: "true" };
    const assigned = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    const wrapped = this.#withCachedModules(script);
    return run("env", ["-i", ...assigned, "bash", "-eo", "pipefail", "-c", wrapped], {
      cwd,
      timeoutSeconds: 600,
    });
  }

  /**
   * A runner's cache of what `npm ci` installs, by far the slowest command of the recipes: it runs for the first job of
   * a lock file, and the others get hard links.
   */
  #withCachedModules(script: string): string {
    if (this.#modules !== undefined)
      return script.replace(/^npm ci --ignore-scripts$/m, `ln -s "${this.#modules}" node_modules`);
    if (!/^npm ci --ignore-scripts$/m.test(script)) return script;
    const cached = join(this.folder, "modules");
    const kept = `${cached}-$(sha256sum package-lock.json | cut -c1-16)`;
    return script.replace(
      /^npm ci --ignore-scripts$/m,
      `if [ -d "${kept}" ]; then cp -al "${kept}" node_modules; else npm ci --ignore-scripts; cp -al node_modules "${kept}"; fi`,
    );
  }

  /** The recipes as a team takes them over, with the checksum of the release that can be had here. */
  async takeOver(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(join(folder, "ci"), { recursive: true });
    for (const name of await readdir("starter/ci")) {
      if (/\.(sh|ts)$/.test(name)) await cp(join("starter/ci", name), join(folder, "ci", name));
    }
    const installer = join(folder, "ci", "install-pulumi.sh");
    const sum = createHash("sha256")
      .update(await readFile(this.archive))
      .digest("hex");
    const text = await readFile(installer, "utf8");
    await writeFile(installer, text.replaceAll(/(?<= sha256=)[0-9a-f]{64}/g, sum));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }

  /** Runs a command of the release with the state of this place. */
  pulumi(cwd: string, ...args: string[]): Promise<string> {
    const release = join(this.folder, "release/pulumi");
    const state = { PULUMI_BACKEND_URL: this.backend, PULUMI_CONFIG_PASSPHRASE: passphrase };
    const env = { ...this.#env, ...state, PATH: `${release}:${process.env.PATH}` };
    return must(join(release, "pulumi"), args, { cwd, env });
  }

  /** Commits everything in a folder to a branch of the origin, which begins with the first one. */
  async push(folder: string, branch: string): Promise<string> {
    const git = (...args: string[]) =>
      must("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);
    if (!existsSync(join(folder, ".git"))) await git("init", "--quiet");
    await git("checkout", "--quiet", "-B", branch);
    await git("add", "--all");
    await git("commit", "--quiet", "--message", branch);
    if (!existsSync(this.origin)) await must("git", ["init", "--quiet", "--bare", "-b", "main", this.origin]);
    await git("push", "--quiet", "--force", this.origin, branch);
    return (await git("rev-parse", "HEAD")).trim();
  }

  /** A branch from main with a change to its files; the hash of its commit. */
  async change(branch: string, edits: Readonly<Record<string, (text: string) => string>>): Promise<string> {
    const folder = await mkdtemp(join(this.folder, "author-"));
    await this.checkOut(folder, "main");
    for (const [name, edit] of Object.entries(edits)) {
      const file = join(folder, name);
      await writeFile(file, edit(existsSync(file) ? await readFile(file, "utf8") : ""));
    }
    return this.push(folder, branch);
  }

  /** The commit of a branch of the origin. */
  async hash(branch: string): Promise<string> {
    return (await must("git", ["-C", this.origin, "rev-parse", branch])).trim();
  }

  async reset(branch: string, commit: string): Promise<void> {
    await must("git", ["-C", this.origin, "update-ref", `refs/heads/${branch}`, commit]);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** What a clone of this repository holds once the working tree is committed. */
export async function cloneOfThis(folder: string): Promise<void> {
  const archive = join(folder, "..", "tree.tar");
  await must("git", ["clone", "--quiet", process.cwd(), folder]);
  const list = await must("git", ["ls-files", "--cached", "--others", "--exclude-standard"]);
  const files = list.split("\n").filter((file) => file !== "" && existsSync(file));
  await must("git", ["-C", folder, "rm", "--quiet", "-r", "."]);
  await must("tar", ["-cf", archive, "-T", "-"], { input: `${files.join("\n")}\n` });
  await must("tar", ["-xf", archive, "-C", folder]);
}
