/**
 * `npm run test:mutation [-- <file or pattern> …]`: changes one thing at a time in the code that builds walls, and looks
 * whether a unit test notices. Prints the score of each file and what nobody noticed; ends with 1 where a file is below
 * 90 % or a survivor has no explanation in `scripts/mutation/survivors.json`. Minutes for all.
 *
 * Stryker's instrumenter puts all changes into the code, each behind a switch; one process of vitest turns them on one
 * after the other. Stryker's own runner starts a process for each, which takes hours.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instrument } from "./mutation/instrumented.ts";
import { closing, render, reportOf, score } from "./mutation/score.ts";
import { tryAll } from "./mutation/try-all.ts";

const manifests = "packages/manifests/src";
/** The code that builds walls. What the preview guard says of them is tested by changes of its own (test/engine/guard-*). */
const walls = [
  `${manifests}/common/{admission,client-limits,gateway-admission,labels,network-policy,networks}.ts`,
  `${manifests}/common/{own-namespace,rbac,route-admission,security}.ts`,
  `${manifests}/container/{authorized-keys,network-policy,sshd-config,sshd-scripts}.ts`,
  `${manifests}/frpc/{alone,egress,grant}.ts`,
  `${manifests}/frp/{frps-toml,istio-gateway,network-policy,route,units}.ts`,
  `${manifests}/gateway/{admission-policy,authorization-policy,envoy-filter,istio-gateway,limits,network-policy,rbac,route-match}.ts`,
  `${manifests}/host/{network-policy,route,sshpod}.ts`,
  `${manifests}/ssh/checked-line.ts`,
  `${manifests}/sshpod/role.ts`,
  `${manifests}/storage/{credentials,dufs,network-policy,route,token-check-config}.ts`,
  `${manifests}/storage-proxy/{admission-policy,istio-gateway,istio-routes,istio-settings,network-policy}.ts`,
  `${manifests}/storage-proxy/{router-config,router-manager,router-target,visitor-wall}.ts`,
  `${manifests}/team/{address-walls,deployer-role,egress-wall,istio-walls,namespace,walls}.ts`,
  "packages/cli/src/sshpod/{identity,scripts}.ts",
  "packages/cli/src/terminal.ts",
  "packages/programs/src/frp-authorizer/{authorize,grants,identity,limits,protocol,proxy-rules,units-file}.ts",
];

const patterns = process.argv.slice(2);
const files = globSync(patterns.length > 0 ? patterns : walls)
  .filter((file) => !/\.(test|test-d|fixture)\.ts$/.test(file))
  .sort();
if (files.length === 0) {
  console.error(`no file is called ${patterns.join(" or ")}; give paths below packages/`);
  process.exit(2);
}

// Those of the changed packages alone. The walls that the manifests make are recorded beside the components.
const packages = new Set(files.map((file) => file.split("/")[1] ?? ""));
const tests = [...packages].map((name) => `packages/${name}/src/**/*.test.ts`);
if (packages.has("manifests")) tests.push("packages/components/src/isolation-builders.test.ts");

const folder = mkdtempSync(join(tmpdir(), "drawbridge-mutation-"));
try {
  const { changes } = await instrument(files);
  const outcomes = await tryAll({ files, tests, notes: join(folder, "notes") }, changes.length);
  const explained = JSON.parse(readFileSync("scripts/mutation/survivors.json", "utf8"));
  const scores = score(reportOf(changes, outcomes), explained);
  console.log(render(scores));
  process.exitCode = closing(scores);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
