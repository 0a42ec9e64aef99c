import fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialBreaker, probeDelay, recordOutcome } from '../../../src/backend/replay/breaker.ts';
import { describeSelection } from '../../../src/backend/replay/description.ts';
import { isRetryExpected } from '../../../src/backend/replay/eligible.ts';
import { type DeliveryFields, replayOutcome, wasReplayed } from '../../../src/backend/replay/outcome.ts';
import { afterPoll, median, startPolling, unresolvedDelay } from '../../../src/backend/replay/polling.ts';
import {
  isCanary,
  type Ramp,
  rampAfterOutcome,
  rampAfterStep,
  rampStepName,
  SAFE_WINDOW,
  sendableNow,
  startRamp,
} from '../../../src/backend/replay/ramp.ts';
import { decideUnresolved } from '../../../src/backend/replay/verdict.ts';
import type { LogState, StoredItem } from '../../../src/backend/store/replay/replay.ts';

const failedBefore: DeliveryFields = {
  successful: false,
  accepted_at: null,
  last_sent_at: 1000,
  last_error_at: 1000,
  last_error: '503 Service Unavailable (retry 5 of 5)',
};
const acceptedBefore: DeliveryFields = {
  successful: true,
  accepted_at: 1000,
  last_sent_at: 1000,
  last_error_at: null,
  last_error: null,
};

test.each<[string, DeliveryFields, Partial<DeliveryFields>, ReturnType<typeof replayOutcome>]>([
  ['nothing moved', failedBefore, {}, 'queued'],
  [
    'accepted',
    failedBefore,
    { successful: true, accepted_at: 5000, last_sent_at: 5000, last_error_at: null, last_error: null },
    'accepted',
  ],
  ['failed again', failedBefore, { last_sent_at: 5000, last_error_at: 5000 }, 'failed'],
  ['sent, error time not kept', failedBefore, { last_sent_at: 5000 }, 'failed'],
  ['an accepted one, cleared by the replay', acceptedBefore, { accepted_at: null }, 'queued'],
  ['an accepted one, untouched', acceptedBefore, {}, 'queued'],
  ['an accepted one, accepted again', acceptedBefore, { accepted_at: 5000, last_sent_at: 5000 }, 'accepted'],
  [
    'an accepted one that fails now',
    acceptedBefore,
    { successful: false, accepted_at: null, last_sent_at: 5000, last_error_at: 5000, last_error: '500' },
    'failed',
  ],
  ['says successful without an acceptance', failedBefore, { successful: true }, 'queued'],
])('outcome from the fields: %s', (_, before, change, outcome) => {
  expect(replayOutcome(before, { ...before, ...change })).toBe(outcome);
});

test('a replay shows in the log by its delivery, or by the acceptance it clears', () => {
  expect(wasReplayed(failedBefore, failedBefore)).toBe(false);
  expect(wasReplayed(failedBefore, { ...failedBefore, last_sent_at: 2000 })).toBe(true);
  expect(wasReplayed(acceptedBefore, { ...acceptedBefore, accepted_at: null })).toBe(true);
});

/** Takes steps with all accepted until the ramp is at full. */
function full(mode: Ramp['mode']): Ramp {
  let ramp = startRamp(mode);
  while (rampStepName(ramp) !== 'full') ramp = rampAfterStep(ramp, 1, 1);
  return ramp;
}

test('a replay begins with one webhook, then 5, then 24, each only when the last was resolved and accepted', () => {
  let ramp = startRamp('adaptive');
  expect([isCanary(ramp), sendableNow(ramp, 0), sendableNow(ramp, 1)]).toEqual([true, 1, 0]);
  ramp = rampAfterStep(ramp, 1, 1);
  expect([rampStepName(ramp), sendableNow(ramp, 0), sendableNow(ramp, 4)]).toEqual(['5', 5, 0]);
  expect(rampStepName(rampAfterStep(ramp, 4, 5))).toBe('5');
  ramp = rampAfterStep(ramp, 5, 5);
  expect([rampStepName(ramp), sendableNow(ramp, 0)]).toEqual(['24', 24]);
  expect(rampStepName(rampAfterStep(ramp, 22, 24))).toBe('24');
  expect(rampStepName(rampAfterStep(ramp, 23, 24))).toBe('full');
});

test('safe mode never has more than 24 unresolved, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 400 }), fc.nat(30), (outcomes, unresolved) => {
      let ramp = full('safe');
      for (const each of outcomes) ramp = rampAfterOutcome(ramp, each);
      expect(unresolved + sendableNow(ramp, unresolved)).toBeLessThanOrEqual(
        Math.max(SAFE_WINDOW, unresolved),
      );
    }),
  );
});

test('adaptive mode grows on a long clean run only, and falls back at the first cluster of failures', () => {
  let ramp = full('adaptive');
  for (let n = 0; n < 95; n++) ramp = rampAfterOutcome(ramp, true);
  expect(ramp.window).toBe(24);
  ramp = rampAfterOutcome(ramp, true);
  expect(ramp.window).toBe(48);
  for (let n = 0; n < 192; n++) ramp = rampAfterOutcome(ramp, true);
  expect(ramp.window).toBe(96);
  ramp = rampAfterOutcome(ramp, false);
  expect(ramp.window).toBe(96);
  ramp = rampAfterOutcome(rampAfterOutcome(ramp, true), false);
  expect(ramp.window).toBe(24);
  for (let n = 0; n < 100_000; n++) ramp = rampAfterOutcome(ramp, true);
  expect(ramp.window).toBe(1000);
});

