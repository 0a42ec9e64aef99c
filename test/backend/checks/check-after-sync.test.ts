import { describe, expect, it } from 'vitest';
import {
  createAllocation,
  createStatement,
  createStatementEvent,
  createTransaction,
  createWebhook,
  formatServiceTime,
  T0,
} from '../store/sample-records.ts';
import { createPaidStatement, createRejectedWebhook } from './check-rows.ts';
import { DAY, HOUR, openTestLedger } from './test-ledger.ts';

const later = T0 + 90 * DAY;

describe('check after a sync', () => {
  it('checks only what has changed', async () => {
    const ledger = openTestLedger();
    ledger.sync(later, { statements: [1, 2, 3, 4].map((id) => createPaidStatement(id, 70 + id)) });
    expect(await ledger.checkEverything(later)).toMatchObject({ units: 4, found: 0, failed: 0 });
    expect(await ledger.checkChanges(later)).toMatchObject({ units: 0 });
    ledger.sync(later, { statements: [1, 2, 3, 4].map((id) => createPaidStatement(id, 70 + id)) });
    expect(await ledger.checkChanges(later)).toMatchObject({ units: 0 });
    ledger.sync(later + 1, {
      statements: [createPaidStatement(2, 72), createPaidStatement(3, 73, { amount_in_cents: 900 })],
    });
    expect(await ledger.checkChanges(later + 1)).toMatchObject({ units: 1, found: 1 });
    expect(ledger.listExceptions()).toEqual(['statement-foots open']);
    ledger.sync(later + 2, {
      statements: [createPaidStatement(3, 73)],
      webhooks: [createRejectedWebhook(9, 74, T0)],
    });
    expect(await ledger.checkChanges(later + 2)).toMatchObject({ units: 2, found: 1, closed: 1 });
    expect(ledger.listExceptions()).toEqual(['statement-foots closed', 'webhook-not-accepted open']);
  });

  it('also checks what was too recent the last time', async () => {
    const ledger = openTestLedger();
    const now = T0 + HOUR;
    ledger.sync(now, {
      webhooks: [
        createRejectedWebhook(5, 71, now - 10 * 60_000),
        createWebhook({
          id: 4,
          body: 'payload[subscription][id]=72',
          created_at: formatServiceTime(T0 - DAY),
          accepted_at: formatServiceTime(T0 - DAY),
          last_sent_at: formatServiceTime(T0 - DAY),
        }),
      ],
    });
    expect(await ledger.checkEverything(now)).toMatchObject({ units: 2, found: 0 });
    ledger.sync(now + 60_000, {});
    expect(await ledger.checkChanges(now + 60_000)).toMatchObject({ units: 0 });
    ledger.sync(now + 2 * HOUR, {});
    expect(await ledger.checkChanges(now + 2 * HOUR)).toMatchObject({ units: 1, found: 1 });
    ledger.sync(now + 4 * HOUR, {});
    expect(await ledger.checkChanges(now + 4 * HOUR)).toMatchObject({ units: 0 });
  });

  it('also checks what was read again unchanged although a payment should have changed it', async () => {
    const ledger = openTestLedger();
    const unpaid = createStatement({
      id: 1,
      subscription_id: 71,
      events: [],
      text_view: '',
      closed_at: formatServiceTime(T0 + 5 * DAY),
    });
    const next = (amount: number) =>
      createStatement({
        id: 2,
        subscription_id: 71,
        opened_at: formatServiceTime(T0 + 5 * DAY),
        closed_at: null,
        starting_balance_in_cents: 1000,
        ending_balance_in_cents: 1000 - amount,
        text_view: '',
        events: [],
        transactions:
          amount === 0
            ? []
            : [
                createTransaction({
                  id: 20,
                  subscription_id: 71,
                  transaction_type: 'payment',
                  type: 'Payment',
                  kind: null,
                  amount_in_cents: amount,
                  starting_balance_in_cents: 1000,
                  ending_balance_in_cents: 1000 - amount,
                  created_at: formatServiceTime(T0 + 10 * DAY),
                }),
              ],
      });
    ledger.sync(T0 + 9 * DAY, { statements: [unpaid, next(0)] });
    expect(await ledger.checkEverything(T0 + 9 * DAY)).toMatchObject({ found: 0 });
    ledger.sync(T0 + 11 * DAY, { statements: [next(1000)] });
    expect(await ledger.checkChanges(T0 + 11 * DAY)).toMatchObject({ units: 1, found: 0 });
    ledger.sync(T0 + 12 * DAY, { statements: [unpaid] });
    expect(await ledger.checkChanges(T0 + 12 * DAY)).toMatchObject({ units: 1, found: 1 });
    expect(ledger.listExceptions()).toEqual(['paid-but-unsettled open']);
  });
});

