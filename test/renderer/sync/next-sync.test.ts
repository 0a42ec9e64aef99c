import { expect, test } from 'vitest';
import type { ErrorValue, Outputs } from '../../../src/contract/index.ts';
import { findNextSyncTrigger } from '../../../src/renderer/sync/next-sync.ts';
import { summarizeSyncStatus } from '../../../src/renderer/sync/sync-summary.ts';
import { syncTexts } from '../../../src/renderer/texts/sync.ts';

type Status = Outputs['sync']['status'];
type Last = NonNullable<Status['last']>;

const error = (code: ErrorValue['code'], retryable = true): ErrorValue => ({
  code,
  message: 'A reason.',
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

test('no sync starts automatically if automatic syncs are turned off', () => {
  for (const last of [done, failed(offline), failed(error('service')), null]) {
    expect(findNextSyncTrigger('never', { last, running: null }, null, none)).toEqual({ by: 'person' });
  }
});

test('another process runs its scheduled syncs, and its other work is awaited', () => {
  const scheduled = { pid: 7, every_minutes: 15, next_at: AT };
  for (const setting of ['never', 'back', 'often'] as const) {
    expect(findNextSyncTrigger(setting, { last: done, running: null, scheduled }, null, none)).toEqual({
      by: 'schedule',
    });
    expect(findNextSyncTrigger(setting, { last: done, running: 'j', scheduled }, null, none)).toEqual({
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
  const offlineStatus = { last: failed(offline), running: null, other_process };
  expect(findNextSyncTrigger('back', offlineStatus, null, none)).toEqual({ by: 'others' });
  expect(findNextSyncTrigger('back', offlineStatus, offline, none)).toEqual({ by: 'answer' });
});

test('an offline service is synced as soon as it responds, with growing delays after failures', () => {
  for (const setting of ['back', 'often'] as const) {
    const offlineStatus = { last: failed(offline), running: null };
    expect(findNextSyncTrigger(setting, offlineStatus, offline, none)).toEqual({ by: 'answer' });
    expect(findNextSyncTrigger(setting, offlineStatus, null, none)).toEqual({ by: 'clock', at });
    expect(findNextSyncTrigger(setting, offlineStatus, null, { startedAt: at, failures: 1 })).toEqual({
      by: 'clock',
      at: at + MINUTE,
    });
    expect(findNextSyncTrigger(setting, offlineStatus, null, { startedAt: at, failures: 12 })).toEqual({
      by: 'clock',
      at: at + 60 * MINUTE,
    });
  }
});

test('after errors that only a person can resolve, no sync starts automatically', () => {
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

test('regular syncs run every 15 minutes, with longer delays after failures', () => {
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

test('a retry delay required by the service is respected', () => {
  const last = failed({ ...error('rate_limited'), retry_after_ms: 90 * MINUTE });
  for (const failures of [0, 1, 12]) {
    const next = findNextSyncTrigger('often', { last, running: null }, null, { startedAt: at, failures });
    expect(next).toEqual({ by: 'clock', at: at + 90 * MINUTE });
  }
});

test('the summary says if the data is complete, or why it is not', () => {
  const { summary, next } = syncTexts;
  const part = { part: 'statements' as const, stored: 5, expected: 6, synced_at: AT, newest_at: AT };
  const status = (complete: boolean, last: Last | null, problems = 0): Status => ({
    ...{ site: 'acme', complete, last, running: null },
    parts: [{ ...part, complete, problems }],
  });
  const cases: [Status, ReturnType<typeof summarizeSyncStatus>][] = [
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
  for (const [given, expected] of cases) expect(summarizeSyncStatus(given)).toEqual(expected);

  // Complete, except for unreadable records, a missing PDF, or excluded webhooks.
  expect(summarizeSyncStatus(status(true, done, 1))).toEqual({
    tone: 'warn',
    title: summary.read,
    nextStep: next.complete,
  });
  const pdfs = { ...part, part: 'pdf' as const, complete: false, problems: 2 };
  expect(summarizeSyncStatus({ ...status(true, done), parts: [pdfs] })).toEqual({
    ...{ tone: 'warn', title: summary.pdfs, nextStep: next.pdfs },
  });
  const later = { ...part, part: 'webhooks' as const, complete: true, problems: 0, since: '2026-10-15' };
  expect(summarizeSyncStatus({ ...status(true, done), parts: [later] })).toEqual({
    ...{ tone: 'good', title: summary.since('Oct 15, 2026'), nextStep: next.since },
  });

  // Remedies and retry times take precedence.
  expect(summarizeSyncStatus(status(false, failed(error('auth', false))))).toMatchObject({
    nextStep: next.key,
  });
  expect(summarizeSyncStatus(status(true, failed(error('auth', false))))).toMatchObject({
    nextStep: next.key,
  });
  const busy = summarizeSyncStatus(
    status(false, failed({ ...error('rate_limited'), retry_after_ms: 3_600_000 })),
  );
  expect(busy.nextStep).toMatch(/^The service accepts no requests before Nov 1, 2026, \d\d:00\. /);
  // A part that the latest syncs did not include is mentioned.
  const old = {
    ...part,
    part: 'webhooks' as const,
    complete: true,
    problems: 0,
    synced_at: '2026-10-29T12:00:00Z',
  };
  const fresh = { ...part, complete: true, problems: 0 };
  expect(summarizeSyncStatus({ ...status(true, done), parts: [old, fresh] })).toEqual({
    ...{ tone: 'calm', title: summary.lagging, nextStep: next.lagging },
  });
});
