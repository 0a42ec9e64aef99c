import type { FigureList, FigureRow } from '../../contract/index.ts';
import { filterPayments } from '../matching/payments/filter.ts';
import { filterPayouts } from '../matching/payouts/filter.ts';
import { openMatching } from '../matching/place.ts';
import { openPlace, placeOf } from '../view/place.ts';
import { setFilter, showFiltered } from '../view/view.ts';

/** Opens the list of the app that shows the rows of a figure; the way back leads to the figure. */
export function openList(of: FigureList): void {
  switch (of.list) {
    case 'statements':
      showFiltered('statements', of.filter);
      break;
    case 'lines':
      showFiltered('bank', of.filter);
      break;
    case 'exceptions':
      showFiltered('exceptions', of.filter);
      break;
    case 'matches':
      setFilter('matching', of.filter);
      openMatching('review');
      break;
    case 'payments':
      filterPayments(of.filter);
      openMatching('payments');
      break;
    case 'payouts':
      filterPayouts(of.filter);
      openMatching('payouts');
      break;
  }
}

/** Opens a part of a figure where it is at home. */
export function openRow({
  kind,
  id,
  statement = null,
}: Pick<FigureRow, 'kind' | 'id'> & Partial<Pick<FigureRow, 'statement'>>): void {
  switch (kind) {
    case 'transaction':
      if (statement !== null) openPlace(placeOf.statement(statement, 'transactions'));
      break;
    case 'statement':
      openPlace(placeOf.statement(id));
      break;
    case 'line':
      openPlace(placeOf.bankLine(id));
      break;
    case 'match':
      openPlace(placeOf.match(id));
      break;
    case 'payout':
      openMatching('payouts', id);
      break;
    case 'payment':
      openMatching('payments', id);
      break;
  }
}
