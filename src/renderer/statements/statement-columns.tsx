import { FileCheck2 } from 'lucide-react';
import type { StatementSearchResult } from '../../contract/index.ts';
import { MissingValue } from '../controls/formatted-values.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import {
  createColumnFactories,
  createDateTimeColumn,
  createMoneyColumn,
} from '../grid/columns/value-columns.tsx';
import { SearchPassageLine } from '../pdf/search-passage-line.tsx';
import { texts } from '../texts/texts.ts';
import { StatementStatus } from './statement-status.tsx';

const text = texts.statements;
const titles = text.columns;
const column = createColumnFactories(titles);

type MoneyField =
  | 'starting_balance_in_cents'
  | 'charges_in_cents'
  | 'payments_in_cents'
  | 'ending_balance_in_cents';

function moneyFieldColumn(
  id: 'opening' | 'charges' | 'payments' | 'closing',
  field: MoneyField,
  currency: string,
  more: Partial<GridColumn<StatementSearchResult>> = {},
): GridColumn<StatementSearchResult> {
  const title = text.withCurrency(titles[id], currency);
  return createMoneyColumn({ id, title, width: 110, ...more }, (row) => row[field]);
}

function dateFieldColumn(
  id: 'opened' | 'closed' | 'settled',
  field: 'opened_at' | 'closed_at' | 'settled_at',
  more: Partial<GridColumn<StatementSearchResult>> = {},
): GridColumn<StatementSearchResult> {
  return createDateTimeColumn({ id, title: titles[id], width: 154, ...more }, (row) => row[field]);
}

/** Column that shows the passage in which the search found a match. */
const matchColumn: GridColumn<StatementSearchResult> = {
  ...column.head('found', 300),
  fillsSpace: true,
  cell: ({ passage }) =>
    passage && (
      <span className="statement-match">
        <small>{text.searchSources[passage.source]}</small>
        <SearchPassageLine passage={passage} isCompact />
      </span>
    ),
  copy: ({ passage }) => ({ text: passage ? `${passage.before}${passage.hit}${passage.after}` : '' }),
};

/** Returns the columns of the statement list. The titles name the currency. A search adds a column with its matches. */
export function createStatementListColumns(
  currency: string,
  showsMatches: boolean,
): readonly GridColumn<StatementSearchResult>[] {
  return [
    column.badge('state', 92, 'state', StatementStatus),
    column.text('customer', 150, 'customer_name', {
      fillsSpace: true,
      sortKey: 'customer_name',
      tone: 'strong',
    }),
    column.id('id', 94, 'id', { sortKey: 'id' }),
    ...(showsMatches ? [matchColumn] : []),
    column.id('subscription', 104, 'subscription_id', { startsHidden: true }),
    dateFieldColumn('closed', 'closed_at', { sortKey: 'closed_at' }),
    moneyFieldColumn('opening', 'starting_balance_in_cents', currency),
    moneyFieldColumn('charges', 'charges_in_cents', currency),
    moneyFieldColumn('payments', 'payments_in_cents', currency, { width: 122 }),
    moneyFieldColumn('closing', 'ending_balance_in_cents', currency, { sortKey: 'ending_balance_in_cents' }),
    dateFieldColumn('opened', 'opened_at', { sortKey: 'opened_at', startsHidden: true }),
    dateFieldColumn('settled', 'settled_at', { startsHidden: true }),
    column.text('organization', 170, 'customer_organization', { startsHidden: true }),
    {
      ...column.head('pdf', 52),
      cell: (row) =>
        row.pdf_stored ? (
          <span className="grid-icon">
            <FileCheck2 size={15} aria-hidden="true" />
            <span className="visually-hidden">{text.stored}</span>
          </span>
        ) : (
          <MissingValue />
        ),
      copy: (row) => ({ text: row.pdf_stored ? text.stored : text.notStored }),
    },
  ];
}
