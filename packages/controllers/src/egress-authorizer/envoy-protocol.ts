/**
 * What Envoy asks and is answered, by gRPC: the fields that are used here of its service `ext_proc.v3.ExternalProcessor`, a
 * stream for as long as a request lasts.
 */
import type { MethodDefinition } from "@grpc/grpc-js";
import protobuf from "protobufjs";

const proto = `
  syntax = "proto3";
  message Struct { map<string, Value> fields = 1; }
  message Value { string string_value = 3; Struct struct_value = 5; }
  message HttpStatus { int32 code = 1; }
  message HeaderValue { string key = 1; string value = 2; bytes raw_value = 3; }
  message HeaderMap { repeated HeaderValue headers = 1; }
  message HeaderValueOption { HeaderValue header = 1; }
  message HeaderMutation { repeated HeaderValueOption set_headers = 1; repeated string remove_headers = 2; }
  message ProcessingRequest {
    message HttpHeaders { HeaderMap headers = 1; }
    message Some {}
    HttpHeaders request_headers = 2;
    Some response_trailers = 7;
    map<string, Struct> attributes = 9;
  }
  message ProcessingResponse {
    message Some {}
    message Immediate { HttpStatus status = 1; HeaderMutation headers = 2; bytes body = 3; }
    message Common { HeaderMutation header_mutation = 2; }
    message Headers { Common response = 1; }
    Headers request_headers = 1;
    Some response_trailers = 6;
    Immediate immediate_response = 7;
    Struct dynamic_metadata = 8;
  }
`;

interface Struct {
  readonly fields: Readonly<Record<string, { readonly stringValue?: string; readonly structValue?: Struct }>>;
}

/** A field that Envoy left out is not there; a map is then empty. */
export interface ProcessingRequest {
  readonly requestHeaders?: {
    readonly headers?: {
      readonly headers?: readonly { readonly key?: string; readonly rawValue?: Buffer }[];
    };
  };
  readonly responseTrailers?: object;
  /** By the name of the filter that asks. */
  readonly attributes?: Readonly<Record<string, Struct>>;
}

export interface ProcessingResponse {
  readonly requestHeaders?: {
    readonly response: { readonly headerMutation: { readonly removeHeaders: readonly string[] } };
  };
  readonly responseTrailers?: object;
  readonly immediateResponse?: {
    readonly status: { readonly code: number };
    readonly headers?: {
      readonly setHeaders: readonly {
        readonly header: { readonly key: string; readonly rawValue: Buffer };
      }[];
    };
    readonly body?: Buffer;
  };
  /** By namespace; kept by Envoy with the request. */
  readonly dynamicMetadata?: Struct;
}

const { root } = protobuf.parse(proto);

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
  request: { read(bytes: Buffer): Request; write(message: Request): Buffer },
  response: { read(bytes: Buffer): Response; write(message: Response): Buffer },
): MethodDefinition<Request, Response> {
  return {
    path,
    requestStream: true,
    responseStream: true,
    requestSerialize: request.write,
    requestDeserialize: request.read,
    responseSerialize: response.write,
    responseDeserialize: response.read,
  };
}

export const externalProcessor = {
  process: method<ProcessingRequest, ProcessingResponse>(
    "/envoy.service.ext_proc.v3.ExternalProcessor/Process",
    codec("ProcessingRequest"),
    codec("ProcessingResponse"),
  ),
};
