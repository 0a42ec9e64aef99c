import type { FigureList } from '../../contract/index.ts';
import { addDays, type DateRange } from '../../domain/ledger/index.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { figureIds } from '../store/workpaper/figure-ids.ts';

/**
 * Returns the list of the app that shows exactly the rows of a figure, or null if there is none. `from` is the first
 * reconciled day.
 */
export function findListOfFigure(
  books: ReadableDb,
  figure: string,
  currency: string,
  { first }: DateRange,
  from: string,
): FigureList | null {
  const of = { figure: { period: first.slice(0, 7), currency, figure } };
  switch (figure) {
    case 'S1.opening':
    case 'S1.closing':
      return { list: 'statements', filter: of };
    case 'S1.matched':
    case 'S2.payments':
    case 'S2.refunds':
    case 'S2.open':
      return { list: 'payments', filter: of };
    case 'S2.before':
      return {
        list: 'payments',
        filter: {
          state: ['open', 'ambiguous', 'suggested', 'part'],
          currency,
          vanished: false,
          until: addDays(from, -1),
        },
      };
    case 'S2.gross':
    case 'S2.report-open':
    case 'S2.chargebacks':
    case 'S2.fx':
    case 'S2.reserve':
    case 'S2.other':
    case 'S3.deposits':
    case 'S3.open':
      return { list: 'lines', filter: of };
    case 'S2.sent':
    case 'S3.sent':
    case 'S3.not-found':
      // A payout without a report is a bank line alone.
      return figureIds(books, of.figure, 'line').length > 0 ? null : { list: 'payouts', filter: of };
    default:
      return null;
  }
}
