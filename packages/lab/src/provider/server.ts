/** Pulumi's ResourceProvider protocol: requests to operations, their results to responses. */
import grpc from "@grpc/grpc-js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import type * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import any from "google-protobuf/google/protobuf/any_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { diffConfig } from "./config/diff-config.ts";
import { configFaults, readSettings } from "./config/settings.ts";
import { check } from "./operations/check.ts";
import { create } from "./operations/create.ts";
import { remove } from "./operations/delete.ts";
import { type Change, type DiffResult, diff } from "./operations/diff.ts";
import type { Autonaming } from "./operations/manifest.ts";
import { InitFailedError } from "./operations/manifest.ts";
import { read } from "./operations/read.ts";
import { update } from "./operations/update.ts";
import { configure, type Engine, type Provider } from "./provider.ts";
import { reveal, type ValueMap } from "./values/property.ts";
import { fromStruct, toStruct } from "./values/wire.ts";

/** The methods of the service, by their names in the protocol. */
export function providerService(version: string, engine: () => Engine): grpc.UntypedServiceImplementation {
  const cancel = new AbortController();
  let configured: Provider | undefined;
  const provider = (): Provider => {
    if (configured === undefined)
      throw new Error("internal error: the engine did not configure the provider.");
    return configured;
  };

  return {
    handshake: unary(() => {
      const response = new messages.ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      response.setSupportsAutonamingConfiguration(true);
      return response;
    }),
    getPluginInfo: unary(() => {
      const response = new pluginMessages.PluginInfo();
      response.setVersion(version);
      return response;
    }),
    checkConfig: unary((request: pb.CheckRequest) => {
      const news = fromStruct(request.getNews());
      const response = new messages.CheckResponse();
      response.setInputs(toStruct(news));
      response.setFailuresList(
        configFaults(knownTexts(news)).map(({ key, reason }) => {
          const failure = new messages.CheckFailure();
          failure.setProperty(key);
          failure.setReason(reason);
          return failure;
        }),
      );
      return response;
    }),
    diffConfig: unary((request: pb.DiffRequest) => {
      const { changed, replaces } = diffConfig(
        plain(request.getOldInputs() ?? request.getOlds()),
        plain(request.getNews()),
      );
      const response = new messages.DiffResponse();
      const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
      response.setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE);
      response.setDiffsList([...changed]);
      response.setReplacesList([...replaces]);
      return response;
    }),
    configure: unary((request: pb.ConfigureRequest) => {
      configured = configure(readSettings(configVariables(request)), engine(), cancel.signal);
      const response = new messages.ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      response.setSupportsAutonamingConfiguration(true);
      return response;
    }),
    check: unary(async (request: pb.CheckRequest) => {
      const inputs = await check(provider(), {
        type: request.getType(),
        resourceName: request.getName(),
        olds: fromStruct(request.getOlds()),
        news: fromStruct(request.getNews()),
        seed: request.getRandomseed_asU8(),
        autonaming: autonaming(request.getAutonaming()),
      });
      const response = new messages.CheckResponse();
      response.setInputs(toStruct(inputs));
      return response;
    }),
    diff: unary((request: pb.DiffRequest) =>
      diffResponse(
        diff(provider(), {
          type: request.getType(),
          olds: fromStruct(request.getOlds()),
          news: fromStruct(request.getNews()),
          ignoreChanges: request.getIgnorechangesList(),
        }),
      ),
    ),
    create: unary(async (request: pb.CreateRequest) => {
      const { id, outputs } = await create(provider(), {
        urn: request.getUrn(),
        inputs: fromStruct(request.getProperties()),
        preview: request.getPreview(),
        timeout: request.getTimeout(),
      });
      const response = new messages.CreateResponse();
      response.setId(id);
      response.setProperties(toStruct(outputs));
      return response;
    }),
    read: unary(async (request: pb.ReadRequest) => {
      const found = await read(provider(), {
        type: request.getType(),
        id: request.getId(),
        inputs: fromStruct(request.getInputs()),
        outputs: fromStruct(request.getProperties()),
      });
      const response = new messages.ReadResponse();
      // An empty id says that the object is gone.
      if (found === undefined) return response;
      response.setId(request.getId());
      response.setInputs(toStruct(found.inputs));
      response.setProperties(toStruct(found.outputs));
      return response;
    }),
    update: unary(async (request: pb.UpdateRequest) => {
      const outputs = await update(provider(), {
        urn: request.getUrn(),
        olds: fromStruct(request.getOlds()),
        news: fromStruct(request.getNews()),
        ignoreChanges: request.getIgnorechangesList(),
        preview: request.getPreview(),
        timeout: request.getTimeout(),
      });
      const response = new messages.UpdateResponse();
      response.setProperties(toStruct(outputs));
      return response;
    }),
    delete: unary(async (request: pb.DeleteRequest) => {
      await remove(provider(), {
        urn: request.getUrn(),
        type: request.getType(),
        id: request.getId(),
        outputs: fromStruct(request.getProperties()),
        timeout: request.getTimeout(),
      });
      return new empty.Empty();
    }),
    cancel: unary(() => {
      cancel.abort();
      return new empty.Empty();
    }),
    attach: unary(() => new empty.Empty()),
    construct: unary((request: pb.ConstructRequest) => {
      throw notSupported(`the component ${request.getType()}`);
    }),
    invoke: unary((request: pb.InvokeRequest) => {
      throw notSupported(`the function ${request.getTok()}`);
    }),
    call: unary((request: pb.CallRequest) => {
      throw notSupported(`the method ${request.getTok()}`);
    }),
    getSchema: unary(() => {
      throw notSupported("asking for the schema");
    }),
    getMapping: unary(() => new messages.GetMappingResponse()),
    getMappings: unary(() => new messages.GetMappingsResponse()),
  };
}

