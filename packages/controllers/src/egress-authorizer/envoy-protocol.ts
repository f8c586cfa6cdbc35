/**
 * What Envoy asks and is answered, by gRPC: the fields that are used here of its services `auth.v3.Authorization` (whether
 * a request may pass) and `ext_proc.v3.ExternalProcessor` (a stream for as long as it lasts).
 */
import type { MethodDefinition } from "@grpc/grpc-js";
import protobuf from "protobufjs";

const proto = `
  syntax = "proto3";
  message Struct { map<string, Value> fields = 1; }
  message Value { string string_value = 3; }
  message HttpStatus { int32 code = 1; }
  message HeaderValue { string key = 1; string value = 2; }
  message HeaderValueOption { HeaderValue header = 1; }
  message CheckRequest {
    message SocketAddress { string address = 2; }
    message Address { SocketAddress socket_address = 1; }
    message Peer { Address address = 1; }
    message HttpRequest {
      string method = 2;
      map<string, string> headers = 3;
      string host = 5;
      string scheme = 6;
    }
    message Request { HttpRequest http = 2; }
    message AttributeContext { Peer source = 1; Request request = 4; }
    AttributeContext attributes = 1;
  }
  message CheckResponse {
    message Status { int32 code = 1; }
    message Denied { HttpStatus status = 1; repeated HeaderValueOption headers = 2; string body = 3; }
    message Ok {}
    Status status = 1;
    Denied denied_response = 2;
    Ok ok_response = 3;
    Struct dynamic_metadata = 4;
  }
  message ProcessingRequest {
    message Some {}
    message Metadata { map<string, Struct> filter_metadata = 1; }
    Some request_headers = 2;
    Some response_trailers = 7;
    Metadata metadata_context = 8;
  }
  message ProcessingResponse {
    message Some {}
    message Immediate { HttpStatus status = 1; }
    Some request_headers = 1;
    Some response_trailers = 6;
    Immediate immediate_response = 7;
  }
`;

interface Struct {
  readonly fields: Readonly<Record<string, { readonly stringValue: string }>>;
}

export interface CheckRequest {
  readonly attributes?: {
    readonly source?: { readonly address?: { readonly socketAddress?: { readonly address?: string } } };
    readonly request?: {
      readonly http?: {
        readonly method?: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly host?: string;
        readonly scheme?: string;
      };
    };
  };
}

export interface CheckResponse {
  /** One of gRPC's codes; like every field of a message it may be missing. */
  readonly status?: { readonly code: number };
  readonly deniedResponse?: {
    readonly status: { readonly code: number };
    readonly headers: readonly { readonly header: { readonly key: string; readonly value: string } }[];
    readonly body: string;
  };
  readonly okResponse?: object;
  /** Kept by Envoy under the name of the filter that asked; nobody outside can write there. */
  readonly dynamicMetadata?: Struct;
}

export interface ProcessingRequest {
  readonly requestHeaders?: object;
  readonly responseTrailers?: object;
  readonly metadataContext?: { readonly filterMetadata: Readonly<Record<string, Struct>> };
}

export interface ProcessingResponse {
  readonly requestHeaders?: object;
  readonly responseTrailers?: object;
  readonly immediateResponse?: { readonly status: { readonly code: number } };
}

export const struct = (values: Readonly<Record<string, string>>): Struct => ({
  fields: Object.fromEntries(Object.entries(values).map(([key, stringValue]) => [key, { stringValue }])),
});

const { root } = protobuf.parse(proto);

interface Codec<Message> {
  write(message: Message): Buffer;
  read(bytes: Buffer): Message;
}

// A map that Envoy left out is an empty one; a text that it left out is not there.
const withMaps = { objects: true };

function codec(name: string) {
  const type = root.lookupType(name);
  return {
    write: (message: object) => Buffer.from(type.encode(type.create(message)).finish()),
    read: (bytes: Buffer) => type.toObject(type.decode(bytes), withMaps),
  };
}

function method<Request, Response>(
  path: string,
  isStream: boolean,
  request: Codec<Request>,
  response: Codec<Response>,
): MethodDefinition<Request, Response> {
  return {
    path,
    requestStream: isStream,
    responseStream: isStream,
    requestSerialize: request.write,
    requestDeserialize: request.read,
    responseSerialize: response.write,
    responseDeserialize: response.read,
  };
}

export const authorization = {
  check: method<CheckRequest, CheckResponse>(
    "/envoy.service.auth.v3.Authorization/Check",
    false,
    codec("CheckRequest"),
    codec("CheckResponse"),
  ),
};

export const externalProcessor = {
  process: method<ProcessingRequest, ProcessingResponse>(
    "/envoy.service.ext_proc.v3.ExternalProcessor/Process",
    true,
    codec("ProcessingRequest"),
    codec("ProcessingResponse"),
  ),
};
