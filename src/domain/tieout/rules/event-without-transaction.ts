import type { Account } from '../account.ts';
import { eventEvidence, type Finding, makeFinding, statementEvidence } from '../finding.ts';
import type { Footing } from '../footing.ts';
import { eventsWithoutPayment, isHeldAt } from '../held.ts';
import type { EventRecord } from '../record.ts';
import type { Rule } from '../rule.ts';
import { line, money } from '../words.ts';

export const eventWithoutTransaction: Rule = {
  id: 'event-without-transaction',
  version: 1,
  title: 'Payment event without its transaction',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The statement’s list of events says that a payment or refund went through, but no statement of the subscription holds that ' +
    'transaction. Either the transaction was taken off after the fact, or the event is of something that never happened. ' +
    'The payment gateway’s report tells which.',
  remedy: null,
  check,
};

const HOUR = 3_600_000;

function check(account: Account): Finding[] {
  const found: Finding[] = [];
  for (const footing of account.footings) {
    if (footing.statement.events.length === 0) continue;
    for (const event of eventsWithoutPayment(account, footing.statement)) {
      found.push(finding(account, footing, event, `names transaction ${event.transaction_id}`));
    }
  }
  for (const [footing, event] of unnamed(account)) {
    found.push(finding(account, footing, event, 'tells of a payment'));
  }
  return found;
}

/** Payment events that name no transaction, beyond the payments of their hour. */
function unnamed(account: Account): [Footing, EventRecord][] {
  if (!account.record.statements_complete) return [];
  const payments = account.payments.map(({ transaction }) => transaction.created_at ?? 0);
  const left: [Footing, EventRecord][] = [];
  for (const footing of account.footings) {
    for (const event of footing.statement.events) {
      if (event.key !== 'payment_success' || event.transaction_id !== null || event.created_at === null)
        continue;
      const at = event.created_at;
      const near = payments.findIndex((time) => Math.abs(time - at) <= HOUR);
      if (near >= 0) payments.splice(near, 1);
      else if (isHeldAt(account, at)) left.push([footing, event]);
    }
  }
  return left;
}

function finding(account: Account, footing: Footing, event: EventRecord, what: string): Finding {
  const { statement } = footing;
  const explained = (account.explanations.get(footing) ?? []).find(
    ({ rule }) => rule === eventWithoutTransaction.id,
  );
  const short = explained?.cents ?? null;
  return makeFinding(eventWithoutTransaction, {
    subject: { subscription_id: account.id, statement_id: statement.id, event_id: event.id },
    difference_in_cents: short,
    message:
      `Event ${event.id} (${event.key}) on statement ${statement.id} ${what}, which no statement holds` +
      `${short === null ? '' : `; without it the statement is ${money(Math.abs(short))} from footing`}.`,
    arithmetic: short === null ? [] : [line('Closing balance less what adds up', short)],
    evidence: [eventEvidence(statement.id, event), statementEvidence(statement)],
  });
}
