import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BackupReason } from '../../../src/contract/index.ts';
import { type DatedBackup, selectRetainedBackups } from '../../../src/domain/backups/retention.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.UTC(2026, 10, 21, 15, 30);
const createBackup = (at: number, reason: BackupReason = 'start'): DatedBackup => ({ at, reason });

const backups = fc.array(
  fc.record({
    at: fc.integer({ min: now - 1500 * DAY, max: now }),
    reason: fc.constantFrom<BackupReason>('start', 'start', 'start', 'update', 'restore', 'manual'),
  }),
  { maxLength: 80 },
);

describe('retained backups', () => {
  it('are the newest five, whatever their age', () => {
    const close = Array.from({ length: 9 }, (_, at) => createBackup(now - 900 * DAY + at * 1000));
    expect([...selectRetainedBackups(close, now)].map(({ at }) => at).sort()).toEqual(
      close.slice(4).map(({ at }) => at),
    );
  });

  it('are one per hour of a day, per day of two weeks, per week of eight weeks and per month of two years', () => {
    const often = Array.from({ length: 3 * 365 * 48 }, (_, at) => createBackup(now - at * (HOUR / 2)));
    const kept = [...selectRetainedBackups(often, now)].sort((one, other) => other.at - one.at);
    const between = (from: number, to: number) =>
      kept.filter(({ at }) => now - at > from && now - at <= to).length;
    expect(between(-1, DAY)).toBe(27);
    expect(between(DAY, 14 * DAY)).toBe(13);
    expect(between(14 * DAY, 56 * DAY)).toBeLessThanOrEqual(8);
    expect(between(56 * DAY, 731 * DAY)).toBeLessThanOrEqual(24);
    expect(between(731 * DAY, Number.POSITIVE_INFINITY)).toBe(0);
  });

  it('are all backups of thirty days made on request or before an update', () => {
    const called = Array.from({ length: 20 }, (_, at) => createBackup(now - 20 * DAY - at, 'manual'));
    expect(selectRetainedBackups(called, now).size).toBe(20);
    expect(selectRetainedBackups(called, now + 11 * DAY).size).toBeLessThan(20);
  });

  it('always include the newest, and pruning twice deletes no more backups', () => {
    fc.assert(
      fc.property(backups, (all) => {
        const kept = selectRetainedBackups(all, now);
        expect(all.filter((each) => kept.has(each)).length).toBe(kept.size);
        const newest = Math.max(...all.map(({ at }) => at));
        expect(all.length === 0 || [...kept].some(({ at }) => at === newest)).toBe(true);
        expect(selectRetainedBackups([...kept], now)).toEqual(kept);
      }),
    );
  });

  it('are the same whether they are pruned daily or once at the end', () => {
    fc.assert(
      fc.property(backups, (all) => {
        const days = [...all].sort((one, other) => one.at - other.at);
        let stored: DatedBackup[] = [];
        for (const each of days) {
          stored.push(each);
          stored = [...selectRetainedBackups(stored, each.at)];
        }
        const daily = selectRetainedBackups(stored, now);
        const stretchesOnly = [...selectRetainedBackups(all, now)].filter(
          ({ at }) => all.filter((other) => other.at > at).length >= 5,
        );
        for (const each of stretchesOnly) expect(daily.has(each)).toBe(true);
      }),
    );
  });
});

describe('backups of different histories', () => {
  it('never delete each other', () => {
    const histories = ['long', 'short', null];
    fc.assert(
      fc.property(fc.array(fc.tuple(backups, fc.constantFrom(...histories))), (groups) => {
        const all = groups.flatMap(([group, history]) => group.map((backup) => ({ ...backup, history })));
        const retained = selectRetainedBackups(all, now, ({ history }) => history);
        for (const history of histories) {
          const own = all.filter((backup) => backup.history === history);
          expect(own.filter((backup) => retained.has(backup))).toEqual(
            own.filter((backup) => selectRetainedBackups(own, now).has(backup)),
          );
        }
      }),
    );
  });
});
