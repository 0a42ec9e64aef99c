import { addCents, type CalendarDate, type Cents } from '../ledger/index.ts';

/** Row of a figure in one of the two months. */
export interface FluxRow {
  readonly cents: Cents;
  readonly day: CalendarDate | null;
  readonly nature: FluxRowNature;
  /** Item that the row bills, for example `quantity_based_component Seats`, so that its rows of both months are compared. */
  readonly item: string;
  /** Billed quantity; null if the row states none. */
  readonly quantity: number | null;
}

/**
 * - `recurring`: bills the subscription's plan. `component`: bills a component that can be added or removed.
 * - `discount`: reduces the price. `proration`: bills or credits part of a service period.
 * - `payment`, `refund`: moves money. `other`: anything else, for example a tax, a one-time charge or a balance.
 */
export type FluxRowNature =
  | 'recurring'
  | 'component'
  | 'discount'
  | 'proration'
  | 'payment'
  | 'refund'
  | 'other';

/** Natures whose rows are compared one by one. The rows of other natures count only by their sum and their sign. */
const COMPARED_NATURES: ReadonlySet<FluxRowNature> = new Set(['recurring', 'component'] as const);

/** Rows of a subscription in a month. Adds up rows that are not compared one by one, so that few rows are stored. */
export class FluxRowList {
  readonly rows: FluxRow[] = [];
  readonly #positions = new Map<string, number>();

  add(row: FluxRow): void {
    const key = `${row.nature} ${row.cents < 0} ${row.item}`;
    const at = COMPARED_NATURES.has(row.nature) ? undefined : this.#positions.get(key);
    if (at !== undefined) {
      this.rows[at] = { ...row, cents: addCents(this.rows[at]!.cents, row.cents) };
      return;
    }
    this.#positions.set(key, this.rows.length);
    this.rows.push(row);
  }
}

/** The fields of a transaction that decide its nature. */
export interface FluxTransaction {
  readonly transaction_type: string;
  readonly kind: string | null;
  readonly memo: string | null;
}

const PRORATED = /\bprorated\b/iu;
const COMPONENT_KINDS: ReadonlySet<string> = new Set([
  ...['quantity_based_component', 'on_off_component', 'metered_component', 'metered'],
]);

/** Returns how a transaction takes part in a flux. Nature and quantity follow from its type, its kind and its memo. */
export function toFluxItem({
  transaction_type,
  kind,
  memo,
}: FluxTransaction): Pick<FluxRow, 'nature' | 'item' | 'quantity'> {
  const item = `${kind ?? transaction_type} ${readItemName(memo)}`.trim();
  const of = (nature: FluxRowNature, quantity: number | null = null) => ({ nature, item, quantity });
  const type = transaction_type.toLowerCase();
  if (type === 'payment' || type === 'refund') return { ...of(type), item: type };
  if (kind === 'prorated' || kind === 'delay_capture' || PRORATED.test(memo ?? '')) return of('proration');
  if (kind === 'baseline') return { ...of('recurring', 1), item: kind };
  if (kind === 'coupon' || kind === 'referral') return of('discount');
  if (kind !== null && COMPONENT_KINDS.has(kind) && type === 'charge')
    return of('component', readQuantity(memo) ?? (kind === 'on_off_component' ? 1 : null));
  return of('other');
}

/** Returns the quantity that a memo states, for example 18 for `Timesheet Users: 18 Timesheet Users`; null if it states none. */
function readQuantity(memo: string | null): number | null {
  const digits = /:\s*(\d{1,3}(?:,\d{3})+|\d{1,9})\s+\p{L}/u.exec(memo ?? '')?.[1];
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
}

/** Returns the name of the item that a memo states: its text without quantity, dates and amounts in parentheses. */
const readItemName = (memo: string | null): string =>
  (memo ?? '')
    .split(':')[0]!
    .replace(/\([^)]*\)/gu, '')
    .trim()
    .slice(0, 100);
