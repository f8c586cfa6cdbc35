/** `drawbridge images`: what a cluster pulls, for copying it into a registry first. */
import {
  imageInRegistry,
  ownImages,
  publicImages,
  registryFault,
} from "@drawbridge-iac/drawbridge/src/kubernetes/images";
import { CliError, ExitCode } from "../faults.ts";

export interface ImagesFlags {
  readonly registry?: string;
}

/** A line for each image; with a registry, also what it is called there. */
export function images({ registry }: ImagesFlags): string {
  const fault = registry === undefined ? undefined : registryFault(registry);
  if (fault !== undefined) throw new CliError(fault, ExitCode.usage);
  return [...ownImages, ...Object.values(publicImages)]
    .map((image) => (image.startsWith("fatedier/") ? `docker.io/${image}` : image))
    .map((image) => (registry === undefined ? image : `${image} ${imageInRegistry(image, registry)}`))
    .join("\n");
}
