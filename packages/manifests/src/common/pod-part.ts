import type { Container, Volume } from "./kinds.ts";

/** One mount of a container. */
export interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly subPath?: string;
}

/** A part of a pod: all volumes, mounts and side containers that belong together. */
export interface PodPart {
  readonly volumes?: readonly Volume[];
  /** Mounts in the main container. */
  readonly mounts?: readonly Mount[];
  readonly initContainers?: readonly Container[];
  /** Fields merged into the main container. */
  readonly main?: Partial<Container>;
}

/** One part of several: their lists concatenated. */
export function joinParts(parts: readonly PodPart[]) {
  return {
    volumes: parts.flatMap((part) => part.volumes ?? []),
    mounts: parts.flatMap((part) => part.mounts ?? []),
    initContainers: parts.flatMap((part) => part.initContainers ?? []),
    main: Object.assign({}, ...parts.map((part) => part.main ?? {})) as Partial<Container>,
  };
}
