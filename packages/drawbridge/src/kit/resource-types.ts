/** Resources that stand as arguments in the place of what is read of them, as `resource-argument.ts` reads them. */
import type * as pulumi from "@pulumi/pulumi";

/** A component that has a `ref`. */
export type Referable<Ref> = pulumi.Resource & { readonly ref: pulumi.Output<pulumi.Unwrap<Ref>> };

/** A Namespace of @pulumi/kubernetes, or a Team. */
export type NamespaceResource = pulumi.Resource &
  (
    | { readonly metadata: pulumi.Output<{ readonly name: string }> }
    | { readonly namespace: pulumi.Output<string> }
  );
