import { FileCheck2 } from 'lucide-react';
import type { FoundStatement } from '../../contract/index.ts';
import { Absent } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { idColumn, momentColumn, moneyColumn, textColumn } from '../grid/value-columns.tsx';
import { PassageLine } from '../pdf/passage-line.tsx';
import { words } from '../words/words.ts';
import { StateStatus } from './state-status.tsx';

const text = words.statements;
const titles = text.columns;

type MoneyField =
  | 'starting_balance_in_cents'
  | 'charges_in_cents'
  | 'payments_in_cents'
  | 'ending_balance_in_cents';

function money(
  id: 'opening' | 'charges' | 'payments' | 'closing',
  field: MoneyField,
  currency: string,
  more: Partial<Column<FoundStatement>> = {},
): Column<FoundStatement> {
  const title = text.withCurrency(titles[id], currency);
  return moneyColumn({ id, title, width: 110, ...more }, (row) => row[field]);
}

function moment(
  id: 'opened' | 'closed' | 'settled',
  field: 'opened_at' | 'closed_at' | 'settled_at',
  more: Partial<Column<FoundStatement>> = {},
): Column<FoundStatement> {
  return momentColumn({ id, title: titles[id], width: 154, ...more }, (row) => row[field]);
}

/** Where a search found what it seeks. */
const foundColumn: Column<FoundStatement> = {
  id: 'found',
  title: titles.found,
  width: 300,
  grows: true,
  cell: ({ found }) =>
    found && (
      <span className="statement-found">
        <small>{text.places[found.place]}</small>
        <PassageLine passage={found} tight />
      </span>
    ),
  copy: ({ found }) => ({ text: found ? `${found.before}${found.hit}${found.after}` : '' }),
};

/** The columns of statements; the currency stands in the titles, once. With a search, also where it found each. */
export function statementColumns(currency: string, searching: boolean): readonly Column<FoundStatement>[] {
  return [
    {
      id: 'state',
      title: titles.state,
      width: 92,
      cell: (row) => <StateStatus state={row.state} />,
      copy: (row) => ({ text: text.states[row.state] }),
    },
    textColumn(
      {
        id: 'customer',
        title: titles.customer,
        width: 150,
        grows: true,
        sort: 'customer_name',
        tone: 'strong',
      },
      (row) => row.customer_name,
    ),
    idColumn({ id: 'id', title: titles.id, width: 94, sort: 'id' }, (row) => row.id),
    ...(searching ? [foundColumn] : []),
    idColumn(
      { id: 'subscription', title: titles.subscription, width: 104, hidden: true },
      (row) => row.subscription_id,
    ),
    moment('closed', 'closed_at', { sort: 'closed_at' }),
    money('opening', 'starting_balance_in_cents', currency),
    money('charges', 'charges_in_cents', currency),
    money('payments', 'payments_in_cents', currency, { width: 122 }),
    money('closing', 'ending_balance_in_cents', currency, { sort: 'ending_balance_in_cents' }),
    moment('opened', 'opened_at', { sort: 'opened_at', hidden: true }),
    moment('settled', 'settled_at', { hidden: true }),
    textColumn(
      { id: 'organization', title: titles.organization, width: 170, hidden: true },
      (row) => row.customer_organization,
    ),
    {
      id: 'pdf',
      title: titles.pdf,
      width: 52,
      cell: (row) =>
        row.pdf_held ? (
          <span className="grid-icon">
            <FileCheck2 size={15} aria-hidden="true" />
            <span className="unseen">{text.held}</span>
          </span>
        ) : (
          <Absent />
        ),
      copy: (row) => ({ text: row.pdf_held ? text.held : text.notHeld }),
    },
  ];
}
