import type { FigureRowsList } from '../../contract/index.ts';
import { addDays } from '../../domain/ledger/index.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { listFigureRowIds } from '../store/workpaper/figure-row-ids.ts';

const UNMATCHED_STATES = ['open', 'ambiguous', 'suggested', 'partial'] as const;

/** Returns the app's list that shows exactly the rows of a figure, or null. `since` is the first reconciled day. */
export function findListForFigure(
  books: ReadableDb,
  figure: string,
  { currency, first, since }: { currency: string; first: string; since: string },
): FigureRowsList | null {
  const filter = { figure: { period: first.slice(0, 7), currency, figure } };
  switch (figure) {
    case 'S1.opening':
    case 'S1.closing':
      return { list: 'statements', filter };
    case 'S1.matched':
    case 'S2.payments':
    case 'S2.refunds':
    case 'S2.open':
      return { list: 'payments', filter };
    case 'S2.before':
      return {
        list: 'payments',
        filter: { state: [...UNMATCHED_STATES], currency, vanished: false, until: addDays(since, -1) },
      };
    case 'S2.gross':
    case 'S2.report-open':
    case 'S2.chargebacks':
    case 'S2.fx':
    case 'S2.reserve':
    case 'S2.other':
    case 'S3.deposits':
    case 'S3.open':
      return { list: 'lines', filter };
    case 'S2.sent':
    case 'S3.sent':
    case 'S3.not-found':
      // A payout without a report consists of a bank line alone.
      return listFigureRowIds(books, filter.figure, 'line').length > 0 ? null : { list: 'payouts', filter };
    default:
      return null;
  }
}
