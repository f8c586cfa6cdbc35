/** What starts a program before its own code does: `Pulumi.yaml`, plugins and lock files. They are code, and named. */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMap } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import { parse } from "yaml";
import { exactly, printOf } from "./effect.ts";
import type { Finding } from "./guard.ts";
import { joined } from "./report-text.ts";

const files = [
  ..."Pulumi.yaml Pulumi.yml Pulumi.json PulumiPlugin.yaml".split(" "),
  ..."package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock .npmrc .yarnrc.yml".split(" "),
  ..."requirements.txt pyproject.toml poetry.lock uv.lock go.mod go.sum".split(" "),
];

/** What only people read. */
const told = new Set(["description", "author", "website", "license", "template"]);

export async function programFindings(base: string, project: string): Promise<Finding[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const [was, is] = await Promise.all([base, project].map((folder) => textIn(folder, file)));
      return was === is
        ? []
        : differences(file, was, is).map((text) => ({ object: file, about: file, text }));
    }),
  );
  return found.flat().map((one) => ({ rule: "program-changed", ...one }));
}

/** A link could lead to what the reader may see and the author of a change may not. */
async function textIn(folder: string, name: string): Promise<string | undefined> {
  const file = join(folder, name);
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new Error(`${file} is no file, but a link or a folder`);
  return readFile(file, "utf8");
}

function differences(file: string, was: string | undefined, is: string | undefined): string[] {
  if (was === undefined) return [exactly("it is new", is)];
  if (is === undefined) return ["it is removed"];
  const [old, now] = [was, is].map(mapIn);
  const isShown = old !== undefined && now !== undefined;
  if (isShown && file.startsWith("Pulumi")) return leaves(old, now, []);
  const [had, has] = [old, now].map((one) => mapOf(one?.packages));
  const packages = [...new Set([...Object.keys(had ?? {}), ...Object.keys(has ?? {})])]
    .filter((name) => printOf(had?.[name]) !== printOf(has?.[name]))
    .map(
      (name) =>
        `${name.replace(/^.*node_modules\//, "") || "the project"} ${versions(had?.[name], has?.[name])}`,
    );
  const which = packages.length === 0 ? "it is another" : `other packages: ${joined(packages, 12)}`;
  return [exactly(which, is)];
}

const mapOf = (value: unknown) => (isMap(value) ? value : undefined);

function mapIn(text: string) {
  try {
    return mapOf(parse(text));
  } catch {
    return undefined;
  }
}

function leaves(was: unknown, is: unknown, path: readonly string[]): string[] {
  const [old, now] = [mapOf(was), mapOf(is)];
  if (old === undefined || now === undefined) {
    if (printOf(was) === printOf(is)) return [];
    return [`${path.join(".")}: ${show(was)} → ${show(is)}`];
  }
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((key) => path.length > 0 || !told.has(key))
    .flatMap((key) => leaves(old[key], now[key], [...path, key]));
}

const show = (value: unknown) => (value === undefined ? "none" : JSON.stringify(value));

/** The same version with other contents is what a change would rather not show. */
function versions(was: unknown, is: unknown): string {
  const [old, now] = [was, is].map(
    (one) => mapOf(one)?.version ?? (one === undefined ? "none" : "unversioned"),
  );
  return old === now ? `${old} with other contents` : `${old} → ${now}`;
}
