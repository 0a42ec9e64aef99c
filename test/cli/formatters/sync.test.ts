import { expect, test } from 'vitest';
import {
  formatMissingData,
  formatOtherTieoutProcesses,
  formatStoredDataNotes,
  formatSyncStatus,
} from '../../../src/cli/formatters/sync.ts';
import type { ContractOutputs, ErrorValue, Job } from '../../../src/contract/index.ts';

type Status = ContractOutputs['sync']['status'];

const AT = '2026-11-01T12:00:00.000Z';
const DAY = 86_400_000;
const done: NonNullable<Status['last']> = { at: AT, ok: true, error: null, state: 'done', complete: true };
const offline: ErrorValue = { code: 'network', message: 'The service does not answer.', retryable: true };
const failed = (error: Omit<ErrorValue, 'retryable'> & { retryable?: boolean }): typeof done => ({
  ...{ at: AT, ok: false, state: 'failed', complete: false },
  error: { retryable: false, ...error },
});
const part = { stored: 5, expected: 6, synced_at: AT, newest_at: AT, complete: true, problems: 0 };
const webhooks = { ...part, part: 'webhooks' as const };
const pdf = { ...part, part: 'pdf' as const, complete: false };
const status = (change: Partial<Status>): Status => ({
  ...{ site: 'acme', complete: true, synced_at: AT, last: done, running: null, parts: [webhooks, pdf] },
  ...change,
});

test.each<[string, Partial<Status>, string]>([
  [
    'never',
    { complete: false, last: null },
    'Not synced yet. Download the data with: tieout sync --site acme',
  ],
  ['running', { running: 'j' }, 'A sync is running. Check again with: tieout status'],
  ['complete', {}, 'Complete. Check for new data with: tieout sync --site acme'],
  [
    'an unreadable record',
    { parts: [{ ...webhooks, problems: 1 }, pdf] },
    'Complete, except for the unreadable records listed above. Check for new data with: tieout sync --site acme',
  ],
  [
    'PDFs that could not be downloaded',
    { parts: [webhooks, { ...pdf, problems: 2 }] },
    'Complete, except for the PDFs listed above. Retry them with: tieout sync --site acme --only pdf',
  ],
  [
    'older webhooks excluded by --since',
    { parts: [{ ...webhooks, since: '2026-10-15' }, pdf] },
    'Complete, except for webhooks created before 2026-10-15, which were excluded. Download them with: tieout sync --site acme --full',
  ],
  [
    'failed sync units',
    {
      complete: false,
      last: { ...done, complete: false },
      parts: [{ ...webhooks, complete: false, problems: 1 }],
    },
    'Incomplete: the service failed for the records listed above. Retry them with: tieout sync --site acme',
  ],
  ['one part only', { complete: false }, 'Incomplete. Resume with: tieout sync --site acme'],
  [
    'offline',
    { last: { ...done, ok: false, state: 'failed', error: offline, complete: false } },
    'The last sync failed: The service does not answer. Earlier data is unchanged. Try again with: tieout sync --site acme',
  ],
  [
    'canceled',
    { complete: false, last: { ...done, ok: false, state: 'canceled', complete: false } },
    'Incomplete: the last sync was canceled. Resume it with: tieout sync --site acme',
  ],
  [
    'a refused key',
    {
      complete: false,
      last: failed({ code: 'auth', message: 'It refused the key.', hint: 'Replace the key.' }),
    },
    'The last sync failed: It refused the key. Replace the key with: tieout site key acme , then resume with: tieout sync --site acme',
  ],
  [
    'a rate limit with a retry delay of an hour',
    {
      last: failed({
        code: 'rate_limited',
        message: 'It wants no requests.',
        retryable: true,
        retry_after_ms: 3_600_000,
      }),
    },
    'The last sync failed: It wants no requests. Earlier data is unchanged. After 2026-11-01 13:00 UTC, try again with: tieout sync --site acme',
  ],
  [
    'a full disk',
    { last: failed({ code: 'disk_full', message: 'The disk is full.', hint: 'Free some space.' }) },
    'The last sync failed: The disk is full. Earlier data is unchanged. Free some space. Then try again with: tieout sync --site acme',
  ],
  [
    'a part that the latest syncs did not include',
    { parts: [webhooks, { ...webhooks, part: 'statements', synced_at: '2026-11-04T12:00:00.000Z' }, pdf] },
    "Complete as of each part's last sync: webhooks 4 d ago. Sync all parts with: tieout sync --site acme",
  ],
  [
    'interrupted after everything was stored',
    { last: { ...done, ok: false, state: 'interrupted', complete: false } },
    'Complete. The last sync was interrupted. Check for new data with: tieout sync --site acme',
  ],
])('describes the status of a site: %s', (_, change, text) => {
  expect(formatSyncStatus(status(change), null, Date.parse(AT) + 4 * DAY)).toBe(text);
});

