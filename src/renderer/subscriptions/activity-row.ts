import type { ActivityEntry } from '../../contract/index.ts';
import { type RecordLocation, recordLocations } from '../navigation/record-location.ts';
import { formatMoney } from '../texts/money.ts';
import { formatQuantity } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.activity;

/** Row of the activity list. Amounts are in cents. */
interface ActivityRow {
  readonly title: string;
  readonly details: string | null;
  /** Change in the balance owed, in cents. */
  readonly amount: number | null;
  /** Balance after the entry, as stated by the service. */
  readonly balance: number | null;
  /** `balance` for an opening or closing balance, `bad` for a failure or a gap, and `plain` for all other entries. */
  readonly tone: 'plain' | 'balance' | 'bad';
}

export function toActivityRow(entry: ActivityEntry, currency: string): ActivityRow {
  switch (entry.kind) {
    case 'statement':
      return toStatementRow(entry, currency);
    case 'transaction':
      return toTransactionRow(entry);
    case 'event':
      return createRow(entry.event.key, entry.event.message, false);
    case 'allocation':
      return toAllocationRow(entry);
    case 'webhook': {
      const { event, delivery, last_error } = entry.webhook;
      const details = joinDetails(texts.webhooks.delivery[delivery], last_error);
      return createRow(text.webhook(event), details, delivery !== 'accepted');
    }
    case 'exception': {
      const { title, message, status } = entry.exception;
      return createRow(title, message, status === 'open');
    }
  }
}

/** Creates an activity row that has no amounts. */
function createRow(title: string, details: string | null, isBad: boolean): ActivityRow {
  return { title, details, amount: null, balance: null, tone: isBad ? 'bad' : 'plain' };
}

function joinDetails(...details: readonly (string | null | undefined)[]): string | null {
  return details.filter(Boolean).join(' · ') || null;
}

type EntryOf<Kind extends ActivityEntry['kind']> = Extract<ActivityEntry, { kind: Kind }>;

function toTransactionRow({ transaction, effect_in_cents }: EntryOf<'transaction'>): ActivityRow {
  const hasFailed = transaction.success === false;
  return {
    title: transaction.transaction_type,
    details: joinDetails(transaction.kind, transaction.memo, hasFailed ? text.failed : null),
    amount: effect_in_cents ?? transaction.amount_in_cents,
    balance: transaction.ending_balance_in_cents,
    tone: hasFailed ? 'bad' : 'plain',
  };
}

function toAllocationRow({ allocation, component_name }: EntryOf<'allocation'>): ActivityRow {
  const { previous_quantity, quantity, component_id, memo, chained } = allocation;
  const change = text.quantities(formatQuantity(previous_quantity), formatQuantity(quantity));
  const hasGap = chained === false;
  return createRow(
    component_name ?? text.component(component_id),
    joinDetails(change, memo, hasGap ? text.historyGap : null),
    hasGap,
  );
}

function toStatementRow(entry: EntryOf<'statement'>, currency: string): ActivityRow {
  const { milestone, statement, brought_forward } = entry;
  const title = text.milestones[milestone];
  const id = String(statement.id);
  if (milestone === 'settled') return createRow(title, id, false);
  if (milestone === 'closed') {
    const balance = statement.ending_balance_in_cents;
    return { title, details: id, amount: null, balance, tone: 'balance' };
  }
  const balance = statement.starting_balance_in_cents;
  if (!brought_forward) {
    return { title, details: joinDetails(id, text.first), amount: null, balance, tone: 'balance' };
  }
  const { from_statement_id, closing_balance_in_cents, step_in_cents: step } = brought_forward;
  const continuity =
    step === 0
      ? text.broughtForward(from_statement_id)
      : text.notBroughtForward(from_statement_id, formatMoney(closing_balance_in_cents, currency));
  return {
    title,
    details: joinDetails(id, continuity),
    amount: step === 0 ? null : step,
    balance,
    tone: step === 0 ? 'balance' : 'bad',
  };
}

/** Returns the key of an entry within its subscription's activity, and the location of the record to open. */
export function identifyActivityEntry(entry: ActivityEntry): {
  readonly key: string;
  readonly location: RecordLocation;
} {
  switch (entry.kind) {
    case 'statement': {
      const { id } = entry.statement;
      return { key: `statement ${id} ${entry.milestone}`, location: recordLocations.statement(id) };
    }
    case 'transaction': {
      const { statement_id, id } = entry.transaction;
      const location = recordLocations.statement(statement_id, 'transactions');
      return { key: `transaction ${statement_id} ${id}`, location };
    }
    case 'event': {
      const location = recordLocations.statement(entry.statement_id, 'events');
      return { key: `event ${entry.statement_id} ${entry.event.id}`, location };
    }
    case 'allocation': {
      const { subscription_id, component_id, ordinal } = entry.allocation;
      const location = recordLocations.subscriptionComponent(subscription_id, component_id);
      return { key: `allocation ${component_id} ${entry.at} ${ordinal}`, location };
    }
    case 'webhook':
      return { key: `webhook ${entry.webhook.id}`, location: recordLocations.webhook(entry.webhook.id) };
    case 'exception':
      return {
        key: `exception ${entry.exception.id}`,
        location: recordLocations.exception(entry.exception.id),
      };
  }
}
