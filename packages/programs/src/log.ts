/** Writes one line of the log. */
export type Log = (entry: Readonly<Record<string, unknown>>) => void;

export const log: Log = (entry) => console.log(JSON.stringify({ time: new Date().toISOString(), ...entry }));
