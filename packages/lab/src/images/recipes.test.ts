import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { imageNames, imageRef } from "./index.ts";
import { recipeOf } from "./recipes.ts";

test("the images that a lab loads", () => {
  expect(imageNames.map(imageRef)).toEqual([
    "drawbridge.local/pause:lab",
    "drawbridge.local/debian:lab",
    "drawbridge.local/busybox:lab",
    "drawbridge.local/proxyv2:lab",
    "drawbridge.local/proxyv2:previous",
    "drawbridge.local/coredns:lab",
    "drawbridge.local/metallb:lab",
    "drawbridge.local/pilot:lab",
    "drawbridge.local/pilot:previous",
    "drawbridge.local/devcontainer:lab",
    "drawbridge.local/extended:lab",
    "drawbridge.local/registry:lab",
    "drawbridge.local/toolchains:lab",
    "drawbridge.local/restic:lab",
    "drawbridge.local/metrics-server:lab",
    "drawbridge.local/agnhost:2.63.0",
    "drawbridge.local/busybox:1.37.0-1",
    "drawbridge.local/pause:3.10.2",
    "drawbridge.local/glibc-dns-testing:2.0.0",
    "drawbridge.local/containers:lab",
    "drawbridge.local/sshd-bundle:lab",
    "drawbridge.local/frps:lab",
    "drawbridge.local/frpc:lab",
    "drawbridge.local/programs:lab",
    "drawbridge.local/dufs:lab",
  ]);
});

// What a recipe gives must be what its Dockerfile asks for: buildah ignores an argument that is not used.
test.each(imageNames)("%s: arguments, stage and copied files match the Dockerfile", async (name) => {
  const recipe = recipeOf(name);
  const packages = fileURLToPath(new URL("../../..", import.meta.url));
  const dockerfile = await readFile(`${packages}/${recipe.folder}/Dockerfile`, "utf8");
  const given = [...Object.keys(recipe.from ?? {}), ...(hasPrebuilt(dockerfile) ? ["BINARY"] : [])];
  for (const argument of given) expect(dockerfile).toMatch(new RegExp(`^ARG ${argument}\\b`, "m"));
  if (recipe.target !== undefined) expect(dockerfile).toContain(` AS ${recipe.target}\n`);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap(([, list]) =>
    list!.split(" "),
  );
  // Stages that build from source read the pins of the lab's tools and the controllers; the lab never builds them.
  const own = copied.filter((path) => !/^(lab\/tools|controllers|drawbridge)\//.test(path));
  const provided = [recipe.folder, ...(recipe.sources ?? [])];
  expect(own.filter((path) => !provided.some((source) => path.startsWith(source)))).toEqual([]);
});

test("the image of the controllers is bundled by the version that bundles them for npm", async () => {
  const file = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), "utf8");
  const dockerfile = await file("packages/images/programs/Dockerfile");
  for (const name of ["@grpc/grpc-js", "protobufjs", "rolldown"]) {
    const { version } = JSON.parse(await file(`node_modules/${name}/package.json`));
    expect(dockerfile).toMatch(new RegExp(` ${name}@${version.replaceAll(".", "\\.")}[ ;]`));
  }
});

function hasPrebuilt(dockerfile: string): boolean {
  return dockerfile.includes(" AS prebuilt\n");
}
