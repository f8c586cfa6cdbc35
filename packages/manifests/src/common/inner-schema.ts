/** The schema of an argument without what stands around it. */
import type { z } from "zod";
import { plainSchemas } from "./schema.ts";

/** The schema of the items of a list or map, or of a value that comes later. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const plain = bare(schema);
  const { def } = plain._zod as z.core.$ZodTypes["_zod"];
  const inner = plainSchemas.get(plain)?.schema as z.core.$ZodType | undefined;
  if (inner !== undefined) return innermost(inner);
  if (def.type === "array") return innermost(def.element);
  return def.type === "record" ? innermost(def.valueType) : plain;
}

/** The schema of a value that is there. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (plainSchemas.get(schema) !== undefined) return schema;
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  if (def.type === "pipe") return bare(def.in);
  return def.type === "optional" || def.type === "default" || def.type === "prefault"
    ? bare(def.innerType)
    : schema;
}
