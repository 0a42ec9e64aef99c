import type { Cents } from '../ledger/index.ts';

/** Areas of the general ledger that schedule S4 compares with schedules S1 to S3. */
export const comparedLedgerAreas = ['revenue', 'receivables', 'clearing', 'fees', 'cash'] as const;
export type ComparedLedgerArea = (typeof comparedLedgerAreas)[number];

/** Areas to which a ledger account can be mapped. Those that S4 does not compare are used only by journal entries. */
export const ledgerAreas = [
  ...comparedLedgerAreas,
  'chargebacks',
  'reserve',
  'write-offs',
  'in-transit',
  'exchange',
  'other-income',
] as const;
export type LedgerArea = (typeof ledgerAreas)[number];

const creditAreas: ReadonlySet<LedgerArea> = new Set(['revenue', 'other-income']);

/** Returns true if credits increase the accounts of an area. Debits increase all others. */
export const isCreditArea = (area: LedgerArea): boolean => creditAreas.has(area);

/** Converts cents that are positive for a debit to cents that are positive for an increase of the area, or back. */
export const toAreaCents = (area: LedgerArea, debitCents: Cents): Cents =>
  isCreditArea(area) ? 0 - debitCents : debitCents;

/** Figures of S1 to S3 that add up to the movement of each area. `minus` figures are subtracted. */
export const ledgerAreaFigures: Readonly<
  Record<ComparedLedgerArea, { readonly plus: readonly string[]; readonly minus: readonly string[] }>
> = {
  revenue: { plus: ['S1.charges', 'S1.adjusted', 'S1.credits'], minus: [] },
  receivables: { plus: ['S1.charges', 'S1.adjusted', 'S1.credits', 'S1.payments'], minus: [] },
  clearing: {
    plus: ['S2.gross', 'S2.chargebacks', 'S2.fees', 'S2.fx', 'S2.reserve', 'S2.other'],
    minus: ['S2.sent'],
  },
  fees: { plus: [], minus: ['S2.fees'] },
  cash: { plus: ['S3.deposits', 'S3.returned', 'S3.other-out'], minus: [] },
};
