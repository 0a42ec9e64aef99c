import type { Inputs } from '../../../contract/index.ts';
import type { Dividing } from '../../view/view.ts';
import { dateText } from '../../words/moments.ts';
import { words } from '../../words/words.ts';
import { type Allotment, begun, type Member } from './allotment.ts';

/** A line or payment in the table of what is divided. */
export interface DividedMember extends Member {
  readonly title: string;
  readonly said: string;
  readonly currency: string;
  /** What of it is taken to begin with. */
  readonly begun: number;
}

type Part = Inputs['match']['split']['parts'][number];

/** The members with what is open of each; what a confirmed match has of them is open again, as it is taken apart. */
export function membersOf(dividing: Dividing): DividedMember[] {
  const { group } = dividing;
  const lines = group === null ? dividing.lines : group.line_rows;
  const payments = group === null ? dividing.payments : group.payment_rows;
  const has = (side: 'bank_lines' | 'transactions') =>
    new Map(
      group?.status === 'confirmed' ? group[side].map((each) => [each.id, each.allocated_in_cents]) : [],
    );
  const [ofLines, ofPayments] = [has('bank_lines'), has('transactions')];
  const open = (row: Standing, of: ReadonlyMap<number, number>) =>
    row.amount_in_cents - row.claimed_in_cents + (of.get(row.id) ?? 0);
  const all = [
    ...lines.map((row) => ({
      side: 'lines' as const,
      id: row.id,
      open_in_cents: open(row, ofLines),
      title: row.description || (row.reference ?? words.matching.openLine),
      said: `${dateText(row.booked_on)} · ${row.account.name}`,
      currency: row.currency,
    })),
    ...payments.map((row) => ({
      side: 'payments' as const,
      id: row.id,
      open_in_cents: open(row, ofPayments),
      title: row.customer_name ?? words.matching.payment(row.id),
      said: `${dateText(row.paid_on)} · ${words.statements.detail(row.statement_id)}`,
      currency: row.currency,
    })),
  ];
  const first = begun(all);
  return all.map((member, at) => ({
    ...member,
    begun:
      group?.status === 'confirmed'
        ? ((member.side === 'lines' ? ofLines : ofPayments).get(member.id) ?? 0)
        : (first[at] ?? 0),
  }));
}

interface Standing {
  readonly id: number;
  readonly amount_in_cents: number;
  readonly claimed_in_cents: number;
}

/** What is asked of the backend: each part that takes anything, its difference put down to the category. */
export function partsOf(
  members: readonly Member[],
  { members: verdicts, parts }: Allotment,
  { category, reason }: { readonly category: string; readonly reason: string },
): Part[] {
  return parts.flatMap(({ used, difference_in_cents }, part) => {
    if (!used) return [];
    const taken = (side: Member['side']) =>
      members.flatMap((member, at) => {
        const cents = verdicts[at]?.cents[part] ?? 0;
        return member.side === side && cents !== 0 ? { id: member.id, allocated_in_cents: cents } : [];
      });
    return {
      lines: taken('lines'),
      transactions: taken('payments'),
      adjustments:
        difference_in_cents === 0 ? [] : [{ category, amount_in_cents: difference_in_cents, reason }],
    };
  });
}
