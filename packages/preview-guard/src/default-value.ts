/** Defaults of arguments, from the components' schemas. */
import {
  devContainerSchema,
  frpServerSchema,
  injectedSshdSchema,
  sshGatewaySchema,
  sshRouteSchema,
  storageAccessorSchema,
  storageProxySchema,
} from "@drawbridge-iac/manifests";
import type { z } from "zod";
import { at } from "./finding.ts";

const schemas: Readonly<Record<string, z.core.$ZodType>> = {
  DevContainer: devContainerSchema,
  FrpServer: frpServerSchema,
  InjectedSshd: injectedSshdSchema,
  SshGateway: sshGatewaySchema,
  SshRoute: sshRouteSchema,
  StorageAccessor: storageAccessorSchema,
  StorageProxy: storageProxySchema,
};

/** @param path as in `egress.allow` */
export function defaultValue(component: string, path: string): unknown {
  return valueIn(schemas[component], path.split("."));
}

function valueIn(schema: z.core.$ZodType | undefined, path: readonly string[]): unknown {
  if (schema === undefined) return undefined;
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  switch (def.type) {
    case "default":
      return at(def.defaultValue, ...path) ?? valueIn(def.innerType, path);
    case "prefault":
      return path.length === 0 ? undefined : valueIn(def.innerType, path);
    case "pipe":
      return valueIn(def.in, path);
    case "object": {
      const [key, ...further] = path;
      return key === undefined ? undefined : valueIn(def.shape[key], further);
    }
    // A group that may be missing has no defaults while it is.
    default:
      return undefined;
  }
}