describe('payment shared by several subscriptions', () => {
  it('is found and resolved by an incremental check as by a full check', async () => {
    const ledger = openTestLedger();
    const twin = { gateway_transaction_id: 'ch_1' };
    ledger.sync(later, {
      statements: [createPaidStatement(1, 71, twin), createPaidStatement(2, 72), createPaidStatement(3, 73)],
    });
    expect(await ledger.checkEverything(later)).toMatchObject({ found: 0 });
    ledger.sync(later + 1, { statements: [createPaidStatement(3, 73, twin)] });
    expect(await ledger.checkChanges(later + 1)).toMatchObject({ found: 1 });
    expect(await ledger.checkEverything(later + 1)).toMatchObject({ found: 0, closed: 0, changed: 0 });
    ledger.sync(later + 2, { statements: [createPaidStatement(2, 72, twin)] });
    expect(await ledger.checkChanges(later + 2)).toMatchObject({ found: 0, changed: 1 });
    // The first payment leaves the group of three. The other two still form a group.
    ledger.sync(later + 3, { statements: [createPaidStatement(1, 71)] });
    expect(await ledger.checkChanges(later + 3)).toMatchObject({ changed: 1, closed: 0 });
    ledger.sync(later + 4, { statements: [createPaidStatement(2, 72)] });
    expect(await ledger.checkChanges(later + 4)).toMatchObject({ closed: 1 });
    expect(ledger.listExceptions()).toEqual(['duplicate-payment closed']);
    expect(await ledger.checkEverything(later + 4)).toMatchObject({ found: 0, closed: 0, changed: 0 });
  });

  it('is not reported if a test gateway gives all payments the same id', async () => {
    const ledger = openTestLedger();
    const all = Array.from({ length: 30 }, (_, at) =>
      createPaidStatement(at + 1, 100 + at, { gateway_transaction_id: '53433' }),
    );
    ledger.sync(later, { statements: all });
    expect(await ledger.checkEverything(later)).toMatchObject({ found: 0 });
  });
});

describe('check', () => {
  it('that is canceled keeps its findings, closes no unchecked exception, and is completed by the next check', async () => {
    const ledger = openTestLedger();
    const wrong = (id: number) => createPaidStatement(id, 100 + id, { amount_in_cents: 900 });
    ledger.sync(later, { statements: Array.from({ length: 50 }, (_, at) => wrong(at + 1)) });
    await expect(ledger.checkAndCancel(later, 20)).rejects.toThrow(/abort/i);
    const some = ledger.listExceptions().length;
    expect(some).toBeGreaterThanOrEqual(20);
    expect(some).toBeLessThan(50);
    expect(await ledger.checkEverything(later)).toMatchObject({ units: 50, found: 50 - some, closed: 0 });
    // Now all errors are resolved. The canceled check leaves unchecked exceptions open.
    ledger.sync(later + 1, {
      statements: Array.from({ length: 50 }, (_, at) => createPaidStatement(at + 1, 101 + at)),
    });
    await expect(ledger.checkAndCancel(later + 1, 20)).rejects.toThrow(/abort/i);
    const open = ledger.listExceptions().filter((each) => each.endsWith('open')).length;
    expect(open).toBe(50 - some);
    expect(await ledger.checkChanges(later + 1)).toMatchObject({ units: open, closed: open });
  });

  it('continues after a rule fails on a subscription, and retries that subscription later', async () => {
    const ledger = openTestLedger();
    const strange = [1, 2].map((at) =>
      createAllocation({
        subscription_id: 72,
        timestamp: formatServiceTime(T0 + at * DAY),
        quantity: at,
        previous_quantity: at - 1,
      }),
    );
    ledger.sync(later, {
      statements: [createPaidStatement(1, 71), createPaidStatement(3, 73, { amount_in_cents: 5 })],
      allocations: strange,
    });
    ledger.cache.prepare("UPDATE allocation SET previous_quantity = 'many' WHERE ordinal = 0").run();
    expect(await ledger.checkEverything(later)).toMatchObject({ units: 2, failed: 1, found: 1 });
    expect(ledger.failed.map(({ unit }) => unit)).toEqual([72]);
    ledger.cache.prepare('UPDATE allocation SET previous_quantity = quantity - 1').run();
    expect(await ledger.checkChanges(later)).toMatchObject({ units: 1, failed: 0 });
  });

  it('checks webhooks without a subscription and closes resolved exceptions', async () => {
    const ledger = openTestLedger();
    const nameless = (id: number, accepted: boolean) => createRejectedWebhook(id, null, T0, accepted);
    ledger.sync(later, { webhooks: [nameless(3, false), nameless(5000, false), nameless(9000, true)] });
    expect(await ledger.checkEverything(later)).toMatchObject({ found: 2 });
    ledger.sync(later + 1, { webhooks: [nameless(5000, true)] });
    expect(await ledger.checkChanges(later + 1)).toMatchObject({ units: 1, closed: 1 });
    expect(await ledger.checkEverything(later + 1)).toMatchObject({ found: 0, closed: 0 });
  });

  it('closes no exception while a statement is missing', async () => {
    const ledger = openTestLedger();
    const told = createStatementEvent({ event_specific_data: { account_transaction_id: 4711 } });
    ledger.sync(later, {
      statements: [{ ...createPaidStatement(1, 71), events: [told] }, createPaidStatement(2, 72)],
    });
    ledger.cache.prepare('INSERT INTO statement_known (id, first_seen_at) VALUES (99, 1)').run();
    ledger.cache.prepare("UPDATE sync_part SET complete = 0 WHERE part = 'statements'").run();
    expect(await ledger.checkEverything(later)).toMatchObject({ found: 0 });
    // A webhook identifies the subscription of the missing statement, so the others are complete.
    const about = `payload[subscription][id]=72&payload[statement][id]=99`;
    ledger.sync(later, { webhooks: [createWebhook({ id: 8, event: 'statement_closed', body: about })] });
    ledger.cache.prepare("UPDATE sync_part SET complete = 0 WHERE part = 'statements'").run();
    expect(await ledger.checkEverything(later)).toMatchObject({ found: 1 });
    expect(ledger.listExceptions()).toEqual(['event-without-transaction open']);
  });
});
