import { addCents, type Cents } from '../ledger/index.ts';

/** Parts of a flux in the order of its columns. `other`: not attributed to any of the other parts. */
export const FLUX_PARTS = [
  ...(['new', 'lost', 'price', 'quantity', 'proration', 'timing', 'refunds', 'failed', 'other'] as const),
];
export type FluxPart = (typeof FLUX_PARTS)[number];

/** Amounts of the parts in cents. They add up to the difference exactly. */
export type FluxParts = Readonly<Record<FluxPart, Cents>>;

export const NO_FLUX: FluxParts = {
  ...{ new: 0, lost: 0, price: 0, quantity: 0, proration: 0, timing: 0, refunds: 0, failed: 0, other: 0 },
};

/** Returns the sums of the parts of two fluxes; `sign` -1 subtracts the second one. */
export function addFluxParts(one: FluxParts, other: FluxParts, sign: 1 | -1 = 1): FluxParts {
  const sums = FLUX_PARTS.map((part) => [
    part,
    addCents(one[part], sign === 1 ? other[part] : 0 - other[part]),
  ]);
  return Object.fromEntries(sums) as unknown as FluxParts;
}

/** Returns the sum of all parts, which is the difference of the figure. */
export const sumFluxParts = (parts: FluxParts): Cents =>
  FLUX_PARTS.reduce((sum, part) => addCents(sum, parts[part]), 0);
