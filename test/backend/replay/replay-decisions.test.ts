import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  getNextProbeDelay,
  INITIAL_CIRCUIT_BREAKER,
  updateCircuitBreaker,
} from '../../../src/backend/replay/circuit-breaker.ts';
import { isServiceRetryExpected } from '../../../src/backend/replay/expected-service-retries.ts';
import {
  getFirstOutcomePollDelay,
  getNextOutcomePollDelay,
  getOutcomeTimeout,
} from '../../../src/backend/replay/replay-delays.ts';
import { detectReplayOutcome, wasWebhookReplayed } from '../../../src/backend/replay/replay-outcome.ts';
import {
  advanceReplayRamp,
  countSendableWebhooks,
  createReplayRamp,
  getRampStepName,
  type ReplayRamp,
  SAFE_RAMP_WINDOW,
  updateReplayRamp,
} from '../../../src/backend/replay/replay-ramp.ts';
import { decideOnUnresolvedWebhooks } from '../../../src/backend/replay/replay-resolution-decisions.ts';
import { describeReplaySelection } from '../../../src/backend/replay/replay-selection-description.ts';
import { ReplayThroughput } from '../../../src/backend/replay/replay-throughput.ts';
import type { DeliveryFields, StoredReplayItem } from '../../../src/backend/store/replay/replay.ts';

const EARLIER = '2026-10-01T10:00:01Z';
const LATER = '2026-10-01T10:00:05Z';
const failedBefore: DeliveryFields = {
  successful: false,
  accepted_at: null,
  last_sent_at: EARLIER,
  last_error_at: EARLIER,
  last_error: '503 Service Unavailable (retry 5 of 5)',
};
const acceptedBefore: DeliveryFields = {
  successful: true,
  accepted_at: EARLIER,
  last_sent_at: EARLIER,
  last_error_at: null,
  last_error: null,
};

test.each<[string, DeliveryFields, Partial<DeliveryFields>, ReturnType<typeof detectReplayOutcome>]>([
  ['nothing moved', failedBefore, {}, 'queued'],
  [
    'accepted',
    failedBefore,
    { successful: true, accepted_at: LATER, last_sent_at: LATER, last_error_at: null, last_error: null },
    'accepted',
  ],
  ['failed again', failedBefore, { last_sent_at: LATER, last_error_at: LATER }, 'failed'],
  ['sent, error time not kept', failedBefore, { last_sent_at: LATER }, 'failed'],
  ['an accepted one, cleared by the replay', acceptedBefore, { accepted_at: null }, 'queued'],
  ['an accepted one, untouched', acceptedBefore, {}, 'queued'],
  [
    'an accepted one, accepted again',
    acceptedBefore,
    { accepted_at: LATER, last_sent_at: LATER },
    'accepted',
  ],
  [
    'an accepted webhook that fails now',
    acceptedBefore,
    { successful: false, accepted_at: null, last_sent_at: LATER, last_error_at: LATER, last_error: '500' },
    'failed',
  ],
  ['says successful without an acceptance', failedBefore, { successful: true }, 'queued'],
])('outcome from the fields: %s', (_, before, change, outcome) => {
  expect(detectReplayOutcome(before, { ...before, ...change })).toBe(outcome);
});

test('the log shows a replay by its delivery or by a cleared acceptance', () => {
  expect(wasWebhookReplayed(failedBefore, failedBefore)).toBe(false);
  expect(wasWebhookReplayed(failedBefore, { ...failedBefore, last_sent_at: LATER })).toBe(true);
  expect(wasWebhookReplayed(acceptedBefore, { ...acceptedBefore, accepted_at: null })).toBe(true);
});

/** Accepts every webhook until the ramp runs at the full rate. */
function createFullRamp(mode: ReplayRamp['mode']): ReplayRamp {
  let ramp = createReplayRamp(mode);
  while (getRampStepName(ramp) !== 'full') ramp = advanceReplayRamp(ramp, 1, 1);
  return ramp;
}

