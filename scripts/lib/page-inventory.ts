/**
 * Every block of a page that a reader would copy, and how it is tested. `npm run check` holds this list to the
 * pages and to the tests: a block that no test takes from its page has to be here with the reason. TypeScript is not
 * listed: test/engine/pages.test.ts compiles all of it.
 */

import { exampleNames } from "./pages/example-names.ts";

export interface Listed {
  readonly page: string;
  readonly language: string;
  /** What only this block of the page has in it. */
  readonly mark: string;
}

/** A block that tests take from its page and run. */
export interface Run extends Listed {
  readonly tests: readonly string[];
  /** Lines that they leave out or change, and why. */
  readonly but?: string;
}

/** A block that no test runs. */
interface NotRun extends Listed {
  readonly because: string;
}

const outsider = "test/release/outsider.test.ts";
const pages = "test/engine/pages.test.ts";
const readme = "test/long/readme.test.ts";
const firstSteps = "test/release/pages.test.ts";
const sdks = "test/release/sdks.test.ts";

const run = (tests: string, page: string, language: string, mark: string, but?: string): Run => ({
  page,
  language,
  mark,
  tests: tests.split(" "),
  ...(but === undefined ? {} : { but }),
});

const notRun = (page: string, language: string, mark: string, because: string): NotRun => ({
  page,
  language,
  mark,
  because,
});

const runbooks = "docs/runbooks.md";
const runbook = (tests: string, mark: string, but?: string): Run => run(tests, runbooks, "sh", mark, but);
const rotating = (mark: string, but?: string): Run => run(rotate, "docs/rotate.md", "sh", mark, but);
const moving = (mark: string, but?: string): Run => run(move, "docs/move.md", "sh", mark, but);
const state = "test/long/runbooks/state.test.ts";
const interrupted = "test/drill/faults/stacks.ts";
const rotate = "test/long/runbooks/rotate.test.ts";
const move = "test/long/runbooks/move.test.ts";
const [lostNode, lostProxy] = ["test/nodes/containers.test.ts", "test/nodes/gateway-node.test.ts"];

const tarballs = "the tarballs of the dry run stand for the packages on npm";

