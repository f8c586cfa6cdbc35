import { expect, it } from "vitest";
import { staleFiles } from "./lib/made.ts";

it("what is made of the arguments' schemas, of programs and of records is as they are; otherwise run npm run docs", () => {
  expect(staleFiles()).toEqual([]);
});
