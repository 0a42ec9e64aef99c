import { expect, test } from 'vitest';
import { formatDataNotes, formatMissingData } from '../../../src/cli/formatters/completeness.ts';
import { formatOtherProcesses } from '../../../src/cli/formatters/other-processes.ts';
import { formatSyncStatus } from '../../../src/cli/formatters/sync-status.ts';
import type { ErrorValue, Job, Outputs } from '../../../src/contract/index.ts';

type Status = Outputs['sync']['status'];

const AT = '2026-11-01T12:00:00.000Z';
const DAY = 86_400_000;
const done: NonNullable<Status['last']> = { at: AT, ok: true, error: null, state: 'done', complete: true };
const away: ErrorValue = { code: 'network', message: 'The service does not answer.', retryable: true };
const failed = (error: Omit<ErrorValue, 'retryable'> & { retryable?: boolean }): typeof done => ({
  ...{ at: AT, ok: false, state: 'failed', complete: false },
  error: { retryable: false, ...error },
});
const part = { stored: 5, expected: 6, synced_at: AT, newest_at: AT, complete: true, problems: 0 };
const webhooks = { ...part, part: 'webhooks' as const };
const pdf = { ...part, part: 'pdf' as const, complete: false };
const status = (change: Partial<Status>): Status => ({
  ...{ site: 'acme', complete: true, last: done, running: null, parts: [webhooks, pdf] },
  ...change,
});

test.each<[string, Partial<Status>, string]>([
  ['never', { complete: false, last: null }, 'Not synced yet. Fetch it with: tieout sync --site acme'],
  ['running', { running: 'j' }, 'A sync is running. It goes on by itself; look again with: tieout status'],
  [
    'complete',
    {},
    'Complete: everything the service has is held here. Look for what is new with: tieout sync --site acme',
  ],
  [
    'a row that cannot be read',
    { parts: [{ ...webhooks, problems: 1 }, pdf] },
    'Complete: everything the service has is held here; what could not be read of it is named above. Look for what is new with: tieout sync --site acme',
  ],
  [
    'PDFs that could not be had',
    { parts: [webhooks, { ...pdf, problems: 2 }] },
    'Complete, but for the PDFs named above. Ask for them again with: tieout sync --site acme --only pdf',
  ],
  [
    'older webhooks left out by choice',
    { parts: [{ ...webhooks, since: '2026-10-15' }, pdf] },
    'Complete, but for webhooks from before 2026-10-15: they were left out. Fetch those too with: tieout sync --site acme --full',
  ],
  [
    'failed units',
    {
      complete: false,
      last: { ...done, complete: false },
      parts: [{ ...webhooks, complete: false, problems: 1 }],
    },
    'Not complete: the service failed on what is named above. Ask for just that again with: tieout sync --site acme',
  ],
  ['one part only', { complete: false }, 'Not complete. Go on with: tieout sync --site acme'],
  [
    'offline',
    { last: { ...done, ok: false, state: 'failed', error: away, complete: false } },
    'The last sync did not succeed: The service does not answer. What was held before it is here as it was. Try again with: tieout sync --site acme',
  ],
  [
    'canceled',
    { complete: false, last: { ...done, ok: false, state: 'canceled', complete: false } },
    'Not complete: the last sync was canceled before its end. Go on where it stopped with: tieout sync --site acme',
  ],
  [
    'a refused key',
    {
      complete: false,
      last: failed({ code: 'auth', message: 'It refused the key.', hint: 'Replace the key.' }),
    },
    'The last sync did not succeed: It refused the key. Replace the key with: tieout site key acme , then go on with: tieout sync --site acme',
  ],
  [
    'a service that asks for an hour',
    {
      last: failed({
        code: 'rate_limited',
        message: 'It wants no requests.',
        retryable: true,
        retry_after_ms: 3_600_000,
      }),
    },
    'The last sync did not succeed: It wants no requests. What was held before it is here as it was. Try again from 2026-11-01 13:00 UTC on with: tieout sync --site acme',
  ],
  [
    'a full disk',
    { last: failed({ code: 'disk_full', message: 'The disk is full.', hint: 'Free some space.' }) },
    'The last sync did not succeed: The disk is full. What was held before it is here as it was. Free some space. Then try again with: tieout sync --site acme',
  ],
  [
    'a part that the latest syncs left out',
    { parts: [webhooks, { ...webhooks, part: 'statements', synced_at: '2026-11-04T12:00:00.000Z' }, pdf] },
    'Complete as of when each part was last asked for: webhooks 4 d ago. Ask for all of them with: tieout sync --site acme',
  ],
  [
    'cut off when nothing was left',
    { last: { ...done, ok: false, state: 'interrupted', complete: false } },
    'Complete. The last sync was cut off; look for what is new with: tieout sync --site acme',
  ],
])('what status says in the end: %s', (_, change, said) => {
  expect(formatSyncStatus(status(change), null, Date.parse(AT) + 4 * DAY)).toBe(said);
});

