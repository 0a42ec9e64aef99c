import type { ContractInputs, Payment } from '../../../contract/index.ts';
import type { ManualSplitSource } from '../../navigation/window-state.ts';
import { formatDate } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { type SplitAmounts, type SplitItem, suggestSplitAmounts } from './split-amounts.ts';

/** Bank line or payment in the split table. */
export interface SplitTableItem extends SplitItem {
  readonly title: string;
  readonly detail: string;
  readonly currency: string;
  /** Amount that is filled in initially, in cents. */
  readonly suggested_in_cents: number;
}

export type SplitPart = ContractInputs['match']['split']['parts'][number];

/** Returns the items to split. Amounts of a confirmed match count as unmatched, because splitting undoes it. */
export function listSplitItems(source: ManualSplitSource): SplitTableItem[] {
  const { group } = source;
  const lines = group === null ? source.lines : group.line_rows;
  const payments = group === null ? source.payments : group.payment_rows;
  const allocatedById = (side: 'bank_lines' | 'transactions') =>
    new Map(
      group?.status === 'confirmed' ? group[side].map((each) => [each.id, each.allocated_in_cents]) : [],
    );
  const allocated = { lines: allocatedById('bank_lines'), payments: allocatedById('transactions') };
  const unmatched = (
    row: Pick<Payment, 'id' | 'amount_in_cents' | 'claimed_in_cents'>,
    side: SplitItem['side'],
  ) => row.amount_in_cents - row.claimed_in_cents + (allocated[side].get(row.id) ?? 0);
  const items = [
    ...lines.map((row) => ({
      side: 'lines' as const,
      id: row.id,
      unmatched_in_cents: unmatched(row, 'lines'),
      title: row.description || (row.reference ?? texts.matching.openLine),
      detail: `${formatDate(row.booked_on)} · ${row.account.name}`,
      currency: row.currency,
    })),
    ...payments.map((row) => ({
      side: 'payments' as const,
      id: row.id,
      unmatched_in_cents: unmatched(row, 'payments'),
      title: row.customer_name ?? texts.matching.payment(row.id),
      detail: `${formatDate(row.paid_on)} · ${texts.statements.detail(row.statement_id)}`,
      currency: row.currency,
    })),
  ];
  const suggested = suggestSplitAmounts(items);
  return items.map((item, index) => ({
    ...item,
    suggested_in_cents:
      (group?.status === 'confirmed' ? allocated[item.side].get(item.id) : suggested[index]) ?? 0,
  }));
}

/** Converts the parts that have amounts to the backend's format. Differences are assigned to the category. */
export function toSplitParts(
  items: readonly SplitItem[],
  amounts: SplitAmounts,
  { category, reason }: { readonly category: string; readonly reason: string },
): SplitPart[] {
  return amounts.parts.flatMap(({ hasAmounts, difference_in_cents }, part) => {
    if (!hasAmounts) return [];
    const allocationsOf = (side: SplitItem['side']) =>
      items.flatMap((item, index) => {
        const cents = amounts.items[index]?.cents[part] ?? 0;
        return item.side === side && cents !== 0 ? { id: item.id, allocated_in_cents: cents } : [];
      });
    return {
      lines: allocationsOf('lines'),
      transactions: allocationsOf('payments'),
      adjustments:
        difference_in_cents === 0 ? [] : [{ category, amount_in_cents: difference_in_cents, reason }],
    };
  });
}
