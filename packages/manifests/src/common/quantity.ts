/** Kubernetes quantities as numbers, for the few places that compute with them. */
const unit: Record<string, number> = {
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The quantity's value (bytes for memory, cores for CPU), or undefined if it is not a quantity. */
export function quantityValue(quantity: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(quantity);
  const factor = unit[match?.[2] ?? "?"];
  return factor === undefined ? undefined : Number(match?.[1]) * factor;
}

/** A number of bytes as a quantity in whole Mi, at least 1Mi. */
export function mebibytes(bytes: number): string {
  return `${Math.max(1, Math.floor(bytes / 2 ** 20))}Mi`;
}