export const runBlocks: readonly Run[] = [
  run(outsider, "README.md", "sh", "pulumi config set"),
  run(outsider, "README.md", "sh", "pulumi up", "they are the end of docs/start.md's block, which is run"),
  run(firstSteps, "README.md", "sh", "git clone", "this repository's address"),
  run(readme, "docs/client.md", "sh", "--from https://", "the address is a server of the test's"),
  run(readme, "docs/developers.md", "sh", "ssh-keygen"),
  run(firstSteps, "docs/developers.md", "sh", "npm install --global", tarballs),
  run(readme, "docs/developers.md", "sh", "--from outputs.json"),
  run(readme, "docs/developers.md", "sh", "ssh -L"),
  run(firstSteps, "docs/existing-code.md", "sh", "npm install ./archives"),
  run("scripts/lib/repository.test.ts", "CONTRIBUTING.md", "json", "repoSlug"),
  run(
    "test/long/existing-workloads.test.ts",
    "docs/existing-workloads.md",
    "sh",
    "port-forward",
    "the namespace, the Service and a port that is free",
  ),
  run(pages, "docs/existing-workloads.md", "yaml", "routes:"),
  run("test/nodes/page.test.ts", "packages/lab/README.md", "sh", "node freeze"),
  run("test/long/container-home.test.ts", "docs/home.md", "sh", "drawbridge-move-home"),
  run("test/nodes/home-copies.test.ts", "docs/home-copies.md", "sh", "--from=cronjob", "the namespace"),
  run("test/upgrades/upgrades.test.ts", "docs/platform.md", "sh", "rollout restart", "the gateway's name"),
  run("test/long/audit.test.ts", "docs/audit.md", "sh", "ssh-keygen -lf"),
  run(readme, "docs/people.md", "sh", "pulumi stack output"),
  run(outsider, "docs/preview-guard.md", "sh", "drawbridge-preview-guard"),
  run(outsider, "docs/preview-guard.md", "yaml", "- rule: network-wall", "another rule, until next week"),
  run(outsider, "docs/preview-guard.md", "yaml", "people:", "a fingerprint for its placeholder"),
  run(pages, "docs/root.md", "yaml", "drawbridge:platform:"),
  run(pages, "docs/root.md", "yaml", "drawbridge:team:"),
  run(pages, "docs/containers-inside.md", "yaml", "drawbridge:platform:"),
  run(pages, "docs/containers-inside.md", "yaml", "drawbridge:team:"),
  run("test/long/root-containers.test.ts", "docs/containers-inside.md", "sh", "devcontainer up"),
  run("test/long/root.test.ts", "docs/root.md", "yaml", "startupScript:", "a package of the lab's own"),
  runbook(state, "pulumi stack export --stack team-a --file"),
  runbook(state, "pulumi stack import"),
  runbook(state, "up --stack team-a --refresh"),
  runbook(state, "PULUMI_K8S_UPSERT_EXISTING_OBJECTS=true"),
  runbook(state, "managedFields"),
  runbook(state, "refresh --stack team-a\npulumi preview"),
  runbook(`${state} ${interrupted}`, ".json.bak", "in a drill the project is its own"),
  runbook(`${state} ${interrupted}`, "pulumi cancel"),
  rotating("new-key.pub"),
  rotating("ssh.sessionsValidFrom"),
  rotating("ssh.userCa.keys[1]' \"$(cat"),
  rotating("config rm --stack team-a --path 'drawbridge:team.containers.dev1.ssh.userCa.keys[1]'"),
  rotating("hostKey.next.seed' \"$(openssl"),
  rotating("drawbridge:hostKeySeed"),
  rotating("access.frp.token"),
  rotating("drawbridge:frpSeed"),
  rotating("credentials[0].password"),
  rotating("create secret tls"),
  rotating("openssl s_client"),
  rotating("change-secrets-provider", "the new passphrase is typed in by the test"),
  runbook(`${lostNode} ${lostProxy}`, "Ready=Unknown"),
  runbook(`${lostNode} ${lostProxy}`, "out-of-service=nodeshutdown"),
  runbook(lostNode, "statefulset/$CONTAINER"),
  runbook(`${lostNode} ${lostProxy}`, "out-of-service-\n"),
  runbook(lostProxy, "rollout status deployment/ssh-ingress"),
  moving("platform-new --copy-config-from platform"),
  moving("team-a-new --copy-config-from team-a"),
  moving("sleep 90", "it looks until the keys are gone instead of sleeping"),
  moving("copy dev1 /home/jovyan"),
  moving("contents old"),
  moving("sshConfig > ssh_config"),
  moving("delete namespace team-a"),
  run(pages, "docs/security.md", "yaml", "drawbridge:platform:"),
  run(readme, "docs/team.md", "sh", "kubectl label"),
  run(`test/long/languages.test.ts ${sdks}`, "docs/team.md", "python", "class Department"),
  run(readme, "docs/isolation.md", "sh", "kubectl get virtualservices"),
  run(readme, "docs/sshpod.md", "sh", "ssh-config --sshpod"),
  run(readme, "docs/sshpod.md", "ssh-config", "Match host", "the folder of keys is the test's"),
  run("test/engine/starter.test.ts", "docs/stacks.md", "sh", "pulumi new", "the folder"),
  run(
    pages,
    "docs/stacks.md",
    "sh",
    "pulumi stack init platform",
    "npm ci, pulumi up, the outputs and the login: test/lab/stacks.test.ts brings the same files up, in the lab's sizes",
  ),
  run(pages, "docs/stacks.md", "yaml", "drawbridge:team:", "a key for its placeholder"),
  run(pages, "docs/stacks.md", "yaml", "teams:"),
  run(pages, "docs/people.md", "yaml", "people:", "a key for its placeholder"),
  run(pages, "docs/stacks.md", "sh", "drawbridge validate stacks"),
  run(pages, "docs/stacks.md", "yaml", "drawbridge-validate"),
  run(pages, "docs/stacks.md", "sh", "git diff --cached"),
  run(pages, "docs/stacks.md", "sh", "pulumi config set --path"),
  run(firstSteps, "docs/start.md", "sh", "npm init"),
  run(`${readme} ${firstSteps}`, "docs/start.md", "yaml", "runtime:"),
  run(`${outsider} ${firstSteps}`, "docs/start.md", "json", "nodenext"),
  run(
    `${outsider} ${readme} ${firstSteps}`,
    "docs/start.md",
    "sh",
    "pulumi stack init dev",
    "the lab's image",
  ),
  run("test/long/storage.test.ts", "docs/storage.md", "sh", "X-Update-Range"),
  run("test/long/storage-audit.test.ts", "docs/audit.md", "sh", "IN(", "the proxy's name"),
  ...exampleNames.map((name) =>
    run(
      "test/release/fresh-root.test.ts",
      `examples/${name}/README.md`,
      "sh",
      "npm install",
      "values and preview; up and what follows are test/long/examples.test.ts and test/lab/frp.test.ts",
    ),
  ),
  run(`${readme} ${firstSteps}`, "packages/cli/README.md", "sh", "drawbridge doctor", tarballs),
  run(firstSteps, "packages/drawbridge/README.md", "sh", "npm install @drawbridge-iac/drawbridge", tarballs),
  run(firstSteps, "packages/controllers/README.md", "sh", "npm install --global", tarballs),
  run(firstSteps, "packages/controllers/README.md", "json", "tokenSha256", "a hash for its placeholder"),
  run(
    firstSteps,
    "packages/controllers/README.md",
    "toml",
    "httpPlugins",
    "its path; frps reads such a file in test/long/frp-authorizer.test.ts",
  ),
  run(outsider, "packages/guard/README.md", "sh", "drawbridge-preview-guard"),
];

