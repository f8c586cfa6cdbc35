import type { Probe } from "./probes.ts";

/** A program of the cluster: how it is started, and how one sees that it is ready for use. */
export interface Program {
  /** Also the name of its log file. */
  name: string;
  /** Names of the steps that must be done before it is started. */
  after: readonly string[];
  command: string;
  args: readonly string[];
  /** Added to the supervisor's own environment. */
  env?: Readonly<Record<string, string>>;
  /** Files written before each start, by absolute path. */
  files?: Readonly<Record<string, string>>;
  /** Folders made before each start. */
  folders?: readonly string[];
  /** Working directory. Default: the file system's root. */
  directory?: string;
  ready: Probe;
}
