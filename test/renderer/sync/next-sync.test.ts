import { expect, test } from 'vitest';
import type { ContractOutputs, ErrorValue } from '../../../src/contract/index.ts';
import { findNextSyncTrigger } from '../../../src/renderer/sync/next-sync.ts';
import { summarizeSyncStatus } from '../../../src/renderer/sync/sync-summary.ts';
import { syncTexts } from '../../../src/renderer/texts/sync.ts';

type Status = ContractOutputs['sync']['status'];
type Last = NonNullable<Status['last']>;

const error = (code: ErrorValue['code'], retryable = true): ErrorValue => ({
  code,
  message: 'A reason.',
  retryable,
});
const offlineError = error('network');
const AT = '2026-11-01T12:00:00.000Z';
const AT_MS = Date.parse(AT);
const MINUTE = 60_000;
const lastDone: Last = { at: AT, ok: true, error: null, state: 'done', complete: true };
const lastFailed = (reason: ErrorValue): Last => ({
  ...lastDone,
  ok: false,
  error: reason,
  state: 'failed',
  complete: false,
});
const noFailures = { startedAt: 0, failures: 0 };

test('no sync starts automatically if automatic syncs are turned off', () => {
  for (const last of [lastDone, lastFailed(offlineError), lastFailed(error('service')), null]) {
    expect(findNextSyncTrigger('never', { last, running: null }, null, noFailures)).toEqual({ by: 'person' });
  }
});

test('no sync starts while another process runs scheduled syncs or other jobs', () => {
  const scheduled = { pid: 7, every_minutes: 15, next_at: AT };
  for (const setting of ['never', 'back', 'often'] as const) {
    expect(
      findNextSyncTrigger(setting, { last: lastDone, running: null, scheduled }, null, noFailures),
    ).toEqual({
      by: 'schedule',
    });
    expect(
      findNextSyncTrigger(setting, { last: lastDone, running: 'j', scheduled }, null, noFailures),
    ).toEqual({
      by: 'person',
    });
  }
  const other_process = { pid: 7, activity: 'a replay', started_at: AT };
  expect(
    findNextSyncTrigger('often', { last: lastDone, running: null, other_process }, null, noFailures),
  ).toEqual({
    by: 'others',
  });
  expect(
    findNextSyncTrigger('back', { last: lastDone, running: null, other_process }, null, noFailures),
  ).toEqual({
    by: 'person',
  });
  const offlineStatus = { last: lastFailed(offlineError), running: null, other_process };
  expect(findNextSyncTrigger('back', offlineStatus, null, noFailures)).toEqual({ by: 'others' });
  expect(findNextSyncTrigger('back', offlineStatus, offlineError, noFailures)).toEqual({ by: 'answer' });
});

test('an offline service is synced as soon as it responds, with growing delays after failures', () => {
  for (const setting of ['back', 'often'] as const) {
    const offlineStatus = { last: lastFailed(offlineError), running: null };
    expect(findNextSyncTrigger(setting, offlineStatus, offlineError, noFailures)).toEqual({ by: 'answer' });
    expect(findNextSyncTrigger(setting, offlineStatus, null, noFailures)).toEqual({ by: 'clock', at: AT_MS });
    expect(findNextSyncTrigger(setting, offlineStatus, null, { startedAt: AT_MS, failures: 1 })).toEqual({
      by: 'clock',
      at: AT_MS + MINUTE,
    });
    expect(findNextSyncTrigger(setting, offlineStatus, null, { startedAt: AT_MS, failures: 12 })).toEqual({
      by: 'clock',
      at: AT_MS + 60 * MINUTE,
    });
  }
});

test('no sync starts automatically after an error that only a person can resolve', () => {
  for (const reason of [error('auth', false), error('disk_full', false)]) {
    expect(
      findNextSyncTrigger('often', { last: lastFailed(reason), running: null }, null, noFailures),
    ).toEqual({
      by: 'person',
    });
    expect(findNextSyncTrigger('often', { last: lastDone, running: null }, reason, noFailures)).toEqual({
      by: 'person',
    });
  }
  expect(findNextSyncTrigger('often', { last: null, running: null }, null, noFailures)).toEqual({
    by: 'person',
  });
  expect(findNextSyncTrigger('often', { last: lastDone, running: 'j-1' }, null, noFailures)).toEqual({
    by: 'person',
  });
});

