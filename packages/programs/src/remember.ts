const most = 10_000;

/** Keeps it as the newest, and forgets the oldest: what others can make many of takes no memory without end. */
export function remember<K, V>(known: Map<K, V>, key: K, value: V): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}
