/**
 * `npm run test:mutation [-- <file or pattern> …]`: changes one thing at a time in the code that builds walls, and looks
 * whether a unit test notices. Prints the score of each file and what nobody noticed; ends with 1 where a file is below
 * 90 % or a survivor has no explanation in `scripts/mutation/survivors.json`. Slow: some seconds for each change.
 *
 * It works in a copy, since packages import each other through node_modules, which leads to the sources in place.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closing, type MutationReport, render, score } from "./mutation/score.ts";

const manifests = "packages/manifests/src";
/** The code that builds walls. */
const walls = [
  `${manifests}/common/{admission,networks,route-admission,client-limits}.ts`,
  `${manifests}/container/{frpc-egress,frpc-grant,network-policy,route,sshd-config,identity-match}.ts`,
  `${manifests}/frp/{frps-toml,network-policy,route}.ts`,
  `${manifests}/gateway/{admission-policy,authorization-policy,envoy-filter,istio-gateway,limits,network-policy,rbac}.ts`,
  `${manifests}/sshpod/role.ts`,
  `${manifests}/storage/{token-check-config,network-policy,route}.ts`,
  `${manifests}/storage-proxy/{admission-policy,istio-routes,router-config}.ts`,
  `${manifests}/team/*.ts`,
  "packages/cli/src/sshpod/{identity,scripts}.ts",
  "packages/frp-authorizer/src/{authorize,grants,identity,protocol,proxy-rules}.ts",
  "packages/preview-guard/src/access/*.ts",
];

const patterns = process.argv.slice(2);
const files = globSync(patterns.length > 0 ? patterns : walls)
  .filter((file) => !/\.(test|test-d|fixture)\.ts$/.test(file))
  .sort();
if (files.length === 0) {
  console.error(`no file is called ${patterns.join(" or ")}; give paths below packages/`);
  process.exit(2);
}

function run(command: string, args: readonly string[], cwd = process.cwd(), input = ""): void {
  const { status } = spawnSync(command, args, { cwd, input, stdio: ["pipe", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
}

/** A copy of the working tree, with the packages of npm as hard links. */
function copyTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const list = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  const present = list.stdout.split("\n").filter((file) => file !== "" && existsSync(file));
  const archive = join(folder, "tree.tar");
  run("tar", ["-cf", archive, "-T", "-"], process.cwd(), `${present.join("\n")}\n`);
  run("tar", ["-xf", archive, "-C", folder]);
  run("cp", ["-al", "node_modules", join(folder, "node_modules")]);
}

// A constant is tried with every test there is, so only those of its package take part. The walls that the manifests make
// are recorded in the components' test.
const packages = new Set(files.map((file) => file.split("/")[1] ?? ""));
const include = [...packages].map((name) => `packages/${name}/src/**/*.test.ts`);
if (packages.has("manifests")) include.push("packages/components/src/walls.test.ts");
const vitestConfig = `import { defineConfig } from "vitest/config";
export default defineConfig({
  ssr: { resolve: { conditions: ["@drawbridge/source", "node", "import", "default"] } },
  test: { include: ${JSON.stringify(include)}, testTimeout: 60_000 },
});
`;
const folder = join(process.cwd(), ".drawbridge", `mutation-${process.pid}`);
try {
  copyTree(folder);
  writeFileSync(join(folder, "vitest.mutation.config.ts"), vitestConfig);
  const options = {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.mutation.config.ts", related: true },
    inPlace: true,
    coverageAnalysis: "perTest",
    concurrency: Number(process.env.MUTATION_CONCURRENCY ?? "2"),
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: "mutation.json" },
    mutate: files,
  };
  writeFileSync(join(folder, "stryker.config.json"), JSON.stringify(options));
  run(join("node_modules", ".bin", "stryker"), ["run"], folder);
  const report = JSON.parse(readFileSync(join(folder, "mutation.json"), "utf8")) as MutationReport;
  const explained = JSON.parse(readFileSync("scripts/mutation/survivors.json", "utf8"));
  const scores = score(report, explained);
  console.log(render(scores));
  process.exitCode = closing(scores);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
