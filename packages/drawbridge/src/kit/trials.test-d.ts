/** A row without a trial does not compile, wherever it stands; nor does a trial of nothing. */
import { z } from "zod";
import { arg, group } from "./arg.ts";
import { input, inputList } from "./schema.ts";
import { below, type Trials } from "./trials.fixture.ts";

const inner = group("Inner", "It.", { d: arg(input(z.string()).optional(), "D.") });
const _schema = group("Outer", "It.", {
  a: arg(inputList(z.string()).default([]), "A."),
  b: arg(inner.prefault({}), "B."),
  c: arg(z.array(inner).default([]), "C."),
  e: arg(z.record(z.string(), z.unknown()).optional(), "E."),
});
type Outer = Trials<typeof _schema>;

const every = { a: {}, ...below("b", { d: {} }), "c[0].d": {}, e: {} };
every satisfies Outer;
({ ...every, "a twice": {} }) satisfies Outer;
// @ts-expect-error a leaf
({ ...below("b", { d: {} }), "c[0].d": {}, e: {} }) satisfies Outer;
// @ts-expect-error in a group
({ a: {}, "c[0].d": {}, e: {} }) satisfies Outer;
// @ts-expect-error in a list
({ a: {}, "b.d": {}, e: {} }) satisfies Outer;
// @ts-expect-error a map
({ a: {}, "b.d": {}, "c[0].d": {} }) satisfies Outer;
// @ts-expect-error of nothing
({ ...every, f: {} }) satisfies Outer;
({ a: {}, b: {}, c: {}, e: {} }) satisfies Trials<typeof _schema, "b" | "c">;