const docker = "needs Docker or Podman, and a registry; the lab builds the same Dockerfiles with buildah";

export const notRunBlocks: readonly NotRun[] = [
  notRun("docs/bench.md", "sh", "npm run bench", "takes most of an hour; the page's figures are such a run"),
  notRun(
    runbooks,
    "sh",
    "up --stack team-a && pulumi preview",
    "the drill's program is in no folder, and it runs both itself",
  ),
  notRun("docs/reliability.md", "sh", "npm run drill", "takes hours; the page's table is of such runs"),
  notRun(
    "docs/ci.md",
    "sh",
    "ci/review.sh",
    "needs a cluster for reviews; test/engine/ci.test.ts runs the script with a stand-in for pulumi",
  ),
  notRun(
    "docs/developers.md",
    "sh",
    "curl -fLO",
    "the first release is not out; test/release/release.test.ts starts the file",
  ),
  notRun(
    "docs/platform.md",
    "sh",
    "PILOT_FILTER_GATEWAY_CLUSTER_CONFIG",
    "sets up an istiod by helm or istioctl; the lab's has the setting, and test/long/doctor.test.ts asks for it",
  ),
  notRun(
    "docs/platform.md",
    "sh",
    "skopeo copy",
    "needs registries; packages/cli/src/commands/images.test.ts has the lines, packages/drawbridge/src/kubernetes/registration/register.test.ts the setting",
  ),
  notRun(
    "docs/preview-guard.md",
    "sh",
    "--policy-pack",
    "test/engine/guard-pack.test.ts gives the same options by the Automation API",
  ),
  notRun("docs/gateway.md", "sh", "socat", "needs a name in DNS; run by hand against the lab's gateway"),
  notRun(
    "docs/languages.md",
    "sh",
    "pulumi package add github.com",
    "needs a language host, which only Pulumi's release has",
  ),
  notRun(
    "docs/languages.md",
    "sh",
    "pulumi package add ../",
    "needs a language host, which only Pulumi's release has; test/release/fresh-root.test.ts adds it by its tag, for YAML",
  ),
  notRun(
    "docs/languages.md",
    "sh",
    "--only sdks",
    "makes the SDKs in the clone's own folder; test/release/outsider.test.ts makes them elsewhere",
  ),
  notRun(
    "docs/languages.md",
    "sh",
    "go get",
    "the first release is not out; test/release/sdks.test.ts gets the archive",
  ),
  notRun(
    "docs/platform.md",
    "sh",
    "helm upgrade istio-base",
    "helm is not here; the lab applies what the charts make",
  ),
  notRun("docs/start.md", "sh", "# istiod alone", "istioctl is not here; the lab starts istiod itself"),
  notRun("docs/start.md", "sh", "git clone", docker),
  notRun("docs/start.md", "sh", "kind create", "needs kind and Docker"),
  notRun("docs/start.md", "sh", "k3d cluster", "needs k3d and Docker"),
  notRun(
    "packages/cli/README.md",
    "sh",
    "docker save",
    "needs Docker; scripts/release packs the lab's image by the same code",
  ),
  notRun("packages/images/README.md", "sh", "--push registry.example.com/team\n", docker),
  notRun("packages/images/README.md", "sh", "--base nvidia", docker),
  notRun("packages/images/README.md", "sh", "docker build", docker),
  notRun("packages/images/README.md", "sh", "images/main.ts", "a lab builds its images by the same code"),
  notRun(
    "packages/lab/README.md",
    "sh",
    "lab -- shell",
    "test/long/instances.test.ts starts and ends labs by the same functions",
  ),
  notRun(
    "packages/lab/README.md",
    "sh",
    "--machine\n",
    "`npm run test:machines` starts one by the same code",
  ),
];
