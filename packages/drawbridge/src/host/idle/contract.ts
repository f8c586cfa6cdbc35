/** What a stack's objects, culler and activator (packages/controllers) and the command agree on. */

/** Annotation of the StatefulSet of a container that may sleep: its {@link IdleSettings} as JSON. */
export const idleSettingsAnnotation = "drawbridge.dev/idle";

/** Times of a week at which a container stays awake, by the clocks of one time zone. */
export interface Schedule {
  readonly timeZone: string;
  /** Minutes of the week from Monday 00:00, each from (with) to (without). */
  readonly minutes: readonly (readonly [from: number, to: number])[];
}

/** A container's sleep, every default decided. Times are in seconds. */
export interface IdleSettings {
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
  readonly gpuAbovePercent?: number | undefined;
}

/** Begins the line in a container's log that says whether it is idle. Nothing that sshd logs of strangers begins so. */
export const reportMark = "drawbridge-idle:";

/** Who manages the EndpointSlice that leads to the activator while a container sleeps, and the slice's name. */
export const sliceManager = "drawbridge-activator";
export const sliceSuffix = "-asleep";

/** What the activator greets with, to say why it ends a connection. */
export const activatorGreeting = "SSH-2.0-drawbridge";

/** What `drawbridge wake` greets with: a person asked, and waits. */
export const wakeGreeting = "SSH-2.0-drawbridge-wake";

/** What `drawbridge proxy` greets with while it waits for a container that its user's own greeting has woken. */
export const waitGreeting = "SSH-2.0-drawbridge-wait";

/**
 * Begins each line that the activator writes before a greeting, to a client that it lets wait. Clients of SSH pass such lines
 * over (RFC 4253, 4.2); `drawbridge proxy` and `drawbridge wake` show them.
 */
export const heldMark = "drawbridge: ";
/** The first of these lines. */
export const heldLine = `${heldMark}it is being woken`;
/** The last one, to one of the two greetings above: from then on a new connection leads to the container. */
export const awakeLine = `${heldMark}it is awake`;

/** Port of culler and activator for health and metrics. */
export const idleMetricsPort = 7602;