/** A method that answers one request with one response; what it throws becomes the call's error. */
function unary<Request, Response>(method: (request: Request) => Response | Promise<Response>) {
  return async (
    call: grpc.ServerUnaryCall<Request, Response>,
    answer: grpc.sendUnaryData<Response>,
  ): Promise<void> => {
    try {
      answer(null, await method(call.request));
    } catch (error) {
      answer(refusal(error as Error));
    }
  };
}

function notSupported(what: string): Error {
  return new Error(
    `${what} is not supported by the stand-in Kubernetes provider. Declare the Kubernetes objects themselves, or install the official provider.`,
  );
}

const PREFIX = "kubernetes:config:";

function configVariables(request: pb.ConfigureRequest): Record<string, string> {
  const variables: [string, string][] = request.getVariablesMap().toObject();
  return Object.fromEntries(
    variables.map(([key, value]) => [key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key, value]),
  );
}

/** The parts of a configuration that can be judged already. */
function knownTexts(config: ValueMap): Record<string, string> {
  const entries = Object.entries(config).map(([key, value]) => [key, reveal(value)]);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "string"));
}

function plain(struct: Parameters<typeof fromStruct>[0]): ValueMap {
  return reveal(fromStruct(struct)) as ValueMap;
}

function autonaming(options: pb.CheckRequest.AutonamingOptions | undefined): Autonaming | undefined {
  if (options === undefined) return undefined;
  const isDisabled = options.getMode() === messages.CheckRequest.AutonamingOptions.Mode.DISABLE;
  return { mode: isDisabled ? "disable" : "propose", proposedName: options.getProposedName() };
}

function diffResponse({ changes, deleteBeforeReplace }: DiffResult): pb.DiffResponse {
  const response = new messages.DiffResponse();
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  response.setChanges(changes.length > 0 ? DIFF_SOME : DIFF_NONE);
  response.setHasdetaileddiff(true);
  response.setReplacesList(changes.filter(({ replaces }) => replaces).map(({ path }) => path));
  response.setDeletebeforereplace(deleteBeforeReplace);
  const details = response.getDetaileddiffMap();
  for (const change of changes) {
    const detail = new messages.PropertyDiff();
    detail.setKind(kindOf(change));
    detail.setInputdiff(true);
    details.set(change.path, detail);
  }
  return response;
}

function kindOf({ kind, replaces }: Change): pb.PropertyDiff.Kind {
  const kinds = messages.PropertyDiff.Kind;
  const [inPlace, anew] = {
    add: [kinds.ADD, kinds.ADD_REPLACE],
    delete: [kinds.DELETE, kinds.DELETE_REPLACE],
    update: [kinds.UPDATE, kinds.UPDATE_REPLACE],
  }[kind] as [pb.PropertyDiff.Kind, pb.PropertyDiff.Kind];
  return replaces ? anew : inPlace;
}

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
