import type { ExceptionRow } from '../../contract/index.ts';
import { Money } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { dateColumn, idColumn, momentColumn, moneyColumn, textColumn } from '../grid/value-columns.tsx';
import { words } from '../words/words.ts';
import { DecisionStatus, SeverityStatus } from './looks.tsx';

const text = words.exceptions;
const titles = text.columns;

type AmountId = 'stake' | 'difference' | 'expected' | 'actual';

function amount(
  id: AmountId,
  currency: string,
  read: (row: ExceptionRow) => number | null,
): Column<ExceptionRow> {
  const title = words.statements.withCurrency(titles[id], currency);
  return moneyColumn({ id, title, width: 120, hidden: true }, read);
}

function serviceId(
  id: 'subscription' | 'statement' | 'webhook',
  read: (row: ExceptionRow) => number | null,
): Column<ExceptionRow> {
  return idColumn({ id, title: titles[id], width: 104, hidden: true }, read);
}

function moment(id: 'found' | 'changed', read: (row: ExceptionRow) => string): Column<ExceptionRow> {
  return momentColumn({ id, title: titles[id], width: 158, hidden: true }, read);
}

export function exceptionColumns(currency: string): readonly Column<ExceptionRow>[] {
  return [
    {
      id: 'severity',
      title: titles.severity,
      width: 98,
      sort: 'severity',
      cell: (row) => <SeverityStatus severity={row.severity} />,
      copy: (row) => ({ text: text.severities[row.severity] }),
    },
    textColumn({ id: 'rule', title: titles.rule, width: 186, tone: 'strong' }, (row) => row.title),
    {
      ...amount('stake', currency, (row) => row.at_stake_in_cents),
      hidden: false,
      sort: 'at_stake_in_cents',
      // Nought means that no money is known to be concerned.
      cell: (row) => <Money cents={row.at_stake_in_cents === 0 ? null : row.at_stake_in_cents} />,
    },
    textColumn(
      { id: 'message', title: titles.message, width: 240, grows: true, wraps: true, tone: 'quiet' },
      (row) => row.message,
    ),
    dateColumn(
      { id: 'dated', title: titles.dated, width: 112, sort: 'dated_on', tone: 'quiet' },
      (row) => row.dated_on,
    ),
    {
      id: 'status',
      title: titles.status,
      width: 104,
      cell: (row) => <DecisionStatus status={row.status} />,
      copy: (row) => ({ text: text.statuses[row.status] }),
    },
    textColumn({ id: 'assigned', title: titles.assigned, width: 116 }, (row) => row.assigned),
    textColumn(
      { id: 'customer', title: titles.customer, width: 160, hidden: true },
      (row) => row.customer_name,
    ),
    serviceId('subscription', ({ subject }) => subject.subscription_id),
    serviceId('statement', ({ subject }) => subject.statement_id),
    serviceId('webhook', ({ subject }) => subject.webhook_id),
    amount('expected', currency, (row) => row.expected_in_cents),
    amount('actual', currency, (row) => row.actual_in_cents),
    amount('difference', currency, (row) => row.difference_in_cents),
    moment('found', (row) => row.found_at),
    moment('changed', (row) => row.changed_at),
    idColumn({ id: 'id', title: titles.id, width: 104, hidden: true, sort: 'id' }, (row) => row.id),
  ];
}
