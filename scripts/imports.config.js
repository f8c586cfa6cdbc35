/**
 * Which files may import which (`npm run check`): arrows go one way, Pulumi is loaded only where resources are made.
 * Rules of https://github.com/sverweij/dependency-cruiser, which sees relative imports too.
 */
import { existsSync, readdirSync } from "node:fs";

const library = "^packages/drawbridge/src/";
/** Folders with a descriptor and a class. */
const components = readdirSync("packages/drawbridge/src")
  .filter((folder) =>
    ["descriptor", "component"].every((file) => existsSync(`packages/drawbridge/src/${folder}/${file}.ts`)),
  )
  .join("|");
const tests = "\\.(test|test-d|fixture|trials)\\.ts$";
/** The only files that load Pulumi. */
const registering = `${library}([^/]+/component|kubernetes/registration/[^/]+|stacks/program/[^/]+|plugin)\\.ts$`;
const policyPack = "^packages/guard/src/policy-pack\\.ts$";

/** Files of a room, which import nothing of the rooms above it. */
const below = (room, above) => ({
  name: `nothing-above-${room}`,
  severity: "error",
  from: { path: `${library}${room}/`, pathNot: tests },
  to: { path: `${library}(${above})(/|\\.ts$)`, pathNot: `${library}(kit|kubernetes)/` },
});

export default {
  forbidden: [
    {
      name: "no-circle",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    below("kit", "[^/]+"),
    below("kubernetes", `istio|isolation|host|stacks|${components}|index|plugin|lists|registry`),
    below("istio", `isolation|host|stacks|${components}|index|plugin|lists|registry`),
    below("isolation", `host|stacks|${components}|index|plugin|lists|registry`),
    below("host", `isolation|stacks|${components}|index|plugin|lists|registry`),
    below(`(${components})`, "stacks|index|plugin|lists|registry"),
    below("stacks", "index|plugin|lists"),
    {
      name: "components-know-refs-alone",
      comment: "A component reads of another what that gives out: its ref.",
      severity: "error",
      from: { path: `${library}(${components})/`, pathNot: tests },
      to: { path: `${library}(${components})/`, pathNot: `${library}($1/|[^/]+/ref\\.ts$)` },
    },
    {
      name: "pulumi-where-resources-are-made",
      comment: "All else is pure: data in, objects out. Types cost nothing.",
      severity: "error",
      from: {
        path: "^packages/(drawbridge|cli|guard|controllers)/src/",
        pathNot: [registering, policyPack, tests],
      },
      to: { path: "@pulumi/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "components-where-resources-are-made",
      severity: "error",
      from: {
        path: "^packages/",
        pathNot: [registering, `${library}(index|generated/components)\\.ts$`, tests, "^packages/lab/"],
      },
      to: { path: registering, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "packages-know-the-library-alone",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/", pathNot: tests },
      to: { path: "^(packages|test|scripts)/", pathNot: "^packages/($1|drawbridge)/" },
    },
    {
      name: "the-library-knows-no-other-package",
      severity: "error",
      from: { path: library, pathNot: tests },
      to: { path: "^(packages|test|scripts)/", pathNot: "^packages/drawbridge/" },
    },
    {
      name: "scripts-import-no-test",
      severity: "error",
      from: { path: "^scripts/", pathNot: "\\.test\\.ts$" },
      to: { path: "^test/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@drawbridge/source", "import", "node", "default"],
      extensions: [".ts", ".js", ".cjs", ".d.ts", ".json"],
    },
  },
};
