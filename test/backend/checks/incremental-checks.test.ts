import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { T0 } from '../store/sample-records.ts';
import { createPaidStatement, createRejectedWebhook } from './check-rows.ts';
import { DAY, openTestLedger } from './test-ledger.ts';

const SUBSCRIPTIONS = 6;
const later = T0 + 90 * DAY;

/** Statement whose payment is wrong, shares its gateway id with others, or is correct. */
const statementChange = fc.record({
  subscription: fc.nat(SUBSCRIPTIONS - 1),
  amount_in_cents: fc.constantFrom(1000, 1000, 400, 0),
  gateway: fc.constantFrom(null, null, 'ch_1', 'ch_2'),
  /** Number of the payment. Two subscriptions may have the same one. */
  payment: fc.constantFrom(null, null, 7001, 7002),
});
const webhookChange = fc.record({
  webhook: fc.nat(3),
  subscription: fc.option(fc.nat(SUBSCRIPTIONS - 1), { nil: null }),
  accepted: fc.boolean(),
});
const sync = fc.array(fc.oneof(statementChange, webhookChange), { minLength: 1, maxLength: 5 });

describe('incremental checks', () => {
  it('find everything that a full check finds, whatever has changed', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sync, { minLength: 1, maxLength: 6 }), async (syncs) => {
        const ledger = openTestLedger();
        const first = Array.from({ length: SUBSCRIPTIONS }, (_, at) => createPaidStatement(at + 1, 70 + at));
        ledger.sync(later, { statements: first });
        await ledger.checkEverything(later);
        for (const [at, changes] of syncs.entries()) {
          const now = later + (at + 1) * DAY;
          for (const change of changes) {
            if ('webhook' in change) {
              const { webhook, subscription, accepted } = change;
              ledger.sync(now, {
                webhooks: [
                  createRejectedWebhook(
                    webhook + 1,
                    subscription === null ? null : 70 + subscription,
                    T0,
                    accepted,
                  ),
                ],
              });
            } else {
              const { subscription, amount_in_cents, gateway, payment } = change;
              const statement = createPaidStatement(subscription + 1, 70 + subscription, {
                amount_in_cents,
                gateway_transaction_id: gateway,
                ...(payment !== null && { id: payment }),
              });
              ledger.sync(now, { statements: [statement] });
            }
          }
          await ledger.checkChanges(now);
          const before = ledger.listExceptions();
          expect(await ledger.checkEverything(now)).toMatchObject({
            found: 0,
            back: 0,
            changed: 0,
            closed: 0,
            failed: 0,
          });
          expect(ledger.listExceptions()).toEqual(before);
        }
        ledger.close();
      }),
      { numRuns: Number(process.env['TIEOUT_RUNS'] ?? 20) },
    );
  });
});
