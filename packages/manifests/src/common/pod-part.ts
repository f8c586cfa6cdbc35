import type { Container, Volume } from "./kinds.ts";

/** One mount of a container. */
export interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly subPath?: string;
}

/** A container's pod is put together from parts; each part knows all its volumes, mounts and side containers. */
export interface PodPart {
  readonly volumes?: readonly Volume[];
  /** Mounts in the main container. */
  readonly mounts?: readonly Mount[];
  readonly initContainers?: readonly Container[];
  /** Fields merged into the main container. */
  readonly main?: Partial<Container>;
}

/** The parts' lists, one behind the other. */
export function joinParts(parts: readonly PodPart[]) {
  return {
    volumes: parts.flatMap((part) => part.volumes ?? []),
    mounts: parts.flatMap((part) => part.mounts ?? []),
    initContainers: parts.flatMap((part) => part.initContainers ?? []),
    main: Object.assign({}, ...parts.map((part) => part.main ?? {})) as Partial<Container>,
  };
}
