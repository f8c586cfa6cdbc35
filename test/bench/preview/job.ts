/** What one measured process is asked and what it answers. */

/** The two ways to write the same containers. */
export type Writing = "components" | "raw";

/** One Pulumi operation on `count` containers. */
export interface Job {
  readonly writing: Writing;
  readonly count: number;
  /** Number of the first one: stacks side by side have containers of their own. */
  readonly first: number;
  readonly operation: "preview" | "up" | "refresh" | "destroy";
  /** The provider's client limits as our stacks set them, instead of its own. */
  readonly raisedLimits: boolean;
  /** The raw objects of one container; see `template.ts`. */
  readonly template: string;
  /** Folder of the file backend. */
  readonly backend: string;
  /** Folder of the Pulumi CLI, and the environment in which it finds its provider. */
  readonly cli: { readonly root: string | undefined; readonly env: Readonly<Record<string, string>> };
}

/** Times and processor times in seconds, memory in bytes. */
export interface Outcome {
  /** From nothing imported to everything imported. */
  readonly start: number;
  /** The start and the operation. */
  readonly wall: number;
  /** Processor time of both in the program's own process. */
  readonly programCpu: number;
  /** Most memory that the program's process had. */
  readonly programMemory: number;
  /** Resources by what became or would become of them: `{ create: 901 }`. */
  readonly changes: Readonly<Record<string, number>>;
}

/** Namespace of the containers; it exists before. */
export const team = "team-bench";

/** Stands for a container's name in the template. */
export const placeholder = "container-name";

/** The names of a job's containers. */
export const namesOf = ({ first, count }: Pick<Job, "first" | "count">): string[] =>
  Array.from({ length: count }, (_, index) => `dev-${String(first + index).padStart(4, "0")}`);