test('a replay starts with 1, 5 and 24 webhooks, each step after the previous was accepted', () => {
  let ramp = createReplayRamp('adaptive');
  expect([getRampStepName(ramp), countSendableWebhooks(ramp, 0), countSendableWebhooks(ramp, 1)]).toEqual([
    'canary',
    1,
    0,
  ]);
  ramp = advanceReplayRamp(ramp, 1, 1);
  expect([getRampStepName(ramp), countSendableWebhooks(ramp, 0), countSendableWebhooks(ramp, 4)]).toEqual([
    '5',
    5,
    0,
  ]);
  expect(getRampStepName(advanceReplayRamp(ramp, 4, 5))).toBe('5');
  ramp = advanceReplayRamp(ramp, 5, 5);
  expect([getRampStepName(ramp), countSendableWebhooks(ramp, 0)]).toEqual(['24', 24]);
  expect(getRampStepName(advanceReplayRamp(ramp, 22, 24))).toBe('24');
  expect(getRampStepName(advanceReplayRamp(ramp, 23, 24))).toBe('full');
});

test('safe mode never has more than 24 unresolved, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 400 }), fc.nat(30), (outcomes, unresolved) => {
      let ramp = createFullRamp('safe');
      for (const each of outcomes) ramp = updateReplayRamp(ramp, each);
      expect(unresolved + countSendableWebhooks(ramp, unresolved)).toBeLessThanOrEqual(
        Math.max(SAFE_RAMP_WINDOW, unresolved),
      );
    }),
  );
});

test('adaptive mode grows after many acceptances in a row, and falls back at the first failure cluster', () => {
  let ramp = createFullRamp('adaptive');
  for (let n = 0; n < 95; n++) ramp = updateReplayRamp(ramp, true);
  expect(ramp.window).toBe(24);
  ramp = updateReplayRamp(ramp, true);
  expect(ramp.window).toBe(48);
  for (let n = 0; n < 192; n++) ramp = updateReplayRamp(ramp, true);
  expect(ramp.window).toBe(96);
  ramp = updateReplayRamp(ramp, false);
  expect(ramp.window).toBe(96);
  ramp = updateReplayRamp(updateReplayRamp(ramp, true), false);
  expect(ramp.window).toBe(24);
  for (let n = 0; n < 100_000; n++) ramp = updateReplayRamp(ramp, true);
  expect(ramp.window).toBe(1000);
});

test('fast mode allows 1000 at once after the same first steps', () => {
  expect(countSendableWebhooks(createReplayRamp('fast'), 0)).toBe(1);
  expect(countSendableWebhooks(createFullRamp('fast'), 0)).toBe(1000);
  expect(countSendableWebhooks(createFullRamp('fast'), 600)).toBe(0);
});

test('the breaker opens at five failures in a row, and within 20 outcomes when half fail', () => {
  let breaker = INITIAL_CIRCUIT_BREAKER;
  for (let n = 0; n < 4; n++) breaker = updateCircuitBreaker(breaker, false);
  expect(breaker.state).toBe('closed');
  expect(updateCircuitBreaker(breaker, false).state).toBe('open');
  expect(updateCircuitBreaker(updateCircuitBreaker(breaker, true), false).state).toBe('closed');

  let half = INITIAL_CIRCUIT_BREAKER;
  let outcomes = 0;
  while (half.state === 'closed' && outcomes < 100) half = updateCircuitBreaker(half, outcomes++ % 2 === 0);
  expect(outcomes).toBeLessThanOrEqual(20);

  let tenth = INITIAL_CIRCUIT_BREAKER;
  for (let n = 0; n < 1000; n++) tenth = updateCircuitBreaker(tenth, n % 10 !== 0);
  expect(tenth.state).toBe('closed');
});

test('an open breaker probes after 1, 5 and 15 minutes, and closes when a probe is accepted', () => {
  let breaker = INITIAL_CIRCUIT_BREAKER;
  for (let n = 0; n < 5; n++) breaker = updateCircuitBreaker(breaker, false);
  const delays = [];
  while (getNextProbeDelay(breaker) !== null) {
    delays.push(getNextProbeDelay(breaker));
    breaker = updateCircuitBreaker(breaker, false);
  }
  expect(delays).toEqual([60_000, 300_000, 900_000]);
  expect(updateCircuitBreaker(breaker, true)).toEqual(INITIAL_CIRCUIT_BREAKER);
});

