import { expect, it } from "vitest";
import { parseOptions } from "./options.ts";

it("has defaults for all but the file", () => {
  expect(parseOptions(["--units", "/units.json"])).toEqual({
    port: 7501,
    metricsPort: 7502,
    units: "/units.json",
    apiAccess: undefined,
  });
});

it.each([
  [[], "--units FILE is missing"],
  [["--units", "x", "--port", "70000"], "--port 70000 is not a port"],
  [["--units", "x", "--metrics-port", "many"], "--metrics-port many is not a port"],
  [["--units", "x", "--verbose"], "--verbose"],
])("refuses %j", (argv, reason) => {
  expect(() => parseOptions(argv)).toThrow(reason);
});
