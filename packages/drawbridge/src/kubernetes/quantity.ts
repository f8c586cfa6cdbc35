/** Kubernetes quantities: as numbers where something computes with them, and as the cluster writes them. */
import { type Input, whenKnown } from "../kit/input.ts";

const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binary = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const nano = 1_000_000_000n;

/** In billionths; undefined if it is not a quantity. */
function billionths(quantity: string): { readonly amount: bigint; readonly unit: string } | undefined {
  const [, whole, fraction = "", unit = ""] = /^(\d+)(?:\.(\d+))?([A-Za-z]*)$/.exec(quantity) ?? [];
  const times = unit.endsWith("i") ? unitSize(unit, binary, 1024n, nano) : unitSize(unit, decimal, 1000n, 1n);
  if (whole === undefined || times === undefined) return undefined;
  const scale = 10n ** BigInt(fraction.length);
  // Smaller fractions are rounded up, as the cluster does.
  return { amount: (BigInt(whole + fraction) * times + scale - 1n) / scale, unit };
}

/** In billionths; `first` is the size of the first of the units, each of which is `base` times the one before. */
function unitSize(unit: string, units: readonly string[], base: bigint, first: bigint): bigint | undefined {
  const index = units.indexOf(unit);
  return index < 0 ? undefined : first * base ** BigInt(index);
}

/** The quantity's value (bytes for memory, cores for CPU), or undefined if it is not a quantity. */
export function quantityValue(quantity: string): number | undefined {
  const found = billionths(quantity);
  return found && Number(found.amount) / Number(nano);
}

/**
 * As the cluster writes it: the largest unit without a fraction, so `1024Mi` is `1Gi` and `0.5` is `500m`.
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function canonicalQuantity(quantity: string): string {
  const { amount, unit } = billionths(quantity) ?? {};
  if (amount === undefined || unit === undefined) return quantity;
  return unit.endsWith("i") && amount % nano === 0n && amount >= 1024n * nano
    ? inLargest(amount / nano, 1024n, binary)
    : inLargest(amount, 1000n, decimal);
}

function inLargest(amount: bigint, base: bigint, [unit = "", ...larger]: readonly string[]): string {
  return amount > 0n && amount % base === 0n && larger.length > 0
    ? inLargest(amount / base, base, larger)
    : `${amount}${amount === 0n ? "" : unit}`;
}

/** Quantities by name, as the cluster writes them. */
export const canonicalQuantities = (quantities: Readonly<Record<string, Input<string>>>) =>
  Object.fromEntries(
    Object.entries(quantities).map(([name, value]) => [name, whenKnown(value, canonicalQuantity)]),
  );

/** A number of bytes as a quantity in whole Mi, at least 1Mi. */
export function mebibytes(bytes: number): string {
  return canonicalQuantity(`${Math.max(1, Math.floor(bytes / 2 ** 20))}Mi`);
}
