import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { type ArgType, argumentGroups, effectAt } from "./argument-groups.ts";
import { effectsOf } from "./trials/effects.ts";
import { expectedVerdicts, triedKinds } from "./trials/index.ts";

/** For each edit that a test makes: what it does, and what its row or group says that it does. */
const tried = [...triedKinds].flatMap(([kind, one]) =>
  Object.entries(expectedVerdicts(one)).map(([path, verdict]) => ({
    place: `${kind}: ${path}`,
    does: effectsOf(verdict),
    said: effectAt(one.schema, path),
  })),
);

describe("the effect of an edit", () => {
  it("is said of every field", () => {
    expect(tried.length).toBeGreaterThan(300);
    expect(tried.filter(({ said }) => said === undefined).map(({ place }) => place)).toEqual([]);
  });

  // Whether the edits do what is expected of them is tried for real (guard-fields.test.ts in test/engine and test/long).
  it("is exactly what the row's edits do", () => {
    const rows = new Map<
      z.core.$ZodType | undefined,
      { places: string[]; said: Set<string>; does: Set<string> }
    >();
    for (const { place, does, said } of tried) {
      const row = rows.get(said?.by) ?? { places: [], said: new Set(said?.effect), does: new Set() };
      row.places.push(place);
      for (const effect of does) row.does.add(effect);
      rows.set(said?.by, row);
    }
    const wrong = [...rows.values()].filter(
      ({ said, does }) => said.size !== does.size || [...said].some((effect) => !does.has(effect)),
    );
    expect(wrong).toEqual([]);
  });

  it("crosses a wall on the page only where the guard refuses it", () => {
    const rows = readFileSync("docs/fields.md", "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    const crossing = rows.filter((row) => row.includes("crosses a wall"));
    expect(crossing.length).toBeGreaterThan(40);
    expect(crossing.filter((row) => !row.includes("| refused: "))).toEqual([]);
  });
});

// Which arguments take no output of another resource, and why.

/** An object that the program writes out, or a list or map of such: its own fields may come later. */
const isWrittenOut = (type: ArgType): boolean =>
  type.kind === "group" || type.kind === "map" || (type.kind === "list" && isWrittenOut(type.of));

const isPlain = (type: ArgType): boolean =>
  type.kind === "list" ? isPlain(type.of) : type.kind !== "input" && type.kind !== "anything";

const fields = [...argumentGroups().values()]
  // The certificates of the cluster are a program's of their own.
  .filter(({ name, isOutput }) => !isOutput && !name.startsWith("CertManager"))
  .flatMap(({ name, fields }) =>
    fields.map((field) => ({ ...field, place: `${name.replace(/Args$/, "")}.${field.name}` })),
  )
  .filter(({ type }) => !isWrittenOut(type));

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** Switches, measures and counts are their author's alone; a text could be another resource's. By the names of the fields. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  "says which objects there are, or what they are called": words(`
    name persist revision mode
  `),
  "is compared with others before anything is made: paths, keys, names inside one pod": words(`
    mountPath subPath path key prefix fieldPath containerName resource username user colocationGroup dnsName domains tokenSha256
    allowedServiceAccountNames namespaces
  `),
  "is part of a script or of a program's file, whose hash says when pods restart": words(`
    command args startupScript shell homePath workingDir query claim
  `),
  "is one of a few values, or a time": words(`
    kind scope preset ipFamilies effect operator values value actions topologyKey whenUnsatisfiable accessMode imagePullPolicy
    eviction networkPolicy scheme wake days from until timeZone cpuAbove
  `),
};

const isText = (type: ArgType): boolean =>
  type.kind === "list" ? isText(type.of) : type.kind === "text" || type.kind === "choice";

it("each text that takes no output has one reason", () => {
  const plain = fields.filter(({ type }) => isPlain(type) && isText(type));
  const known = Object.values(reasons).flat();
  expect(known).toEqual([...new Set(known)]);
  const names = [...new Set(plain.map(({ name }) => name))];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !names.includes(name))).toEqual([]);
});

it("most texts take an output", () => {
  const texts = fields.filter(({ type }) => /^(input|text|list)$/.test(type.kind));
  const later = texts.filter(({ type }) => !isPlain(type));
  expect(later.length).toBeGreaterThan(texts.length / 2);
});
