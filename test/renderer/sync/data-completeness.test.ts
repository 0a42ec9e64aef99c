import { expect, test } from 'vitest';
import type { PartStatus } from '../../../src/contract/index.ts';
import { formatDataNotes, formatMissingData } from '../../../src/renderer/sync/data-completeness.ts';

const AT = '2026-11-01T12:00:00.000Z';
const part = { stored: 5, expected: 5, synced_at: AT, newest_at: AT, complete: true, problems: 0 };
const lacking = { ...part, complete: false };
const said = (...parts: PartStatus[]) => formatMissingData({ parts, complete: false });

test('what is missing is named: stretches of the log, statements, histories, and what was never asked for', () => {
  const gaps = [
    { from: '2026-08-09T15:00:00Z', to: '2026-10-31T15:00:00Z' },
    { from: '2026-11-01T15:00:00Z', to: null },
  ];
  expect(formatMissingData({ parts: [{ ...part, part: 'webhooks' }], complete: true })).toBe(null);
  expect(
    said(
      { ...lacking, part: 'webhooks', gaps },
      { ...lacking, part: 'statements', stored: 92, expected: 155 },
      { ...lacking, part: 'allocations', expected: 35 },
      { ...lacking, part: 'pdf', expected: 90 },
    ),
  ).toBe(
    'Missing: webhooks from Aug 9, 2026 to Oct 31, 2026, from Nov 1, 2026 on; 63 of 155 statements; 30 of 35 allocation histories.',
  );
  const never = { ...lacking, stored: 0, expected: null, synced_at: null };
  expect(
    said(
      { ...never, part: 'webhooks' },
      { ...never, part: 'statements' },
      { ...never, part: 'allocations', expected: 6 },
    ),
  ).toBe('Missing: all webhooks; all statements; all allocations.');
  // One row that the service fails on is told as a problem.
  expect(said({ ...lacking, part: 'webhooks', gaps: [] })).toBe(null);
});

test('what is no longer at the service, and a copy that was set aside, are told', () => {
  const parts: PartStatus[] = [
    { ...part, part: 'webhooks', kept_from_before: '2026-10-01T15:00:00Z' },
    { ...part, part: 'statements', gone: 1 },
  ];
  expect(formatDataNotes({ parts, complete: false, set_aside: '2026-11-22T15:14:05Z' })).toEqual([
    'The copy held before was damaged. It was set aside on Nov 22, 2026, and what it held is fetched again.',
    'Webhooks from before Oct 1, 2026 are no longer at the service; those held are kept here.',
    '1 statement is no longer at the service; it is kept here.',
  ]);
  expect(
    formatDataNotes({ parts: [{ ...part, part: 'statements', gone: 0 }], complete: true, set_aside: null }),
  ).toEqual([]);
});
