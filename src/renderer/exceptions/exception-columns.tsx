import type { ExceptionRow } from '../../contract/index.ts';
import { Money } from '../controls/formatted-values.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { texts } from '../texts/texts.ts';
import { ExceptionStatusBadge, SeverityBadge } from './status-badges.tsx';

const text = texts.exceptions;
const titles = text.columns;

/** Returns the columns of the exceptions screen. Amounts are in the site's currency, which their titles name. */
export function createExceptionColumns(currency: string): readonly GridColumn<ExceptionRow>[] {
  const withCurrency = (title: string) => texts.statements.withCurrency(title, currency);
  const { atStake, expected, stated, difference } = titles;
  const column = createColumnFactories({
    ...titles,
    atStake: withCurrency(atStake),
    expected: withCurrency(expected),
    stated: withCurrency(stated),
    difference: withCurrency(difference),
  });
  const hidden = { startsHidden: true };
  return [
    { ...column.badge('severity', 94, 'severity', SeverityBadge), sortKey: 'severity' },
    column.text('customer', 136, 'customer_name', { tone: 'strong' }),
    {
      ...column.money<ExceptionRow>('atStake', 148, 'at_stake_in_cents', { sortKey: 'at_stake_in_cents' }),
      // Zero means that no amount is known to be at stake, so the cell is left empty.
      cell: (row) => <Money cents={row.at_stake_in_cents === 0 ? null : row.at_stake_in_cents} />,
    },
    column.text('message', 250, 'message', { fillsSpace: true, wrapsText: true }),
    column.text('rule', 164, 'title', { tone: 'quiet' }),
    column.date('dated', 108, 'dated_on', { sortKey: 'dated_on', tone: 'quiet' }),
    column.badge('status', 96, 'status', ExceptionStatusBadge),
    column.text('assigned', 116, 'assigned'),
    column.id('members', 92, ({ members }) => members.length || null),
    column.id('subscription', 104, ({ subject }) => subject.subscription_id, hidden),
    column.id('statement', 104, ({ subject }) => subject.statement_id, hidden),
    column.id('webhook', 104, ({ subject }) => subject.webhook_id, hidden),
    column.money('expected', 120, 'expected_in_cents', hidden),
    column.money('stated', 120, 'actual_in_cents', hidden),
    column.money('difference', 120, 'difference_in_cents', hidden),
    column.dateTime('found', 158, 'found_at', hidden),
    column.dateTime('changed', 158, 'changed_at', hidden),
    column.id('id', 104, 'id', { ...hidden, sortKey: 'id' }),
  ];
}
