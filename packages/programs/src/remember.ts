const most = 10_000;

/** Keeps a value as the newest, and forgets the oldest beyond a limit, so that others cannot fill the memory. */
export function remember<K, V>(known: Map<K, V>, key: K, value: V): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}
