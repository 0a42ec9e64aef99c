import { expect, test } from 'vitest';
import type { SyncPartStatus } from '../../../src/contract/index.ts';
import { formatMissingData, formatStoredDataNotes } from '../../../src/renderer/sync/data-completeness.ts';

const AT = '2026-11-01T12:00:00.000Z';
const part = { stored: 5, expected: 5, synced_at: AT, newest_at: AT, complete: true, problems: 0 };
const incompletePart = { ...part, complete: false };
const format = (...parts: SyncPartStatus[]) => formatMissingData({ parts, complete: false });

test('missing records are listed by sync part', () => {
  const gaps = [
    { from: '2026-08-09T15:00:00Z', to: '2026-10-31T15:00:00Z' },
    { from: '2026-11-01T15:00:00Z', to: null },
  ];
  expect(formatMissingData({ parts: [{ ...part, part: 'webhooks' }], complete: true })).toBe(null);
  expect(
    format(
      { ...incompletePart, part: 'webhooks', gaps },
      { ...incompletePart, part: 'statements', stored: 92, expected: 155 },
      { ...incompletePart, part: 'allocations', expected: 35 },
      { ...incompletePart, part: 'pdf', expected: 90 },
    ),
  ).toBe(
    'Missing: webhooks from Aug 9, 2026 to Oct 31, 2026, since Nov 1, 2026; 63 of 155 statements; 30 of 35 allocation histories.',
  );
  const never = { ...incompletePart, stored: 0, expected: null, synced_at: null };
  expect(
    format(
      { ...never, part: 'webhooks' },
      { ...never, part: 'statements' },
      { ...never, part: 'allocations', expected: 6 },
    ),
  ).toBe('Missing: all webhooks; all statements; all allocations.');
  // A single row for which the service fails is listed as a problem, not as missing data.
  expect(format({ ...incompletePart, part: 'webhooks', gaps: [] })).toBe(null);
});

test('completeness notes mention deleted records and a damaged cache', () => {
  const parts: SyncPartStatus[] = [
    { ...part, part: 'webhooks', kept_from_before: '2026-10-01T15:00:00Z' },
    { ...part, part: 'statements', gone: 1 },
  ];
  expect(formatStoredDataNotes({ parts, complete: false, set_aside: '2026-11-22T15:14:05Z' })).toEqual([
    'The local cache was damaged and was set aside on Nov 22, 2026. Its records will be downloaded again.',
    'Webhooks created before Oct 1, 2026 are no longer at the service. Those stored here are kept.',
    '1 statement is no longer at the service; it stays stored here.',
  ]);
  expect(
    formatStoredDataNotes({
      parts: [{ ...part, part: 'statements', gone: 0 }],
      complete: true,
      set_aside: null,
    }),
  ).toEqual([]);
});
