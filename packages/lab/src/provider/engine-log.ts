import grpc from "@grpc/grpc-js";
import engineService from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import type { Engine } from "./provider.ts";

/** Speaks to the engine at an address such as `127.0.0.1:4711`. What cannot be delivered is dropped: it is only talk. */
export function engineLog(address: string): Engine {
  const client = new engineService.EngineClient(address, grpc.credentials.createInsecure());
  const log = (severity: 1 | 2, urn: string, message: string, ephemeral: boolean): void => {
    const request = new engineMessages.LogRequest();
    request.setSeverity(severity);
    request.setUrn(urn);
    request.setMessage(message);
    request.setEphemeral(ephemeral);
    client.log(request, () => {});
  };
  const { INFO, WARNING } = engineMessages.LogSeverity;
  return {
    status: (urn, text) => log(INFO, urn, text, true),
    warn: (urn, text) => log(WARNING, urn, text, false),
  };
}
