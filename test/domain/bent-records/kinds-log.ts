import type { Row, SiteRows } from './bent-site.ts';
import type { BentKind } from './kinds.ts';
import { closedStatements, isPayment, type Pick, positions, shiftDays, unusedId } from './pick.ts';

const webhooksOf = ({ webhooks }: SiteRows, ...events: string[]): Row[] =>
  webhooks.filter(({ event }) => events.includes(event as string));

const without = (rows: SiteRows, webhook: Row): void => {
  rows.webhooks = rows.webhooks.filter((each) => each !== webhook);
};

/** Changes a number in a webhook body. */
function changeBody(webhook: Row, field: string, pick: Pick): void {
  const pattern = new RegExp(`(${field.replaceAll(/[[\]]/g, '\\$&')}=)(-?\\d+)`);
  const body = webhook['body'] as string;
  if (!pattern.test(body)) throw new RangeError(`no ${field} in ${body.slice(0, 500)}`);
  webhook['body'] = body.replace(
    pattern,
    (_, name: string, figure: string) => `${name}${Number(figure) + pick.number(1, 999)}`,
  );
}

const eventKinds: BentKind[] = [
  {
    name: 'event of a payment omitted',
    bend: (rows, pick) => {
      const { statement, transaction } = pick.one(positions(rows, isPayment));
      statement.events = statement.events.filter(
        ({ event }) => event.event_specific_data?.['account_transaction_id'] !== transaction.id,
      );
    },
  },
  {
    name: 'event of a payment on no statement',
    bend: (rows, pick) => {
      const { statement, transaction } = pick.one(positions(rows, isPayment));
      const found = statement.events.find(
        ({ event }) => event.event_specific_data?.['account_transaction_id'] === transaction.id,
      );
      if (found?.event.event_specific_data)
        found.event.event_specific_data['account_transaction_id'] = unusedId(pick);
    },
  },
  {
    name: 'event names another subscription',
    bend: (rows, pick) => {
      const statement = pick.one(closedStatements(rows).filter(({ events }) => events.length > 0));
      pick.one(statement.events).event.subscription_id = unusedId(pick);
    },
  },
  {
    name: 'future payment on no statement',
    bend: (rows, pick) => {
      const payment = pick.one(
        pick.one(rows.statements.filter((each) => each.future_payments.length > 0)).future_payments,
      );
      payment.id = unusedId(pick);
    },
  },
  {
    name: 'future payment of another amount',
    bend: (rows, pick) => {
      const payment = pick.one(
        pick.one(rows.statements.filter((each) => each.future_payments.length > 0)).future_payments,
      );
      payment.amount_in_cents += pick.number(1, 900);
    },
  },
];

const webhookKinds: BentKind[] = [
  {
    name: 'webhook of a payment omitted',
    bend: (rows, pick) => without(rows, pick.one(webhooksOf(rows, 'payment_success'))),
  },
  {
    name: 'webhook of a refund omitted',
    limit: 'the site has too few refunds to have a habit',
    bend: (rows, pick) => without(rows, pick.one(webhooksOf(rows, 'refund_success'))),
  },
  {
    name: 'webhook of a statement omitted',
    bend: (rows, pick) => without(rows, pick.one(webhooksOf(rows, 'statement_settled'))),
  },
  {
    name: 'webhook of a payment sent twice under two ids',
    bend: (rows, pick) => {
      const webhook = pick.one(webhooksOf(rows, 'payment_success'));
      const id = unusedId(pick);
      rows.webhooks.push({
        ...webhook,
        id,
        body: (webhook['body'] as string).replace(/^id=\d+/, `id=${id}`),
      });
    },
  },
  {
    name: 'webhook never accepted',
    bend: (rows, pick) => {
      const webhook = pick.one(webhooksOf(rows, 'payment_success', 'statement_settled', 'renewal_success'));
      webhook['successful'] = false;
      webhook['accepted_at'] = null;
      webhook['last_error'] = '410 Gone';
    },
  },
  {
    name: 'webhook accepted before it was created',
    bend: (rows, pick) => {
      const webhook = pick.one(
        webhooksOf(rows, 'payment_success').filter((each) => each['accepted_at'] !== null),
      );
      webhook['accepted_at'] = shiftDays(webhook['created_at'] as string, -2);
    },
  },
  {
    name: 'webhook reports another payment amount',
    bend: (rows, pick) =>
      changeBody(
        pick.one(webhooksOf(rows, 'payment_success')),
        'payload[transaction][amount_in_cents]',
        pick,
      ),
  },
  {
    name: 'webhook reports another closing balance',
    bend: (rows, pick) =>
      changeBody(
        pick.one(webhooksOf(rows, 'statement_settled')),
        'payload[statement][ending_balance_in_cents]',
        pick,
      ),
  },
];

const allocationKinds: BentKind[] = [
  {
    name: 'replaced quantity of an allocation changed',
    bend: (rows, pick) => {
      const { newestFirst } = pick.one(rows.allocations.filter((each) => each.newestFirst.length > 1));
      const row = pick.one(newestFirst.slice(0, -1));
      row['previous_quantity'] = Number(row['previous_quantity']) + pick.number(1, 9);
    },
  },
  {
    name: 'allocation omitted',
    bend: (rows, pick) => {
      const component = pick.one(rows.allocations.filter((each) => each.newestFirst.length > 2));
      component.newestFirst = component.newestFirst.filter((_, at) => at !== 1);
    },
  },
  {
    name: 'allocation recorded twice',
    bend: (rows, pick) => {
      const component = pick.one(rows.allocations.filter((each) => each.newestFirst.length > 1));
      component.newestFirst.splice(0, 0, { ...component.newestFirst[0] });
    },
  },
  {
    name: 'allocation dated in the future',
    bend: (rows, pick) => {
      const row = pick.one(pick.one(rows.allocations).newestFirst.slice(0, 1));
      row['timestamp'] = shiftDays(row['timestamp'] as string, 1200);
    },
  },
];

/** Errors in events, webhooks and allocations. */
export const logKinds: BentKind[] = [...eventKinds, ...webhookKinds, ...allocationKinds];