const job: Job = {
  ...{ id: 'j', site: 'acme', kind: 'sync', state: 'running', started_at: AT, ended_at: null },
  ...{ rate: 12, remaining_ms: 30_000, summary: null, error: null },
  progress: [{ part: 'webhooks', done: 1200, total: 4400, estimated: true, failed: 0, current: null }],
};

test('shows the progress of a running sync, or why it waits', () => {
  const progress = 'A sync is running: webhooks 1,200/~4,400, ';
  const next = '. Check again with: tieout status';
  const format = (waits: Job['progress'][number]['waits']) => {
    const [part] = job.progress;
    return formatSyncStatus(status({ running: 'j' }), { ...job, progress: [{ ...part!, waits }] });
  };
  expect(format(null)).toBe(`${progress}12/s, 30 s left${next}`);
  expect(format({ reason: 'limited', until: AT })).toBe(
    `${progress}rate-limited by the service until 2026-11-01 12:00 UTC${next}`,
  );
  expect(format({ reason: 'away', until: null })).toBe(`${progress}service not responding, retrying${next}`);
});

test('describes what other processes are doing with the site', () => {
  const other_process = { pid: 77, activity: 'a sync', started_at: AT };
  const scheduled = { pid: 77, every_minutes: 15, next_at: '2026-11-01T12:15:00.000Z' };
  expect(formatOtherTieoutProcesses({ running: null })).toEqual([]);
  expect(
    formatOtherTieoutProcesses({ running: 'j', other_process, scheduled: { ...scheduled, next_at: null } }),
  ).toEqual([
    'Another Tieout process (77) is working on this site: a sync, since 2026-11-01 12:00 UTC.',
    'Another Tieout process (77) syncs this site every 15 min (sync --watch).',
  ]);
  expect(
    formatOtherTieoutProcesses({
      running: null,
      other_process: { ...other_process, activity: 'a replay' },
      scheduled,
    }),
  ).toEqual([
    'Another Tieout process (77) is working on this site: a replay, since 2026-11-01 12:00 UTC.A sync can start once that process has finished.',
    'Another Tieout process (77) syncs this site every 15 min (sync --watch). Next sync: 2026-11-01 12:15 UTC.',
  ]);
});

test('lists missing date ranges, statements, histories and parts that were never synced', () => {
  const incomplete = { ...part, complete: false };
  const from = '2026-08-09T10:00:00.000Z';
  const to = '2026-10-31T10:00:00.000Z';
  const format = (parts: Status['parts']) => formatMissingData({ parts, complete: false });
  expect(formatMissingData({ parts: [webhooks], complete: true })).toBe(null);
  expect(
    format([
      {
        ...incomplete,
        part: 'webhooks',
        gaps: [
          { from, to },
          { from: to, to: null },
        ],
      },
      { ...incomplete, part: 'statements', stored: 92, expected: 155 },
      { ...incomplete, part: 'allocations', stored: 1, expected: 35, synced_at: null },
      pdf,
    ]),
  ).toBe(
    'Missing: webhooks from 2026-08-09 to 2026-10-31, since 2026-10-31; 63 of 155 statements; 34 of 35 allocation histories.',
  );
  const never = { ...incomplete, stored: 0, expected: null, synced_at: null };
  expect(
    format([
      { ...never, part: 'webhooks', gaps: [{ from: null, to: null }] },
      { ...never, part: 'statements' },
      { ...never, part: 'allocations', expected: 6 },
      pdf,
    ]),
  ).toBe('Missing: all webhooks; all statements; all allocations.');
  const gap = { from, to: from };
  expect(format([{ ...incomplete, part: 'webhooks', gaps: [gap, gap, gap, gap, gap] }])).toBe(
    'Missing: webhooks of 2026-08-09, of 2026-08-09, of 2026-08-09 and 2 more date ranges.',
  );
  // A record for which the service fails is listed as a problem, not as missing data.
  expect(format([{ ...incomplete, part: 'webhooks', gaps: [] }])).toBe(null);
});

test('reports records that the service no longer has, and a damaged cache', () => {
  const parts: Status['parts'] = [
    { ...webhooks, kept_from_before: '2026-10-01T05:00:00.000Z' },
    { ...part, part: 'statements', gone: 3 },
    pdf,
  ];
  expect(formatStoredDataNotes({ parts, complete: false, set_aside: '2026-11-22T02:14:05Z' })).toEqual([
    'The local cache was damaged and was set aside on 2026-11-22. Its records will be downloaded again.',
    'Webhooks created before 2026-10-01 are no longer at the service. Those stored here are kept.',
    '3 statements are no longer at the service; they stay stored here.',
  ]);
  expect(
    formatStoredDataNotes({ parts: [webhooks, { ...part, part: 'statements', gone: 0 }], complete: true }),
  ).toEqual([]);
});
