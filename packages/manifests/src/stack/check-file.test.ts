import { expect, it } from "vitest";
import { parseDocument, stringify } from "yaml";
import { checkStackConfig } from "./check-file.ts";
import { type StackFile, stackFile } from "./stack-file.ts";

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";

/** A team that takes all that a platform's stack gives, of which nothing is known here. */
const team = (access: object) => ({
  "drawbridge:team": {
    namespace: "team-a",
    platform: "platform",
    storages: {
      models: { size: "20Gi", browse: { credentials: [{ user: "alice", password: { secure: "v1:x" } }] } },
    },
    containerDefaults: { image: "registry.example.com/devcontainer:0.1.0", access },
    containers: {
      dev1: { authorizedKeys: [publicKey], storage: [{ from: "models", mountPath: "/models" }] },
    },
  },
});

/** No text whose lines could be told. */
const nowhere: StackFile = { keys: [], lineOf: () => undefined, isPlain: () => false, encrypted: () => [] };

it("takes for right what a platform's stack will give out, and nothing else", async () => {
  expect(await checkStackConfig(team({ frp: {} }), nowhere)).toEqual([]);
  expect(await checkStackConfig(team({}), nowhere)).toEqual([]);
  const faults = await checkStackConfig(team({ frp: { server: { caBundle: "unknown" } } }), nowhere);
  expect(faults.map(({ message }) => message)).toEqual([
    "is not a CA bundle; give one or more PEM certificates, -----BEGIN CERTIFICATE----- …",
  ]);
});

it("takes a secret where it ends in a Secret, and nowhere else", async () => {
  const secret = { secure: "v1:x" };
  const own = {
    authorizedKeys: [publicKey],
    env: { A: secret, token: secret },
    secretEnv: { B: secret },
    podLabels: { "example.com/a": secret },
  };
  const config = {
    "drawbridge:team": { ...team({ frp: {} })["drawbridge:team"], containers: { dev1: own } },
  };
  const document = parseDocument(stringify({ config }));
  const faults = await checkStackConfig(
    config,
    stackFile(document, () => 1),
  );
  const at = "drawbridge:team.containers.dev1";
  expect(faults.map(({ path, code }) => `${path}: ${code}`)).toEqual([
    `${at}.env.A: secret-in-env`,
    `${at}.env.token: secret-in-env`,
    `${at}.podLabels["example.com/a"]: secret-in-the-open`,
  ]);
});
