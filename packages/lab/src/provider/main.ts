/** The program `pulumi-resource-kubernetes`, started by Pulumi with the engine's address as its argument. */
import grpc from "@grpc/grpc-js";
import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { engineLog } from "./engine-log.ts";
import type { Engine } from "./provider.ts";
import { KUBERNETES_PROVIDER_VERSION } from "./provider.ts";
import { providerService } from "./server.ts";

// Objects with large lists, such as definitions, exceed gRPC's usual 4 MiB.
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

const silent: Engine = { status: () => {}, warn: () => {} };
const address = process.argv.slice(2).find((argument) => /^[^\s-]\S*:\d+$/.test(argument));
const engine = address === undefined ? silent : engineLog(address);

const server = new grpc.Server({
  "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
  "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
});
server.addService(
  service.ResourceProviderService,
  providerService(KUBERNETES_PROVIDER_VERSION, () => engine),
);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  // Pulumi reads the port from the first line.
  process.stdout.write(`${port}\n`);
});
