import grpc from "@grpc/grpc-js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import any from "google-protobuf/google/protobuf/any_pb.js";
import { InitFailedError } from "./operations/manifest.ts";
import { toStruct } from "./values/wire.ts";

/** An error as gRPC carries it. For an object that is there but not ready its state goes along, so that it is kept. */
export function refusal(error: Error): Partial<grpc.StatusObject> {
  const { message } = error;
  if (!(error instanceof InitFailedError)) return { code: grpc.status.UNKNOWN, details: message };
  const failed = new messages.ErrorResourceInitFailed();
  failed.setId(error.id);
  failed.setProperties(toStruct(error.outputs));
  failed.setReasonsList([...error.reasons]);
  const detail = new any.Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new statusMessages.Status();
  status.setCode(grpc.status.UNKNOWN);
  status.setMessage(message);
  status.addDetails(detail);
  const metadata = new grpc.Metadata();
  // The key under which gRPC libraries look for an error's details.
  metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}
