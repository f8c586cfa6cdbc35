/** How values travel between the engine and a provider: a protobuf Struct with marked objects and reserved strings. */
import structs from "google-protobuf/google/protobuf/struct_pb.js";
import { isMap, Secret, UNKNOWN, type Value, type ValueMap } from "./property.ts";

// Fixed by Pulumi's protocol (sdk/go/common/resource: properties.go, plugin/rpc.go).
const MARK = "4dabf18193072939515e22adb298388d";
const MARKS = {
  secret: "1b47061264138c4ac30d75fd1eb44270",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
} as const;
const UNKNOWN_STRING = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const UNKNOWNS = new Set([
  UNKNOWN_STRING,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // a boolean
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // a number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // a list
  "030794c1-ac77-496b-92df-f27374a8bd58", // an asset
  "e48ece36-62e2-4504-bad9-02848725956a", // an archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // an object
]);

type Struct = structs.Struct;

export function fromStruct(struct: Struct | undefined): ValueMap {
  return struct === undefined ? {} : decodeMap(struct.toJavaScript());
}

export function toStruct(map: ValueMap): Struct {
  return structs.Struct.fromJavaScript(encode(map) as Parameters<typeof structs.Struct.fromJavaScript>[0]);
}

type Encoded = null | boolean | number | string | Encoded[] | { [key: string]: Encoded };

function encode(value: Value): Encoded {
  if (value === UNKNOWN) return UNKNOWN_STRING;
  if (value instanceof Secret) return { [MARK]: MARKS.secret, value: encode(value.value) };
  if (Array.isArray(value)) return value.map(encode);
  if (isMap(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, encode(part)]));
  return value;
}

function decode(value: unknown): Value {
  if (typeof value === "string") return UNKNOWNS.has(value) ? UNKNOWN : value;
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  if (Array.isArray(value)) return value.map(decode);
  const map = value as Record<string, unknown>;
  return MARK in map ? decodeMarked(map) : decodeMap(map);
}

function decodeMap(map: Record<string, unknown>): ValueMap {
  return Object.fromEntries(Object.entries(map).map(([key, part]) => [key, decode(part)]));
}

function decodeMarked(marked: Record<string, unknown>): Value {
  switch (marked[MARK]) {
    case MARKS.secret:
      return new Secret(decode(marked.value));
    case MARKS.output: {
      const value = "value" in marked ? decode(marked.value) : UNKNOWN;
      return marked.secret === true ? new Secret(value) : value;
    }
    case MARKS.resource:
      return decode(marked.id ?? marked.urn);
    default:
      throw new Error(
        "a Kubernetes object cannot hold an asset or an archive: pass the file's content as a string instead.",
      );
  }
}
