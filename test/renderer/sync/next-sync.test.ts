import { expect, test } from 'vitest';
import type { ErrorValue, Outputs } from '../../../src/contract/index.ts';
import { findNextSyncTrigger } from '../../../src/renderer/sync/next-sync.ts';
import { summarizeSync } from '../../../src/renderer/sync/sync-summary.ts';
import { syncTexts } from '../../../src/renderer/texts/sync.ts';

type Status = Outputs['sync']['status'];
type Last = NonNullable<Status['last']>;

const error = (code: ErrorValue['code'], retryable = true): ErrorValue => ({
  code,
  message: 'So it is.',
  retryable,
});
const offline = error('network');
const AT = '2026-11-01T12:00:00.000Z';
const at = Date.parse(AT);
const MINUTE = 60_000;
const done: Last = { at: AT, ok: true, error: null, state: 'done', complete: true };
const failed = (reason: ErrorValue): Last => ({
  ...done,
  ok: false,
  error: reason,
  state: 'failed',
  complete: false,
});
const none = { startedAt: 0, failures: 0 };

test('nothing begins by itself unless that is wanted', () => {
  for (const last of [done, failed(offline), failed(error('service')), null]) {
    expect(findNextSyncTrigger('never', { last, running: null }, null, none)).toEqual({ by: 'person' });
  }
});

test('what another process has on a schedule is left to it, and its other work is waited for', () => {
  const scheduled = { pid: 7, every_minutes: 15, next_at: AT };
  for (const wish of ['never', 'back', 'often'] as const) {
    expect(findNextSyncTrigger(wish, { last: done, running: null, scheduled }, null, none)).toEqual({
      by: 'schedule',
    });
    expect(findNextSyncTrigger(wish, { last: done, running: 'j', scheduled }, null, none)).toEqual({
      by: 'person',
    });
  }
  const other_process = { pid: 7, activity: 'a replay', started_at: AT };
  expect(findNextSyncTrigger('often', { last: done, running: null, other_process }, null, none)).toEqual({
    by: 'others',
  });
  expect(findNextSyncTrigger('back', { last: done, running: null, other_process }, null, none)).toEqual({
    by: 'person',
  });
  const away = { last: failed(offline), running: null, other_process };
  expect(findNextSyncTrigger('back', away, null, none)).toEqual({ by: 'others' });
  expect(findNextSyncTrigger('back', away, offline, none)).toEqual({ by: 'answer' });
});

test('a service that was away is asked as soon as it answers, and ever more seldom where it only seems to', () => {
  for (const wish of ['back', 'often'] as const) {
    const away = { last: failed(offline), running: null };
    expect(findNextSyncTrigger(wish, away, offline, none)).toEqual({ by: 'answer' });
    expect(findNextSyncTrigger(wish, away, null, none)).toEqual({ by: 'clock', at });
    expect(findNextSyncTrigger(wish, away, null, { startedAt: at, failures: 1 })).toEqual({
      by: 'clock',
      at: at + MINUTE,
    });
    expect(findNextSyncTrigger(wish, away, null, { startedAt: at, failures: 12 })).toEqual({
      by: 'clock',
      at: at + 60 * MINUTE,
    });
  }
});

test('what only a person can mend waits for one', () => {
  for (const reason of [error('auth', false), error('disk_full', false)]) {
    expect(findNextSyncTrigger('often', { last: failed(reason), running: null }, null, none)).toEqual({
      by: 'person',
    });
    expect(findNextSyncTrigger('often', { last: done, running: null }, reason, none)).toEqual({
      by: 'person',
    });
  }
  expect(findNextSyncTrigger('often', { last: null, running: null }, null, none)).toEqual({ by: 'person' });
  expect(findNextSyncTrigger('often', { last: done, running: 'j-1' }, null, none)).toEqual({ by: 'person' });
});

