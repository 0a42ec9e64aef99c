import { expect, test } from 'vitest';
import { createProgressRate } from '../../../src/backend/jobs/progress-rate.ts';

/** What a job says of how long it will still take, beside how long it then took. */

interface Said {
  /** s since the beginning. */
  at: number;
  /** s */
  said: number | null;
  /** s */
  true: number;
}

const TOTAL = 20_000;
/** The job looks at its pace twice a second. */
const TICK_MS = 500;

/** Lives through a job whose pages of so many rows come at these moments, ms, each the pause since the one before it. */
function lived(rowsPerPage: number, pauses: (done: number) => number): Said[] {
  const pace = createProgressRate();
  const said: Omit<Said, 'true'>[] = [];
  let done = 0;
  let next = pauses(0);
  let now = 0;
  for (; done < TOTAL; now += TICK_MS) {
    for (; next <= now && done < TOTAL; next += pauses(done)) done = Math.min(TOTAL, done + rowsPerPage);
    const progress = [{ part: 'webhooks', done, total: TOTAL, failed: 0, current: null }];
    pace.record(now, progress);
    const remaining = pace.remainingMs(progress);
    said.push({ at: now / 1000, said: remaining === null ? null : remaining / 1000 });
  }
  const end = now / 1000;
  return said.map((each) => ({ ...each, true: end - each.at }));
}

/** By how much too long or too short the estimates were, as a share, a second left aside; from a moment on. */
const errors = (said: readonly Said[], from: number, to = Number.POSITIVE_INFINITY) =>
  said
    .filter(({ at }) => at >= from && at < to)
    .map((each) => Math.max(0, Math.abs((each.said ?? 0) - each.true) - 1) / each.true);

test('at a steady rate it is right within a tenth from the third second on', () => {
  const said = lived(200, () => 250);
  expect(Math.max(...errors(said, 3))).toBeLessThan(0.1);
  expect(said.filter(({ at, said }) => at >= 3 && said === null)).toEqual([]);
});

test('pages that come seldom, or several together and then none for a while, do not shake it', () => {
  expect(
    Math.max(
      ...errors(
        lived(800, () => 2000),
        5,
      ),
    ),
  ).toBeLessThan(0.1);
  expect(
    Math.max(
      ...errors(
        lived(200, () => 10_000),
        20,
      ),
    ),
  ).toBeLessThan(0.1);
  let page = 0;
  const uneven = lived(200, () => (page++ % 4 === 0 ? 2500 : 100));
  expect(Math.max(...errors(uneven, 10).slice(0, -10))).toBeLessThan(0.25);
});

test('at a rate that changes it is right again within a quarter of a minute', () => {
  const slower = lived(200, (done) => (done < 10_000 ? 250 : 1000));
  const turn = 12.5;
  expect(Math.max(...errors(slower, 3, turn))).toBeGreaterThan(0.4);
  expect(Math.max(...errors(slower, turn + 16))).toBeLessThan(0.1);
  const faster = lived(200, (done) => (done < 10_000 ? 1000 : 250));
  expect(Math.max(...errors(faster, 50 + 11))).toBeLessThan(0.25);
});

test('a service that stops answering is given no end', () => {
  const pace = createProgressRate();
  const at = (done: number) => [{ part: 'webhooks', done, total: TOTAL, failed: 0, current: null }];
  for (let s = 0; s <= 20; s++) pace.record(s * 1000, at(s * 100));
  expect(pace.rate()).toBeCloseTo(100);
  const first = pace.remainingMs(at(2000)) ?? 0;
  for (let s = 21; s <= 30; s++) pace.record(s * 1000, at(2000));
  expect(pace.remainingMs(at(2000))).toBeGreaterThan(first * 1.3);
  for (let s = 31; s <= 40; s++) pace.record(s * 1000, at(2000));
  expect([pace.rate(), pace.remainingMs(at(2000))]).toEqual([null, null]);
});

test('a part that is through says nothing of how fast the next one goes', () => {
  const pace = createProgressRate();
  const parts = (first: number, second: number | null) => [
    { part: 'webhooks', done: first, total: 1000, failed: 0, current: null },
    ...(second === null ? [] : [{ part: 'statements', done: second, total: 400, failed: 0, current: null }]),
  ];
  for (let s = 0; s <= 10; s++) pace.record(s * 1000, parts(s * 100, null));
  expect(pace.rate()).toBeCloseTo(100);
  pace.record(10_500, parts(1000, 0));
  expect(pace.rate()).toBe(null);
  for (let s = 11; s <= 15; s++) pace.record(s * 1000 + 500, parts(1000, (s - 10) * 20));
  expect(pace.rate()).toBeCloseTo(20);
  expect(pace.remainingMs(parts(1000, 100))).toBeCloseTo(15_000, -2);
});
