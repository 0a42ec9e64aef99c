import type { FigureList } from '../../contract/index.ts';
import { addDays, type Period } from '../../domain/ledger/index.ts';

/** The list of the app that shows a figure’s rows to the row; null where none does. `from`: nothing before it is reconciled. */
export function listOf(
  figure: string,
  currency: string,
  { first: since, last: until }: Period,
  from: string,
): FigureList | null {
  const days = { since, until };
  switch (figure) {
    case 'S1.opening':
    case 'S1.charges':
    case 'S1.payments':
    case 'S1.closing':
      return { list: 'statements', filter: { state: ['unpaid', 'paid'], ...days } };
    case 'S1.matched':
    case 'S2.payments':
      return { list: 'payments', filter: { kind: ['payment'], ...days } };
    case 'S2.refunds':
      return { list: 'payments', filter: { kind: ['refund'], ...days } };
    case 'S2.open':
      return { list: 'payments', filter: { state: ['open', 'ambiguous', 'suggested', 'part'], ...days } };
    case 'S2.before':
      return {
        list: 'payments',
        filter: { state: ['open', 'ambiguous', 'suggested', 'part'], until: addDays(from, -1) },
      };
    case 'S2.chargebacks':
      return { list: 'lines', filter: { kind: ['chargeback'], currency, ...days } };
    case 'S2.reserve':
      return { list: 'lines', filter: { kind: ['reserve'], currency, ...days } };
    case 'S2.sent':
    case 'S3.sent':
      return { list: 'payouts', filter: days };
    case 'S3.not-found':
      return { list: 'payouts', filter: { is: 'waiting', ...days } };
    default:
      return null;
  }
}
