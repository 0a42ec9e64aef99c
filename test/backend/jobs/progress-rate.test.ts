import { expect, test } from 'vitest';
import { ProgressRate } from '../../../src/backend/jobs/progress-rate.ts';

/** Estimated and actual remaining time of a job. Times are seconds since its start. */
interface Estimate {
  at: number;
  estimated: number | null;
  actual: number;
}

const TOTAL = 20_000;
/** Interval at which the progress is recorded. */
const TICK_MS = 500;

/** Simulates a job that reads pages. `pauses` returns the milliseconds until the next page. */
function simulateJob(rowsPerPage: number, pauses: (done: number) => number): Estimate[] {
  const progressRate = new ProgressRate();
  const estimates: Omit<Estimate, 'actual'>[] = [];
  let done = 0;
  let next = pauses(0);
  let now = 0;
  for (; done < TOTAL; now += TICK_MS) {
    for (; next <= now && done < TOTAL; next += pauses(done)) done = Math.min(TOTAL, done + rowsPerPage);
    const progress = [{ part: 'webhooks', done, total: TOTAL, failed: 0, current: null }];
    progressRate.record(now, progress);
    const remaining = progressRate.remainingMs(progress);
    estimates.push({ at: now / 1000, estimated: remaining === null ? null : remaining / 1000 });
  }
  const end = now / 1000;
  return estimates.map((each) => ({ ...each, actual: end - each.at }));
}

/** Returns the relative errors of the estimates in a time range (seconds). A difference of one second is ignored. */
const errors = (estimates: readonly Estimate[], from: number, to = Number.POSITIVE_INFINITY) =>
  estimates
    .filter(({ at }) => at >= from && at < to)
    .map(({ estimated, actual }) => Math.max(0, Math.abs((estimated ?? 0) - actual) - 1) / actual);

test('at a steady rate, the error is below 10% from the third second on', () => {
  const estimates = simulateJob(200, () => 250);
  expect(Math.max(...errors(estimates, 3))).toBeLessThan(0.1);
  expect(estimates.filter(({ at, estimated }) => at >= 3 && estimated === null)).toEqual([]);
});

test('infrequent or irregular pages hardly affect the estimate', () => {
  expect(
    Math.max(
      ...errors(
        simulateJob(800, () => 2000),
        5,
      ),
    ),
  ).toBeLessThan(0.1);
  expect(
    Math.max(
      ...errors(
        simulateJob(200, () => 10_000),
        20,
      ),
    ),
  ).toBeLessThan(0.1);
  let page = 0;
  const uneven = simulateJob(200, () => (page++ % 4 === 0 ? 2500 : 100));
  expect(Math.max(...errors(uneven, 10).slice(0, -10))).toBeLessThan(0.25);
});

test('after a change of the rate, the estimate is accurate again within 16 seconds', () => {
  const slower = simulateJob(200, (done) => (done < 10_000 ? 250 : 1000));
  const change = 12.5;
  expect(Math.max(...errors(slower, 3, change))).toBeGreaterThan(0.4);
  expect(Math.max(...errors(slower, change + 16))).toBeLessThan(0.1);
  const faster = simulateJob(200, (done) => (done < 10_000 ? 1000 : 250));
  expect(Math.max(...errors(faster, 50 + 11))).toBeLessThan(0.25);
});

test('there is no estimate after the service has stopped answering', () => {
  const progressRate = new ProgressRate();
  const at = (done: number) => [{ part: 'webhooks', done, total: TOTAL, failed: 0, current: null }];
  for (let s = 0; s <= 20; s++) progressRate.record(s * 1000, at(s * 100));
  expect(progressRate.rate()).toBeCloseTo(100);
  const first = progressRate.remainingMs(at(2000)) ?? 0;
  for (let s = 21; s <= 30; s++) progressRate.record(s * 1000, at(2000));
  expect(progressRate.remainingMs(at(2000))).toBeGreaterThan(first * 1.3);
  for (let s = 31; s <= 40; s++) progressRate.record(s * 1000, at(2000));
  expect([progressRate.rate(), progressRate.remainingMs(at(2000))]).toEqual([null, null]);
});

test('the speed of a finished part is not used for the next one', () => {
  const progressRate = new ProgressRate();
  const parts = (first: number, second: number | null) => [
    { part: 'webhooks', done: first, total: 1000, failed: 0, current: null },
    ...(second === null ? [] : [{ part: 'statements', done: second, total: 400, failed: 0, current: null }]),
  ];
  for (let s = 0; s <= 10; s++) progressRate.record(s * 1000, parts(s * 100, null));
  expect(progressRate.rate()).toBeCloseTo(100);
  progressRate.record(10_500, parts(1000, 0));
  expect(progressRate.rate()).toBe(null);
  for (let s = 11; s <= 15; s++) progressRate.record(s * 1000 + 500, parts(1000, (s - 10) * 20));
  expect(progressRate.rate()).toBeCloseTo(20);
  expect(progressRate.remainingMs(parts(1000, 100))).toBeCloseTo(15_000, -2);
});
