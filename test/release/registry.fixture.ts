/**
 * A registry of this machine's own, verdaccio, to which the packages of a release are published. What it does not have
 * comes from the registry that npm asks here.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached, fingerprint } from "@drawbridge-iac/lab";
import { freePort } from "../../scripts/lib/free-port.ts";
import { eventually, must } from "../../scripts/lib/lab/lab.ts";

const verdaccio = "6.10.4";
const program = {
  private: true,
  dependencies: { verdaccio },
  // A dependency asks for it by a tag, which not every registry has.
  overrides: { "node-fetch": "2.7.0" },
};
const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const env = { NODE_OPTIONS: "" };

/** The folder in which it is installed, once on each machine. */
const installed = () =>
  cached({
    path: `verdaccio-${fingerprint([JSON.stringify(program)])}`,
    async fill(cwd) {
      await writeFile(join(cwd, "package.json"), JSON.stringify(program));
      await must("npm", ["install", ...quiet], { cwd, env, timeoutSeconds: 1800 });
    },
  });

export class Registry {
  readonly #child: ChildProcess;
  /** What a user writes into `.npmrc`. */
  readonly settings: string;

  private constructor(child: ChildProcess, settings: string) {
    this.#child = child;
    this.settings = settings;
  }

  /** @param packages a folder with the tarballs */
  static async start(folder: string, packages: string): Promise<Registry> {
    const [port, upstream] = await Promise.all([freePort(), must("npm", ["config", "get", "registry"])]);
    const program = join(await installed(), "node_modules/verdaccio/bin/verdaccio");
    await mkdir(folder, { recursive: true });
    const everybody = { access: "$all", publish: "$all" };
    const config = {
      storage: join(folder, "storage"),
      uplinks: { others: { url: upstream.trim() } },
      packages: { "@drawbridge-iac/*": everybody, "**": { ...everybody, proxy: "others" } },
      web: { enable: false },
      log: { type: "file", path: join(folder, "log"), level: "warn" },
    };
    await writeFile(join(folder, "config.yaml"), JSON.stringify(config));
    const address = `127.0.0.1:${port}`;
    const child = spawn(process.execPath, [program, "--config", "config.yaml", "--listen", address], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    const registry = new Registry(child, `registry=http://${address}/\n`);
    // npm publishes nothing without a token, and this registry looks at none.
    const here = ["--registry", `http://${address}/`, `--//${address}/:_authToken=anybody`];
    try {
      await eventually("verdaccio", async () => (await fetch(`http://${address}/-/ping`)).ok, 300);
      for (const name of await readdir(packages)) {
        await must("npm", ["publish", "--provenance=false", ...here, join(packages, name)], {
          cwd: folder,
          env,
          timeoutSeconds: 600,
        });
      }
    } catch (error) {
      registry.stop();
      throw error;
    }
    return registry;
  }

  stop(): void {
    this.#child.kill();
  }
}
