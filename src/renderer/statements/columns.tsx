import { FileCheck2 } from 'lucide-react';
import type { StatementRow } from '../../contract/index.ts';
import { Absent, Moment, Money } from '../controls/Values.tsx';
import type { Column } from '../grid/columns.ts';
import { decimalOf } from '../words/money.ts';
import { words } from '../words/words.ts';
import { StateStatus } from './StateStatus.tsx';

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
  more: Partial<Column<StatementRow>> = {},
): Column<StatementRow> {
  return {
    id,
    title: text.withCurrency(titles[id], currency),
    width: 110,
    end: true,
    ...more,
    cell: (row) => <Money cents={row[field]} />,
    copy: (row) => ({ exact: decimalOf(row[field]) }),
  };
}

function day(
  id: 'opened' | 'closed' | 'settled',
  field: 'opened_at' | 'closed_at' | 'settled_at',
  more: Partial<Column<StatementRow>> = {},
): Column<StatementRow> {
  return {
    id,
    title: titles[id],
    width: 154,
    ...more,
    cell: (row) => (
      <span className="grid-quiet">
        <Moment at={row[field]} />
      </span>
    ),
    copy: (row) => ({ text: row[field] ?? '' }),
  };
}

/** The columns of statements; the currency stands in the titles, once. */
export function statementColumns(currency: string): readonly Column<StatementRow>[] {
  return [
    {
      id: 'state',
      title: titles.state,
      width: 92,
      cell: (row) => <StateStatus state={row.state} />,
      copy: (row) => ({ text: text.states[row.state] }),
    },
    {
      id: 'customer',
      title: titles.customer,
      width: 150,
      grows: true,
      sort: 'customer_name',
      cell: (row) => <span className="grid-strong">{row.customer_name}</span>,
      copy: (row) => ({ text: row.customer_name }),
    },
    {
      id: 'id',
      title: titles.id,
      width: 94,
      sort: 'id',
      cell: (row) => <span className="grid-quiet">{row.id}</span>,
      copy: (row) => ({ exact: String(row.id) }),
    },
    {
      id: 'subscription',
      title: titles.subscription,
      width: 104,
      hidden: true,
      cell: (row) => <span className="grid-quiet">{row.subscription_id}</span>,
      copy: (row) => ({ exact: String(row.subscription_id) }),
    },
    day('closed', 'closed_at', { sort: 'closed_at' }),
    money('opening', 'starting_balance_in_cents', currency),
    money('charges', 'charges_in_cents', currency),
    money('payments', 'payments_in_cents', currency, { width: 122 }),
    money('closing', 'ending_balance_in_cents', currency, { sort: 'ending_balance_in_cents' }),
    day('opened', 'opened_at', { sort: 'opened_at', hidden: true }),
    day('settled', 'settled_at', { hidden: true }),
    {
      id: 'organization',
      title: titles.organization,
      width: 170,
      hidden: true,
      cell: (row) => row.customer_organization ?? <Absent />,
      copy: (row) => ({ text: row.customer_organization ?? '' }),
    },
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
