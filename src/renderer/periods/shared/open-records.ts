import type { FigureRow, FigureRowsList, OutstandingItem } from '../../../contract/index.ts';
import { openBankStatements } from '../../bank/bank-route.ts';
import { openMatchingTab } from '../../matching/shared/matching-route.ts';
import { openRecordLocation, recordLocations } from '../../navigation/record-location.ts';
import { openFilteredList } from '../../navigation/window-state.ts';

/** Opens the screen that lists the rows of a figure. Going back in the browser history returns to the figure. */
export function openFigureRows(of: FigureRowsList): void {
  switch (of.list) {
    case 'statements':
      openFilteredList('statements', of.filter);
      break;
    case 'lines':
      openFilteredList('bank', of.filter);
      break;
    case 'exceptions':
      openFilteredList('exceptions', of.filter);
      break;
    case 'matches':
      openFilteredList('matching', of.filter);
      break;
    case 'payments':
      openFilteredList('payments', of.filter, 'payments');
      break;
    case 'payouts':
      openFilteredList('payouts', of.filter, 'payouts');
      break;
  }
}

/** Opens the record that a row of a figure refers to. */
export function openRecordOfFigureRow({
  kind,
  id,
  statement = null,
}: Pick<FigureRow, 'kind' | 'id'> & Partial<Pick<FigureRow, 'statement'>>): void {
  switch (kind) {
    case 'transaction':
      if (statement !== null) openRecordLocation(recordLocations.statement(statement, 'transactions'));
      break;
    case 'statement':
      openRecordLocation(recordLocations.statement(id));
      break;
    case 'line':
      openRecordLocation(recordLocations.bankLine(id));
      break;
    case 'match':
      openRecordLocation(recordLocations.match(id));
      break;
    case 'payout':
      openMatchingTab('payouts', id);
      break;
    case 'bank_statement':
      openBankStatements();
      break;
    case 'payment':
      openMatchingTab('payments', id);
      break;
    case 'ledger':
    case 'balance':
    case 'entry':
      break;
  }
}

/** Opens the payment, bank line, payout or statement that an outstanding item refers to. */
export function openOutstandingItem({ key }: Pick<OutstandingItem, 'key'>): void {
  const [kind, id] = key.split(':');
  if (kind === 'payment' || kind === 'line' || kind === 'payout' || kind === 'statement') {
    openRecordOfFigureRow({ kind, id: Number(id) });
  }
}
