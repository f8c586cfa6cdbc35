/** What a container's own file says of its sleep, as its StatefulSet carries it: an annotation, every default decided. */

/** Annotation of a StatefulSet that may be put to sleep. */
export const settingsAnnotation = "drawbridge.dev/idle";

/** Times of a week at which a container stays awake, by the clocks of one time zone. */
export interface Schedule {
  readonly timeZone: string;
  /** Minutes of the week from Monday 00:00, each from (with) to (without). */
  readonly minutes: readonly (readonly [from: number, to: number])[];
}

/** Times are in seconds. */
export interface Settings {
  readonly stopAfter: number;
  readonly silentSessions: number;
  readonly warning: number;
  readonly keepAwake: readonly Schedule[];
  readonly wake: "onConnect" | "byCommand" | "never";
  readonly maxHold: number;
  /** sshd's port, which is the Service's too. */
  readonly port: number;
  /** Whether the stack lets it run at all. */
  readonly running: boolean;
  readonly dryRun: boolean;
  /** The gateway whose culler and activator see to it, as `namespace/name`. */
  readonly gateway: string;
  /** How often the container reports. */
  readonly reportEvery: number;
  /** GPU use in percent that counts as work; undefined where nobody is asked. */
  readonly gpuAbovePercent?: number;
}

/** Reads the annotation; undefined for a container that has none, and so is left alone. */
export function parseSettings(annotation: string | undefined): Settings | undefined {
  return annotation === undefined ? undefined : (JSON.parse(annotation) as Settings);
}