test('fast mode goes up to 1000 at once, after the same first steps', () => {
  expect(sendableNow(startRamp('fast'), 0)).toBe(1);
  expect(sendableNow(full('fast'), 0)).toBe(1000);
  expect(sendableNow(full('fast'), 600)).toBe(0);
});

test('the breaker opens at five failures in a row, and within 20 outcomes when half fail', () => {
  let breaker = initialBreaker;
  for (let n = 0; n < 4; n++) breaker = recordOutcome(breaker, false);
  expect(breaker.state).toBe('closed');
  expect(recordOutcome(breaker, false).state).toBe('open');
  expect(recordOutcome(recordOutcome(breaker, true), false).state).toBe('closed');

  let half = initialBreaker;
  let outcomes = 0;
  while (half.state === 'closed' && outcomes < 100) half = recordOutcome(half, outcomes++ % 2 === 0);
  expect(outcomes).toBeLessThanOrEqual(20);

  let tenth = initialBreaker;
  for (let n = 0; n < 1000; n++) tenth = recordOutcome(tenth, n % 10 !== 0);
  expect(tenth.state).toBe('closed');
});

test('an open breaker tries one after 1, 5 and 15 minutes, and closes when one is accepted', () => {
  let breaker = initialBreaker;
  for (let n = 0; n < 5; n++) breaker = recordOutcome(breaker, false);
  const delays = [];
  while (probeDelay(breaker) !== null) {
    delays.push(probeDelay(breaker));
    breaker = recordOutcome(breaker, false);
  }
  expect(delays).toEqual([60_000, 300_000, 900_000]);
  expect(recordOutcome(breaker, true)).toEqual(initialBreaker);
});

test('the log is looked at soon, then ever more rarely, at most every minute', () => {
  let polling = startPolling(null);
  const delays = [polling.delay];
  for (let n = 0; n < 8; n++) {
    polling = afterPoll(polling, false);
    delays.push(polling.delay);
  }
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(afterPoll({ delay: 8000 }, true).delay).toBe(4000);
  expect(startPolling(20_000).delay).toBe(20_000);
  expect([unresolvedDelay(null), unresolvedDelay(600_000)]).toEqual([900_000, 2_400_000]);
  expect([median([]), median([5, 1, 9])]).toEqual([null, 5]);
});

test('what the service still tries by itself is not replayed; what it gave up is', () => {
  const now = 1_000_000_000;
  const lag = 600_000;
  const webhook = {
    delivery: 1,
    created_at: now - 3_600_000,
    last_sent_ms: now - 60_000,
    last_error: '500 Oops',
  };
  expect(isRetryExpected(webhook, now, lag)).toBe(true);
  expect(isRetryExpected({ ...webhook, last_error: '500 Oops (retry 5 of 5)' }, now, lag)).toBe(false);
  expect(isRetryExpected({ ...webhook, last_error: '500 Oops (retry 4 of 5)' }, now, lag)).toBe(true);
  expect(isRetryExpected({ ...webhook, last_sent_ms: now - lag }, now, lag)).toBe(false);
  expect(
    isRetryExpected(
      { ...webhook, delivery: 2, last_error: null, last_sent_ms: 0, created_at: now - 1 },
      now,
      lag,
    ),
  ).toBe(true);
  expect(isRetryExpected({ ...webhook, delivery: 0 }, now, lag)).toBe(false);
});

test('a selection is told in words', () => {
  expect(describeSelection({ ids: [3, 4, 4] }, false)).toBe('2 chosen webhooks');
  expect(describeSelection({ ids: [3] }, true)).toBe('1 chosen webhook, accepted ones too');
  const filter = {
    status: 'failed',
    event: ['payment_success'],
    since: '2026-10-01',
    until: '2026-10-31',
  } as const;
  expect(describeSelection({ filter: { ...filter, event: ['payment_success'] } }, false)).toBe(
    'failed webhooks of payment_success, 2026-10-01 to 2026-10-31',
  );
  const [from, to] = ['2026-10-01T06:37:29-04:00', '2026-10-01T13:53:22Z'];
  expect(describeSelection({ filter: { status: 'failed', from, to } }, false)).toBe(
    'failed webhooks, created 2026-10-01 10:37 to 13:53 UTC',
  );
  expect(describeSelection({ filter: { from } }, false)).toBe(
    'all webhooks, created from 2026-10-01 10:37 UTC',
  );
  expect(describeSelection({ filter: { search: ' late ', since: '2026-10-01' } }, false)).toBe(
    'all webhooks, from 2026-10-01, matching “late”',
  );
});

test('nothing is said of a webhook that was not looked at, however long it is underway', () => {
  const before: LogState = {
    successful: false,
    accepted_at: null,
    last_sent_at: '2026-10-01T10:00:00Z',
    last_error_at: null,
    last_error: null,
  };
  const item = { webhook_id: 7, before } as unknown as StoredItem;
  const in_flight = [{ item, posted_at: 0, doubtful: false }];
  const seen = new Map<number, LogState>();
  const later = 10 * 3_600_000;
  expect(decideUnresolved(in_flight, { seen, all: false }, later, null, 1).resolutions).toEqual([]);
  expect(decideUnresolved(in_flight, { seen, all: true }, later, null, 1).resolutions).toMatchObject([
    { outcome: 'unresolved' },
  ]);
  expect(
    decideUnresolved(in_flight, { seen: new Map([[7, before]]), all: false }, later, null, 1).resolutions,
  ).toMatchObject([{ outcome: 'unresolved' }]);
});
