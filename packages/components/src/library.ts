/** What makes a component's objects besides its arguments; its inputs carry it, so that the guard can make them again. */
import { libraryVersion, registryFault } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";

export interface Library {
  readonly version: string;
  /** Where a stack's images come from that no argument names: one setting for all components, in every language. */
  readonly imageRegistry?: string;
}

export function library(): Library {
  const imageRegistry = new pulumi.Config("drawbridge").get("imageRegistry");
  if (imageRegistry === undefined) return { version: libraryVersion };
  const fault = registryFault(imageRegistry);
  if (fault !== undefined) throw new Error(`drawbridge:imageRegistry: ${fault}`);
  return { version: libraryVersion, imageRegistry };
}
