import { describe, expect, it } from "vitest";
import { type ArgsError, parseArgs } from "../common/args-error.ts";
import { type StorageAccessorInput, storageAccessorSchema } from "./args.ts";
import { planStorage } from "./plan.ts";

const proxy = { name: "files", namespace: "web" };
const credentials = [{ user: "alice", password: "correct-horse-battery" }];
const jwt = { issuer: "https://id.example.com", jwks: '{"keys":[{}]}', values: ["team-a"] };

const plan = (args: Partial<StorageAccessorInput> = {}) =>
  planStorage(
    "models",
    parseArgs("StorageAccessor", "models", storageAccessorSchema, { namespace: "team-a", ...args }),
  );

const faults = (args: unknown): string[] => {
  try {
    parseArgs("StorageAccessor", "models", storageAccessorSchema, args);
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map((issue) => `${issue.path}: ${issue.message}`);
  }
};

describe("storage arguments", () => {
  it("need a namespace only", () => {
    const { names, path, nodeGroup, size, accessMode, owner, accessor, wait } = plan();
    expect({ names, path, nodeGroup, size, accessMode, owner, accessor, wait }).toEqual({
      names: {
        claim: "models-storage",
        prepare: "models-prepare-1",
        accessor: "models-files",
        credentials: "models-credentials",
        tokenCheck: "models-token-check",
      },
      path: "/storage/team-a/models",
      nodeGroup: "models",
      size: "20Gi",
      accessMode: "ReadWriteOnce",
      owner: { uid: 1000, gid: 1000 },
      accessor: undefined,
      wait: true,
    });
  });

  it.each([
    ["no namespace", {}, ["namespace: is missing; give a string"]],
    [
      "a name that would be cut",
      { namespace: "a", name: "x".repeat(51) },
      [
        `name: "${"x".repeat(51)}" is not usable as a storage's name; use at most 50 lower-case letters, digits and inner hyphens, starting with a letter`,
      ],
    ],
    [
      "an accessor that lets nobody in",
      { namespace: "a", browse: { proxy } },
      ["browse: lets nobody in; give credentials, jwt or both, or set enabled: false"],
    ],
    ["an accessor that is off", { namespace: "a", browse: { proxy, enabled: false } }, []],
    [
      "an accessor beside ReadWriteOncePod",
      { namespace: "a", accessMode: "ReadWriteOncePod", browse: { proxy, credentials } },
      [
        "accessMode: ReadWriteOncePod lets a single pod in, so browsing would lock every container out; use ReadWriteOnce or ReadWriteMany, or leave browse out",
      ],
    ],
    [
      "a right that nothing allows, and a user given twice",
      {
        namespace: "a",
        browse: { proxy, credentials: [...credentials, { ...credentials[0], write: true }] },
      },
      [
        'browse.credentials[1].user: "alice" is the user of credentials[0] too; give each user once',
        "browse.credentials[1].write: has no effect: browse.allow holds neither upload nor delete",
      ],
    ],
    [
      "a class for a claim that exists",
      { namespace: "a", claimName: "old", storageClassName: "fast" },
      ["storageClassName: has no effect on the existing claim old; remove one of the two"],
    ],
    [
      "a copy from elsewhere, with a command",
      {
        namespace: "a",
        prepare: {
          image: "b:1",
          command: ["cp"],
          copyFrom: { name: "x", namespace: "b", claimName: "x-storage" },
        },
      },
      [
        "prepare: has both copyFrom and a command; copy first, then run the command under another revision",
        'prepare.copyFrom.namespace: is "b", but a pod mounts volumes of its own namespace only; copy from a storage in "a"',
      ],
    ],
    [
      "a time limit of nothing and an unpinned image",
      { namespace: "a", prepare: { image: "busybox", timeLimitSeconds: 0 } },
      [
        'prepare.image: "busybox" is not a pinned image; add a tag other than "latest" or a digest, like "ubuntu:24.04" or "…@sha256:…"',
        "prepare.timeLimitSeconds: 0 is out of range; give a whole number of seconds from 1 to 604800",
      ],
    ],
    [
      "no key set",
      { namespace: "a", browse: { proxy, jwt: { ...jwt, jwks: "{}" } } },
      ['browse.jwt.jwks: is not a JSON Web Key Set; give its text, {"keys": […]}'],
    ],
  ])("with %s", (_, args, expected) => {
    expect(faults(args)).toEqual(expected);
  });

  it.each(["tiny-pw", "with a space inside", "has @/ inside it", "$6$looks-like-a-hash", "ünïcode-password"])(
    "refuse the password %j without repeating it",
    (password) => {
      const found = faults({
        namespace: "a",
        browse: { proxy, credentials: [{ user: "alice", password }] },
      });
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(
        /^browse\.credentials\[0\]\.password: (is too short|holds what dufs cannot take);/,
      );
      expect(found[0]).not.toContain(password);
    },
  );
});
