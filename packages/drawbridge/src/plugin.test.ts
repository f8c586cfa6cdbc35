/** The plugin as Pulumi starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages, { type GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = "packages/drawbridge";
const readJson = (file: string) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));
const described = readJson("package.json");

describe("the plugin", () => {
  let plugin: ChildProcess;
  let port: string;

  beforeAll(async () => {
    plugin = spawn(`${folder}/${described.bin["pulumi-resource-drawbridge"]}`, ["127.0.0.1:1"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (plugin.stdout === null) throw new Error("the plugin has no standard output");
    for await (const line of createInterface(plugin.stdout)) {
      port = line;
      break;
    }
  });
  afterAll(() => plugin.kill());

  it("gives the schema that is in the repository, with the project's version", async () => {
    const client = new service.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const answer = await new Promise<GetSchemaResponse>((resolve, reject) => {
      client.getSchema(new messages.GetSchemaRequest(), (error, response) =>
        error === null ? resolve(response) : reject(error),
      );
    });
    client.close();
    expect(JSON.parse(answer.getSchema())).toEqual({
      ...readJson("schema.json"),
      version: described.version,
    });
  });

  it("is the folder's program for Pulumi's loader too", () => {
    expect(readFileSync(`${folder}/PulumiPlugin.yaml`, "utf8")).toMatch(/^runtime:\n {2}name: nodejs$/m);
    expect(described.main).toBe(described.bin["pulumi-resource-drawbridge"]);
    expect(described.files).toEqual(expect.arrayContaining(["PulumiPlugin.yaml", "bin", "schema.json"]));
  });
});
