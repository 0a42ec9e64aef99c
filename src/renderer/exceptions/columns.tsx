import type { ExceptionRow } from '../../contract/index.ts';
import { Money } from '../controls/values.tsx';
import type { GridColumn } from '../grid/columns/columns.ts';
import {
  dateColumn,
  dateTimeColumn,
  idColumn,
  moneyColumn,
  textColumn,
} from '../grid/columns/value-columns.tsx';
import { texts } from '../texts/texts.ts';
import { ExceptionStatusBadge, SeverityBadge } from './status-badges.tsx';

const text = texts.exceptions;
const titles = text.columns;

type AmountId = 'atStake' | 'difference' | 'expected' | 'stated';

function amount(
  id: AmountId,
  currency: string,
  read: (row: ExceptionRow) => number | null,
): GridColumn<ExceptionRow> {
  const title = texts.statements.withCurrency(titles[id], currency);
  return moneyColumn({ id, title, width: 120, isHiddenByDefault: true }, read);
}

function serviceId(
  id: 'subscription' | 'statement' | 'webhook',
  read: (row: ExceptionRow) => number | null,
): GridColumn<ExceptionRow> {
  return idColumn({ id, title: titles[id], width: 104, isHiddenByDefault: true }, read);
}

function moment(id: 'found' | 'changed', read: (row: ExceptionRow) => string): GridColumn<ExceptionRow> {
  return dateTimeColumn({ id, title: titles[id], width: 158, isHiddenByDefault: true }, read);
}

export function exceptionColumns(currency: string): readonly GridColumn<ExceptionRow>[] {
  return [
    {
      id: 'severity',
      title: titles.severity,
      width: 98,
      sortKey: 'severity',
      cell: (row) => <SeverityBadge severity={row.severity} />,
      copy: (row) => ({ text: text.severities[row.severity] }),
    },
    textColumn({ id: 'rule', title: titles.rule, width: 186, tone: 'strong' }, (row) => row.title),
    {
      ...amount('atStake', currency, (row) => row.at_stake_in_cents),
      isHiddenByDefault: false,
      sortKey: 'at_stake_in_cents',
      // Zero means that no amount is known to be at stake, so the cell is left empty.
      cell: (row) => <Money cents={row.at_stake_in_cents === 0 ? null : row.at_stake_in_cents} />,
    },
    textColumn(
      { id: 'message', title: titles.message, width: 240, fillsSpace: true, wrapsText: true, tone: 'quiet' },
      (row) => row.message,
    ),
    dateColumn(
      { id: 'dated', title: titles.dated, width: 112, sortKey: 'dated_on', tone: 'quiet' },
      (row) => row.dated_on,
    ),
    {
      id: 'status',
      title: titles.status,
      width: 104,
      cell: (row) => <ExceptionStatusBadge status={row.status} />,
      copy: (row) => ({ text: text.statuses[row.status] }),
    },
    textColumn({ id: 'assigned', title: titles.assigned, width: 116 }, (row) => row.assigned),
    textColumn(
      { id: 'customer', title: titles.customer, width: 160, isHiddenByDefault: true },
      (row) => row.customer_name,
    ),
    serviceId('subscription', ({ subject }) => subject.subscription_id),
    serviceId('statement', ({ subject }) => subject.statement_id),
    serviceId('webhook', ({ subject }) => subject.webhook_id),
    amount('expected', currency, (row) => row.expected_in_cents),
    amount('stated', currency, (row) => row.actual_in_cents),
    amount('difference', currency, (row) => row.difference_in_cents),
    moment('found', (row) => row.found_at),
    moment('changed', (row) => row.changed_at),
    idColumn(
      { id: 'id', title: titles.id, width: 104, isHiddenByDefault: true, sortKey: 'id' },
      (row) => row.id,
    ),
  ];
}