const job: Job = {
  ...{ id: 'j', site: 'acme', kind: 'sync', state: 'running', started_at: AT, ended_at: null },
  ...{ rate: 12, remaining_ms: 30_000, summary: null, error: null },
  progress: [{ part: 'webhooks', done: 1200, total: 4400, estimated: true, failed: 0, current: null }],
};

test('a sync that runs says how far it is; one that waits says for what, and reckons nothing', () => {
  const far = 'A sync is running: webhooks 1,200/~4,400, ';
  const on = '. It goes on by itself; look again with: tieout status';
  const said = (waits: Job['progress'][number]['waits']) => {
    const [part] = job.progress;
    return formatSyncStatus(status({ running: 'j' }), { ...job, progress: [{ ...part!, waits }] });
  };
  expect(said(null)).toBe(`${far}12/s, 30 s left${on}`);
  expect(said({ reason: 'limited', until: AT })).toBe(
    `${far}the service asks to wait until 2026-11-01 12:00 UTC${on}`,
  );
  expect(said({ reason: 'away', until: null })).toBe(
    `${far}the service does not answer, it is tried again${on}`,
  );
});

test('what another Tieout does with the site is told', () => {
  const other_process = { pid: 77, activity: 'a sync', started_at: AT };
  const scheduled = { pid: 77, every_minutes: 15, next_at: '2026-11-01T12:15:00.000Z' };
  expect(formatOtherProcesses({ running: null })).toEqual([]);
  expect(
    formatOtherProcesses({ running: 'j', other_process, scheduled: { ...scheduled, next_at: null } }),
  ).toEqual([
    'Another Tieout is at work on it: a sync, since 2026-11-01 12:00 UTC (process 77).',
    'Another Tieout syncs it every 15 min, by sync --watch (process 77).',
  ]);
  expect(
    formatOtherProcesses({
      running: null,
      other_process: { ...other_process, activity: 'a replay' },
      scheduled,
    }),
  ).toEqual([
    'Another Tieout is at work on it: a replay, since 2026-11-01 12:00 UTC (process 77). A sync has to wait for it.',
    'Another Tieout syncs it every 15 min, by sync --watch (process 77). Its next sync begins at 2026-11-01 12:15 UTC.',
  ]);
});

test('what is missing is named: stretches of the log, statements, histories, and what was never asked for', () => {
  const lacking = { ...part, complete: false };
  const from = '2026-08-09T10:00:00.000Z';
  const to = '2026-10-31T10:00:00.000Z';
  const said = (parts: Status['parts']) => formatMissingData({ parts, complete: false });
  expect(formatMissingData({ parts: [webhooks], complete: true })).toBe(null);
  expect(
    said([
      {
        ...lacking,
        part: 'webhooks',
        gaps: [
          { from, to },
          { from: to, to: null },
        ],
      },
      { ...lacking, part: 'statements', stored: 92, expected: 155 },
      { ...lacking, part: 'allocations', stored: 1, expected: 35, synced_at: null },
      pdf,
    ]),
  ).toBe(
    'Missing: webhooks from 2026-08-09 to 2026-10-31, from 2026-10-31 on; 63 of 155 statements; 34 of 35 allocation histories.',
  );
  const never = { ...lacking, stored: 0, expected: null, synced_at: null };
  expect(
    said([
      { ...never, part: 'webhooks', gaps: [{ from: null, to: null }] },
      { ...never, part: 'statements' },
      { ...never, part: 'allocations', expected: 6 },
      pdf,
    ]),
  ).toBe('Missing: all webhooks; all statements; all allocations.');
  const gap = { from, to: from };
  expect(said([{ ...lacking, part: 'webhooks', gaps: [gap, gap, gap, gap, gap] }])).toBe(
    'Missing: webhooks of 2026-08-09, of 2026-08-09, of 2026-08-09 and 2 more stretches.',
  );
  // One row that the service fails on is told as a problem.
  expect(said([{ ...lacking, part: 'webhooks', gaps: [] }])).toBe(null);
});

test('what is no longer at the service, and a copy that was set aside, are told', () => {
  const parts: Status['parts'] = [
    { ...webhooks, kept_from_before: '2026-10-01T05:00:00.000Z' },
    { ...part, part: 'statements', gone: 3 },
    pdf,
  ];
  expect(formatDataNotes({ parts, complete: false, set_aside: '2026-11-22T02:14:05Z' })).toEqual([
    'The copy held before was damaged. It was set aside on 2026-11-22 02:14 UTC, and what it held is fetched again.',
    'Webhooks from before 2026-10-01 are no longer at the service; those held are kept here.',
    '3 statements are no longer at the service; they are kept here.',
  ]);
  expect(
    formatDataNotes({ parts: [webhooks, { ...part, part: 'statements', gone: 0 }], complete: true }),
  ).toEqual([]);
});
