import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BackupReason } from '../../../src/contract/index.ts';
import { type DatedCopy, keptCopies } from '../../../src/domain/backups/index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.UTC(2026, 10, 21, 15, 30);
const copy = (at: number, why: BackupReason = 'start'): DatedCopy => ({ at, why });

const copies = fc.array(
  fc.record({
    at: fc.integer({ min: now - 1500 * DAY, max: now }),
    why: fc.constantFrom<BackupReason>('start', 'start', 'start', 'update', 'restore', 'asked'),
  }),
  { maxLength: 80 },
);

describe('copies that are kept', () => {
  it('are the newest five, however old or close together', () => {
    const close = Array.from({ length: 9 }, (_, at) => copy(now - 900 * DAY + at * 1000));
    expect([...keptCopies(close, now)].map(({ at }) => at).sort()).toEqual(
      close.slice(4).map(({ at }) => at),
    );
  });

  it('are one of each hour of the last day, of each day of two weeks, of each week of eight, of each month of two years', () => {
    const often = Array.from({ length: 3 * 365 * 48 }, (_, at) => copy(now - at * (HOUR / 2)));
    const kept = [...keptCopies(often, now)].sort((one, other) => other.at - one.at);
    const between = (from: number, to: number) =>
      kept.filter(({ at }) => now - at > from && now - at <= to).length;
    expect(between(-1, DAY)).toBe(27);
    expect(between(DAY, 14 * DAY)).toBe(13);
    expect(between(14 * DAY, 56 * DAY)).toBeLessThanOrEqual(8);
    expect(between(56 * DAY, 731 * DAY)).toBeLessThanOrEqual(24);
    expect(between(731 * DAY, Number.POSITIVE_INFINITY)).toBe(0);
  });

  it('are, of what somebody or an update called for, all of thirty days', () => {
    const called = Array.from({ length: 20 }, (_, at) => copy(now - 20 * DAY - at, 'asked'));
    expect(keptCopies(called, now).size).toBe(20);
    expect(keptCopies(called, now + 11 * DAY).size).toBeLessThan(20);
  });

  it('always have the newest, and are none but those there are; letting go twice lets go of no more', () => {
    fc.assert(
      fc.property(copies, (all) => {
        const kept = keptCopies(all, now);
        expect(all.filter((each) => kept.has(each)).length).toBe(kept.size);
        const newest = Math.max(...all.map(({ at }) => at));
        expect(all.length === 0 || [...kept].some(({ at }) => at === newest)).toBe(true);
        expect(keptCopies([...kept], now)).toEqual(kept);
      }),
    );
  });

  it('are the same whether they are let go every day or once in the end', () => {
    fc.assert(
      fc.property(copies, (all) => {
        const days = [...all].sort((one, other) => one.at - other.at);
        let held: DatedCopy[] = [];
        for (const each of days) {
          held.push(each);
          held = [...keptCopies(held, each.at)];
        }
        const daily = keptCopies(held, now);
        const stretchesOnly = [...keptCopies(all, now)].filter(
          ({ at }) => all.filter((other) => other.at > at).length >= 5,
        );
        for (const each of stretchesOnly) expect(daily.has(each)).toBe(true);
      }),
    );
  });
});
