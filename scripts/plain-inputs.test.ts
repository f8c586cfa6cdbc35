/** Which arguments take no output of another resource, and why. */
import { expect, it } from "vitest";
import { type ArgType, argumentGroups } from "./lib/argument-groups.ts";

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
