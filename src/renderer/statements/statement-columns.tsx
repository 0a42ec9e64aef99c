import { FileCheck2 } from 'lucide-react';
import type { FoundStatement } from '../../contract/index.ts';
import { NoValue } from '../controls/values.tsx';
import type { GridColumn } from '../grid/columns/columns.ts';
import { dateTimeColumn, idColumn, moneyColumn, textColumn } from '../grid/columns/value-columns.tsx';
import { PassageLine } from '../pdf/passage-line.tsx';
import { texts } from '../texts/texts.ts';
import { StatementStatus } from './statement-status.tsx';

const text = texts.statements;
const titles = text.columns;

type MoneyField =
  | 'starting_balance_in_cents'
  | 'charges_in_cents'
  | 'payments_in_cents'
  | 'ending_balance_in_cents';

function moneyFieldColumn(
  id: 'opening' | 'charges' | 'payments' | 'closing',
  field: MoneyField,
  currency: string,
  more: Partial<GridColumn<FoundStatement>> = {},
): GridColumn<FoundStatement> {
  const title = text.withCurrency(titles[id], currency);
  return moneyColumn({ id, title, width: 110, ...more }, (row) => row[field]);
}

function dateFieldColumn(
  id: 'opened' | 'closed' | 'settled',
  field: 'opened_at' | 'closed_at' | 'settled_at',
  more: Partial<GridColumn<FoundStatement>> = {},
): GridColumn<FoundStatement> {
  return dateTimeColumn({ id, title: titles[id], width: 154, ...more }, (row) => row[field]);
}

/** Column that shows the passage in which the search found a match. */
const matchColumn: GridColumn<FoundStatement> = {
  id: 'found',
  title: titles.found,
  width: 300,
  fillsSpace: true,
  cell: ({ passage }) =>
    passage && (
      <span className="statement-match">
        <small>{text.searchSources[passage.source]}</small>
        <PassageLine passage={passage} isCompact />
      </span>
    ),
  copy: ({ passage }) => ({ text: passage ? `${passage.before}${passage.hit}${passage.after}` : '' }),
};

/**
 * Returns the columns of the statement list. The column titles name the currency, so that the cells need not repeat it. A
 * search adds a column that shows the matches.
 */
export function statementColumns(
  currency: string,
  showsMatches: boolean,
): readonly GridColumn<FoundStatement>[] {
  return [
    {
      id: 'state',
      title: titles.state,
      width: 92,
      cell: (row) => <StatementStatus state={row.state} />,
      copy: (row) => ({ text: text.states[row.state] }),
    },
    textColumn(
      {
        id: 'customer',
        title: titles.customer,
        width: 150,
        fillsSpace: true,
        sortKey: 'customer_name',
        tone: 'strong',
      },
      (row) => row.customer_name,
    ),
    idColumn({ id: 'id', title: titles.id, width: 94, sortKey: 'id' }, (row) => row.id),
    ...(showsMatches ? [matchColumn] : []),
    idColumn(
      { id: 'subscription', title: titles.subscription, width: 104, isHiddenByDefault: true },
      (row) => row.subscription_id,
    ),
    dateFieldColumn('closed', 'closed_at', { sortKey: 'closed_at' }),
    moneyFieldColumn('opening', 'starting_balance_in_cents', currency),
    moneyFieldColumn('charges', 'charges_in_cents', currency),
    moneyFieldColumn('payments', 'payments_in_cents', currency, { width: 122 }),
    moneyFieldColumn('closing', 'ending_balance_in_cents', currency, { sortKey: 'ending_balance_in_cents' }),
    dateFieldColumn('opened', 'opened_at', { sortKey: 'opened_at', isHiddenByDefault: true }),
    dateFieldColumn('settled', 'settled_at', { isHiddenByDefault: true }),
    textColumn(
      { id: 'organization', title: titles.organization, width: 170, isHiddenByDefault: true },
      (row) => row.customer_organization,
    ),
    {
      id: 'pdf',
      title: titles.pdf,
      width: 52,
      cell: (row) =>
        row.pdf_stored ? (
          <span className="grid-icon">
            <FileCheck2 size={15} aria-hidden="true" />
            <span className="visually-hidden">{text.stored}</span>
          </span>
        ) : (
          <NoValue />
        ),
      copy: (row) => ({ text: row.pdf_stored ? text.stored : text.notStored }),
    },
  ];
}