test('regularly: every quarter of an hour, with a longer pause after each failure', () => {
  expect(findNextSyncTrigger('often', { last: done, running: null }, null, none)).toEqual({
    by: 'clock',
    at: at + 15 * MINUTE,
  });
  expect(findNextSyncTrigger('back', { last: done, running: null }, null, none)).toEqual({ by: 'person' });
  const busy = { last: failed(error('service')), running: null };
  expect(findNextSyncTrigger('often', busy, null, { startedAt: at, failures: 1 })).toEqual({
    by: 'clock',
    at: at + 30 * MINUTE,
  });
  expect(findNextSyncTrigger('often', busy, null, { startedAt: at, failures: 5 })).toEqual({
    by: 'clock',
    at: at + 60 * MINUTE,
  });
});

test('a service that asks for a longer pause is not asked before its end', () => {
  const last = failed({ ...error('rate_limited'), retry_after_ms: 90 * MINUTE });
  for (const failures of [0, 1, 12]) {
    const next = findNextSyncTrigger('often', { last, running: null }, null, { startedAt: at, failures });
    expect(next).toEqual({ by: 'clock', at: at + 90 * MINUTE });
  }
});

test('the summary says whether it is the whole, and why not', () => {
  const { summary, next } = syncTexts;
  const part = { part: 'statements' as const, stored: 5, expected: 6, synced_at: AT, newest_at: AT };
  const status = (complete: boolean, last: Last | null, problems = 0): Status => ({
    ...{ site: 'acme', complete, last, running: null },
    parts: [{ ...part, complete, problems }],
  });
  const told: [Status, ReturnType<typeof summarizeSync>][] = [
    [status(false, null), { tone: 'calm', title: summary.never, nextStep: next.first }],
    [status(true, done), { tone: 'good', title: summary.complete, nextStep: next.complete }],
    [status(true, failed(offline)), { tone: 'calm', title: summary.offline, nextStep: next.complete }],
    [
      status(true, failed(error('service'))),
      { tone: 'warn', title: summary.failedComplete, nextStep: next.complete },
    ],
    [
      status(false, failed(offline)),
      { tone: 'warn', title: summary.offlineIncomplete, nextStep: next.resumes },
    ],
    [
      status(false, { ...done, complete: false }, 1),
      { tone: 'warn', title: summary.unread, nextStep: next.unread },
    ],
    [status(false, done), { tone: 'warn', title: summary.incomplete, nextStep: next.resumes }],
    [
      status(false, { ...done, ok: false, state: 'canceled' }),
      { tone: 'warn', title: summary.canceled, nextStep: next.resumes },
    ],
  ];
  for (const [given, expected] of told) expect(summarizeSync(given)).toEqual(expected);

  // All of it is held: but not all could be read, a PDF is lacking, or older webhooks were left out by choice.
  expect(summarizeSync(status(true, done, 1))).toEqual({
    tone: 'warn',
    now: summary.read,
    next: next.complete,
  });
  const pdfs = { ...part, part: 'pdf' as const, complete: false, problems: 2 };
  expect(summarizeSync({ ...status(true, done), parts: [pdfs] })).toEqual({
    ...{ tone: 'warn', now: summary.pdfs, next: next.pdfs },
  });
  const later = { ...part, part: 'webhooks' as const, complete: true, problems: 0, since: '2026-10-15' };
  expect(summarizeSync({ ...status(true, done), parts: [later] })).toEqual({
    ...{ tone: 'good', now: summary.since('Oct 15, 2026'), next: next.since },
  });

  // What a person must do first, and when the service wants to be asked again, comes before anything else.
  expect(summarizeSync(status(false, failed(error('auth', false))))).toMatchObject({ next: next.key });
  expect(summarizeSync(status(true, failed(error('auth', false))))).toMatchObject({ next: next.key });
  const busy = summarizeSync(status(false, failed({ ...error('rate_limited'), retry_after_ms: 3_600_000 })));
  expect(busy.nextStep).toMatch(/^The service asks for no requests before Nov 1, 2026, \d\d:00\. /);
  // A part that the latest syncs left out is not called up to date.
  const old = {
    ...part,
    part: 'webhooks' as const,
    complete: true,
    problems: 0,
    synced_at: '2026-10-29T12:00:00Z',
  };
  const fresh = { ...part, complete: true, problems: 0 };
  expect(summarizeSync({ ...status(true, done), parts: [old, fresh] })).toEqual({
    ...{ tone: 'calm', now: summary.lagging, next: next.lagging },
  });
});
