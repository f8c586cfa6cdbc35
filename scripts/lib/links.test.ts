import { expect, it } from "vitest";
import { slug } from "./links.ts";

it.each([
  ["1. Istio", "1-istio"],
  ["sshd, four ways", "sshd-four-ways"],
  ["Keys and identity", "keys-and-identity"],
  ["`drawbridge:team`", "drawbridgeteam"],
  ["What is kept, and what is not", "what-is-kept-and-what-is-not"],
])("the heading %s has the anchor that GitHub gives it", (heading, anchor) => {
  expect(slug(heading)).toBe(anchor);
});