test('the log is polled soon, then with growing delays up to a minute', () => {
  const delays = [getFirstOutcomePollDelay(null)];
  for (let n = 0; n < 8; n++) delays.push(getNextOutcomePollDelay(delays.at(-1) ?? 0, false));
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(getNextOutcomePollDelay(8000, true)).toBe(4000);
  expect(getFirstOutcomePollDelay(20_000)).toBe(20_000);
  expect([getOutcomeTimeout(null), getOutcomeTimeout(600_000)]).toEqual([900_000, 2_400_000]);
  const throughput = new ReplayThroughput(0);
  expect(throughput.usualOutcomeMs()).toBeNull();
  for (const tookMs of [5, 1, 9]) throughput.recordResolved(0, tookMs);
  expect(throughput.usualOutcomeMs()).toBe(5);
});

test('webhooks that the service still retries are not replayed; those it gave up are', () => {
  const now = 1_000_000_000;
  const lag = 600_000;
  const webhook = {
    delivery: 1,
    created_at: now - 3_600_000,
    last_sent_ms: now - 60_000,
    last_error: '500 Oops',
  };
  expect(isServiceRetryExpected(webhook, now, lag)).toBe(true);
  expect(isServiceRetryExpected({ ...webhook, last_error: '500 Oops (retry 5 of 5)' }, now, lag)).toBe(false);
  expect(isServiceRetryExpected({ ...webhook, last_error: '500 Oops (retry 4 of 5)' }, now, lag)).toBe(true);
  expect(isServiceRetryExpected({ ...webhook, last_sent_ms: now - lag }, now, lag)).toBe(false);
  expect(
    isServiceRetryExpected(
      { ...webhook, delivery: 2, last_error: null, last_sent_ms: 0, created_at: now - 1 },
      now,
      lag,
    ),
  ).toBe(true);
  expect(isServiceRetryExpected({ ...webhook, delivery: 0 }, now, lag)).toBe(false);
});

test('describes a selection', () => {
  expect(describeReplaySelection({ ids: [3, 4, 4] }, false)).toBe('2 selected webhooks');
  expect(describeReplaySelection({ ids: [3] }, true)).toBe('1 selected webhook, including accepted ones');
  const filter = {
    status: 'failed',
    event: ['payment_success'],
    since: '2026-10-01',
    until: '2026-10-31',
  } as const;
  expect(describeReplaySelection({ filter: { ...filter, event: ['payment_success'] } }, false)).toBe(
    'failed webhooks of payment_success, 2026-10-01 to 2026-10-31',
  );
  const [from, to] = ['2026-10-01T06:37:29-04:00', '2026-10-01T13:53:22Z'];
  expect(describeReplaySelection({ filter: { status: 'failed', from, to } }, false)).toBe(
    'failed webhooks, created 2026-10-01 10:37 to 13:53 UTC',
  );
  expect(describeReplaySelection({ filter: { from } }, false)).toBe(
    'all webhooks, created from 2026-10-01 10:37 UTC',
  );
  expect(describeReplaySelection({ filter: { search: ' late ', since: '2026-10-01' } }, false)).toBe(
    'all webhooks, from 2026-10-01, matching “late”',
  );
});

test('a webhook that was not polled stays unresolved, however long it is in flight', () => {
  const before: DeliveryFields = {
    successful: false,
    accepted_at: null,
    last_sent_at: '2026-10-01T10:00:00Z',
    last_error_at: null,
    last_error: null,
  };
  const item = { webhook_id: 7, before } as unknown as StoredReplayItem;
  const unresolved = [{ item, posted_at: 0, isUncertain: false }];
  const decide = (states: ReadonlyMap<number, DeliveryFields>, isComplete: boolean) => {
    const poll = { states, isComplete, now: 10 * 3_600_000, usual: null, delayScale: 1 };
    return decideOnUnresolvedWebhooks(unresolved, poll).resolutions;
  };
  expect(decide(new Map(), false)).toEqual([]);
  expect(decide(new Map(), true)).toMatchObject([{ outcome: 'unresolved' }]);
  expect(decide(new Map([[7, before]]), false)).toMatchObject([{ outcome: 'unresolved' }]);
});
