import { describe, expect, it } from "vitest";
import { readInput, readPreview, readWholePreview } from "./preview.ts";

const urn = "urn:pulumi:s::p::kubernetes:core/v1:ConfigMap::a";
const events = [
  { resourcePreEvent: { metadata: { op: "create", urn, new: { type: "t", urn } } } },
  { resourcePreEvent: { metadata: { op: "create", urn: `${urn}2`, new: { type: "t", urn } } } },
  { summaryEvent: { resourceChanges: { create: 2 }, result: "succeeded" } },
];
const megabyte = Buffer.from(`${" ".repeat(2 ** 20 - 1)}\n`);

/** Events, of which so many megabytes are blank. */
async function* input(megabytes: number) {
  for (let count = 0; count < megabytes; count += 1) yield megabyte;
  for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

it("takes events that are longer than a text can be", async () => {
  const { changes, failures } = await readInput(input(600));
  expect({ ops: changes.map(({ op }) => op), failures }).toEqual({ ops: ["create", "create"], failures: [] });
});

it("takes no more than a gibibyte", async () => {
  await expect(readInput(input(1025))).rejects.toThrow(
    "the preview is longer than 1 GiB; preview fewer stacks at once",
  );
});

it.each([["x"], ['"'], ["\\"], ['\n"']])("takes a text of eight megabytes of %j", (sign) => {
  const newState = { type: "t", urn, inputs: { text: sign.repeat(2 ** 23) } };
  const steps = [{ op: "create", urn, newState }];
  expect(readPreview(JSON.stringify({ steps }))).toHaveLength(1);
});

describe("secrets in plain", () => {
  const component = "urn:pulumi:s::p::drawbridge:index:DevContainer::dev1";
  const state = (seed: unknown) => ({
    type: "drawbridge:index:DevContainer",
    urn: component,
    custom: false,
    inputs: { namespace: "team-a", hostKey: { seed }, secretEnv: { TOKEN: seed } },
  });
  const digest = (oldSeed: unknown, newSeed: unknown) =>
    JSON.stringify({
      steps: [{ op: "update", urn: component, oldState: state(oldSeed), newState: state(newSeed) }],
    });

  it.each(["S3cretS3cretS3cretS3cretS3cretS3cret", 12345678, { a: "S3cretS3cret" }])(
    "of a preview that shows them (%j) are refused without a word of them",
    (shown) => {
      const { changes, failures } = readWholePreview(digest("[secret]", shown));
      expect(changes).toEqual([]);
      expect(failures.map(({ text }) => text)).toEqual([
        "the preview shows secrets in plain; take it without --show-secrets, and replace those that others have seen",
      ]);
    },
  );

  it("are hidden in what an earlier version left, and taken where they are hidden", () => {
    const hidden = { namespace: "team-a", hostKey: { seed: "[secret]" }, secretEnv: { TOKEN: "[secret]" } };
    for (const old of ["[secret]", "S3cretS3cretS3cretS3cretS3cretS3cret"])
      expect(readPreview(digest(old, "[secret]"))).toMatchObject([{ before: hidden, after: hidden }]);
  });

  it("in a stream are hidden, shown or not", () => {
    const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    for (const more of [{ ciphertext: "v1:x" }, { plaintext: '"S3cretS3cret"' }]) {
      const inputs = { data: { ...signature, ...more } };
      const stream = events.map((event) =>
        "resourcePreEvent" in event
          ? {
              resourcePreEvent: {
                metadata: { ...event.resourcePreEvent?.metadata, new: { type: "t", urn, inputs } },
              },
            }
          : event,
      );
      const read = readPreview(stream.map((event) => JSON.stringify(event)).join("\n"));
      expect(read.map(({ after }) => after)).toEqual([{ data: "[secret]" }, { data: "[secret]" }]);
    }
  });
});