test('regular syncs run every 15 minutes, with longer delays after failures', () => {
  expect(findNextSyncTrigger('often', { last: lastDone, running: null }, null, noFailures)).toEqual({
    by: 'clock',
    at: AT_MS + 15 * MINUTE,
  });
  expect(findNextSyncTrigger('back', { last: lastDone, running: null }, null, noFailures)).toEqual({
    by: 'person',
  });
  const busy = { last: lastFailed(error('service')), running: null };
  expect(findNextSyncTrigger('often', busy, null, { startedAt: AT_MS, failures: 1 })).toEqual({
    by: 'clock',
    at: AT_MS + 30 * MINUTE,
  });
  expect(findNextSyncTrigger('often', busy, null, { startedAt: AT_MS, failures: 5 })).toEqual({
    by: 'clock',
    at: AT_MS + 60 * MINUTE,
  });
});

test('a retry delay required by the service is respected', () => {
  const last = lastFailed({ ...error('rate_limited'), retry_after_ms: 90 * MINUTE });
  for (const failures of [0, 1, 12]) {
    const next = findNextSyncTrigger('often', { last, running: null }, null, { startedAt: AT_MS, failures });
    expect(next).toEqual({ by: 'clock', at: AT_MS + 90 * MINUTE });
  }
});

test('the sync summary states that the data is complete, or why it is not', () => {
  const { summary, next } = syncTexts;
  const part = { part: 'statements' as const, stored: 5, expected: 6, synced_at: AT, newest_at: AT };
  const status = (complete: boolean, last: Last | null, problems = 0): Status => ({
    ...{ site: 'acme', complete, synced_at: AT, last, running: null },
    parts: [{ ...part, complete, problems }],
  });
  const cases: [Status, ReturnType<typeof summarizeSyncStatus>][] = [
    [status(false, null), { tone: 'calm', title: summary.never, nextStep: next.first }],
    [status(true, lastDone), { tone: 'good', title: summary.complete, nextStep: next.complete }],
    [
      status(true, lastFailed(offlineError)),
      { tone: 'calm', title: summary.offline, nextStep: next.complete },
    ],
    [
      status(true, lastFailed(error('service'))),
      { tone: 'warn', title: summary.failedComplete, nextStep: next.complete },
    ],
    [
      status(false, lastFailed(offlineError)),
      { tone: 'warn', title: summary.offlineIncomplete, nextStep: next.resumes },
    ],
    [
      status(false, { ...lastDone, complete: false }, 1),
      { tone: 'warn', title: summary.unread, nextStep: next.unread },
    ],
    [status(false, lastDone), { tone: 'warn', title: summary.incomplete, nextStep: next.resumes }],
    [
      status(false, { ...lastDone, ok: false, state: 'canceled' }),
      { tone: 'warn', title: summary.canceled, nextStep: next.resumes },
    ],
  ];
  for (const [given, expected] of cases) expect(summarizeSyncStatus(given)).toEqual(expected);

  // Data counts as complete despite unreadable records, a missing PDF or excluded webhooks.
  expect(summarizeSyncStatus(status(true, lastDone, 1))).toEqual({
    tone: 'warn',
    title: summary.read,
    nextStep: next.complete,
  });
  const pdfs = { ...part, part: 'pdf' as const, complete: false, problems: 2 };
  expect(summarizeSyncStatus({ ...status(true, lastDone), parts: [pdfs] })).toEqual({
    ...{ tone: 'warn', title: summary.pdfs, nextStep: next.pdfs },
  });
  const later = { ...part, part: 'webhooks' as const, complete: true, problems: 0, since: '2026-10-15' };
  expect(summarizeSyncStatus({ ...status(true, lastDone), parts: [later] })).toEqual({
    ...{ tone: 'good', title: summary.since('Oct 15, 2026'), nextStep: next.since },
  });

  // Remedies and retry times take precedence.
  expect(summarizeSyncStatus(status(false, lastFailed(error('auth', false))))).toMatchObject({
    nextStep: next.key,
  });
  expect(summarizeSyncStatus(status(true, lastFailed(error('auth', false))))).toMatchObject({
    nextStep: next.key,
  });
  const busy = summarizeSyncStatus(
    status(false, lastFailed({ ...error('rate_limited'), retry_after_ms: 3_600_000 })),
  );
  expect(busy.nextStep).toMatch(/^The service accepts no requests before Nov 1, 2026, \d\d:00\. /);
  // The summary mentions a part that recent syncs did not include.
  const old = {
    ...part,
    part: 'webhooks' as const,
    complete: true,
    problems: 0,
    synced_at: '2026-10-29T12:00:00Z',
  };
  const fresh = { ...part, complete: true, problems: 0 };
  expect(summarizeSyncStatus({ ...status(true, lastDone), parts: [old, fresh] })).toEqual({
    ...{ tone: 'calm', title: summary.lagging, nextStep: next.lagging },
  });
});
