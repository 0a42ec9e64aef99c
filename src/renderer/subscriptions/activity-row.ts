import type { ActivityEntry } from '../../contract/index.ts';
import { type RecordLocation, recordLocations } from '../navigation/record-location.ts';
import { formatMoney } from '../texts/money.ts';
import { formatQuantity } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.activity;

/** An entry of a story as a line of a ledger. */
export interface ActivityRow {
  readonly what: string;
  readonly how: string | null;
  /** Its effect on the balance owed. */
  readonly amount: number | null;
  /** The balance then, as the service states it. */
  readonly balance: number | null;
  /** `bad` where the chain breaks or something failed. */
  readonly tone: 'plain' | 'edge' | 'bad';
}

export function toActivityRow(entry: ActivityEntry, currency: string): ActivityRow {
  switch (entry.kind) {
    case 'statement':
      return toStatementRow(entry, currency);
    case 'transaction': {
      const { transaction, effect_in_cents } = entry;
      const failed = transaction.success === false;
      const how = [transaction.kind, transaction.memo, failed ? text.failed : null].filter(Boolean);
      return {
        what: transaction.transaction_type,
        how: how.join(' · ') || null,
        amount: effect_in_cents ?? transaction.amount_in_cents,
        balance: transaction.ending_balance_in_cents,
        tone: failed ? 'bad' : 'plain',
      };
    }
    case 'event':
      return { what: entry.event.key, how: entry.event.message, amount: null, balance: null, tone: 'plain' };
    case 'allocation': {
      const { allocation, component_name } = entry;
      const change = text.quantities(
        formatQuantity(allocation.previous_quantity),
        formatQuantity(allocation.quantity),
      );
      const broken = allocation.chained === false;
      return {
        what: component_name ?? text.component(allocation.component_id),
        how: [change, allocation.memo, broken ? text.broken : null].filter(Boolean).join(' · '),
        amount: null,
        balance: null,
        tone: broken ? 'bad' : 'plain',
      };
    }
    case 'webhook': {
      const { webhook } = entry;
      const state = texts.webhooks.delivery[webhook.delivery];
      return {
        what: text.webhook(webhook.event),
        how: [state, webhook.last_error].filter(Boolean).join(' · '),
        amount: null,
        balance: null,
        tone: webhook.delivery === 'accepted' ? 'plain' : 'bad',
      };
    }
    case 'exception': {
      const { exception } = entry;
      return {
        what: exception.title,
        how: exception.message,
        amount: null,
        balance: null,
        tone: exception.status === 'open' ? 'bad' : 'plain',
      };
    }
  }
}

function toStatementRow(entry: Extract<ActivityEntry, { kind: 'statement' }>, currency: string): ActivityRow {
  const { milestone, statement, brought_forward } = entry;
  const what = text.turns[milestone];
  const id = String(statement.id);
  if (milestone === 'settled') return { what, how: id, amount: null, balance: null, tone: 'plain' };
  if (milestone === 'closed') {
    return { what, how: id, amount: null, balance: statement.ending_balance_in_cents, tone: 'edge' };
  }
  const balance = statement.starting_balance_in_cents;
  if (!brought_forward) return { what, how: `${id} · ${text.first}`, amount: null, balance, tone: 'edge' };
  const { from_statement_id: from, closing_balance_in_cents: closing, step_in_cents: step } = brought_forward;
  const carrying = step === 0 ? text.carried(from) : text.notCarried(from, formatMoney(closing, currency));
  const how = `${id} · ${carrying}`;
  return { what, how, amount: step === 0 ? null : step, balance, tone: step === 0 ? 'edge' : 'bad' };
}

/** Names an entry within its story. */
export function activityEntryKey(entry: ActivityEntry): string {
  switch (entry.kind) {
    case 'statement':
      return `statement ${entry.statement.id} ${entry.milestone}`;
    case 'transaction':
      return `transaction ${entry.transaction.statement_id} ${entry.transaction.id}`;
    case 'event':
      return `event ${entry.statement_id} ${entry.event.id}`;
    case 'allocation':
      return `allocation ${entry.allocation.component_id} ${entry.at} ${entry.allocation.ordinal}`;
    case 'webhook':
      return `webhook ${entry.webhook.id}`;
    case 'exception':
      return `exception ${entry.exception.id}`;
  }
}

/** Where an entry is at home. */
export function locateActivityEntry(entry: ActivityEntry): RecordLocation {
  switch (entry.kind) {
    case 'statement':
      return recordLocations.statement(entry.statement.id);
    case 'transaction':
      return recordLocations.statement(entry.transaction.statement_id, 'transactions');
    case 'event':
      return recordLocations.statement(entry.statement_id, 'events');
    case 'allocation':
      return recordLocations.subscriptionComponent(
        entry.allocation.subscription_id,
        entry.allocation.component_id,
      );
    case 'webhook':
      return recordLocations.webhook(entry.webhook.id);
    case 'exception':
      return recordLocations.exception(entry.exception.id);
  }
}
