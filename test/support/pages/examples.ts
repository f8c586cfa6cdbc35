/** The examples' programs in TypeScript, and a value for each name that any of them asks for. */
import { type ConfigMap, LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import anyImage from "../../../examples/dev-container-any-image/index.ts";
import egress from "../../../examples/egress/index.ts";
import existingCode from "../../../examples/existing-code/index.ts";
import existingService from "../../../examples/existing-service/index.ts";
import frpWithoutIstio from "../../../examples/frp-without-istio/index.ts";
import minimal from "../../../examples/minimal/index.ts";
import sandbox from "../../../examples/sandbox/index.ts";
import storage from "../../../examples/storage/index.ts";
import { unreachableKubeconfig } from "../../../scripts/lib/engine/engine.ts";

export const examples: Readonly<Record<string, () => object>> = {
  "dev-container-any-image": anyImage,
  egress,
  "existing-code": existingCode,
  "existing-service": existingService,
  "frp-without-istio": frpWithoutIstio,
  minimal,
  sandbox,
  storage,
};

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const image = "registry.example.com/team/image:1.0.0";

const plain: Readonly<Record<string, string>> = {
  platformStack: "organization/platform/dev",
  image,
  authorizerImage: image,
  "apiServer[0].cidr": "192.0.2.10/32",
  sshdBundle: image,
  "images.container": image,
  "images.tools": image,
  "authorizedKeys[0]": key,
  userName: "ubuntu",
  "hostPublicKeys[0]": key,
};

export const exampleSecrets: Readonly<Record<string, string>> = {
  hostKeySeed: "only-for-tests-0123456789abcdef0123456789abcdef",
  frpSeed: "only-for-tests-frp-0123456789abcdef0123456789",
  alicePassword: "only-for-tests-alice",
  eastKubeconfig: unreachableKubeconfig,
  westKubeconfig: unreachableKubeconfig,
};

/** The names are paths, such as `images.container`. */
export const exampleConfig: ConfigMap = {
  ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, { value }])),
  ...Object.fromEntries(
    Object.entries(exampleSecrets).map(([name, value]) => [name, { value, secret: true }]),
  ),
};

/** Whether the example reads what a platform's stack gives out. */
export const needsPlatform = (name: string) => name === "dev-container-any-image";

/** The outputs of that stack. */
const platform = {
  gateway: {
    version: 1,
    name: "ssh-ingress",
    namespace: "ssh-ingress",
    domain: "dev.example.com",
    plainPort: 80,
    mutualTls: false,
    selector: { app: "ssh-ingress", istio: "ssh-ingress" },
  },
};

/** Brings up a platform's stack with these outputs, for another stack to refer to. */
export async function platformBeside(
  { workspace }: Stack,
  outputs: Readonly<Record<string, unknown>> = platform,
): Promise<void> {
  const { pulumiCommand, envVars } = workspace;
  const program = { stackName: "dev", projectName: "platform", program: async () => outputs };
  await (await LocalWorkspace.createOrSelectStack(program, { pulumiCommand, envVars })).up();
}

/** The same, as lines of shell. */
export const platformLines = `mkdir platform
cd platform
echo '{ "name": "platform", "runtime": "nodejs", "main": "index.mjs" }' >Pulumi.yaml
echo 'export default ${JSON.stringify(platform)}' >index.mjs
pulumi stack select --create dev
pulumi up --yes --skip-preview
cd ..`;
