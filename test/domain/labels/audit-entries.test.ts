import { expect, it } from 'vitest';
import {
  describeAuditSubject,
  findAuditRecord,
  getAuditAreaLabel,
  listAuditDetails,
} from '../../../src/domain/labels/audit-entries.ts';

it.each([
  ['match.confirm', '41', {}, 'Match 41', { kind: 'match', id: '41' }],
  ['match.run', '3', {}, 'Matching run 3', null],
  ['match.save-rule', '2', { title: 'Rent' }, 'Match rule 2: Rent', null],
  ['exceptions.accept', '7', { message: 'Long.', title: 'x' }, 'Exception 7', { kind: 'exception', id: '7' }],
  ['comments.add', 'payout:5', {}, 'Payout 5', { kind: 'payout', id: '5' }],
  ['periods.explain', 'line:12', { owner: 'Ada' }, 'Line 12', { kind: 'line', id: '12' }],
  ['periods.close', '2026-03', { name: 'Ada' }, '2026-03', { kind: 'period', id: '2026-03' }],
  ['journal.add', 'journal-entry:9', {}, 'Journal entry 9', null],
  ['bank.import', '4', { file: 'march.csv' }, 'Import 4: march.csv', null],
  ['check.switch', 'statement-foots', {}, 'Rule statement-foots', null],
  ['replay.run', 'b2c4d6e8-1111-2222-3333-444455556666', {}, 'Replay b2c4d6e8', null],
  ['unknown.action', 'thing', {}, 'Thing', null],
] as const)('describes the subject of %s %s', (action, subject, detail, text, record) => {
  const entry = { action, subject, detail: detail as never };
  expect(describeAuditSubject(entry)).toBe(text);
  expect(findAuditRecord(entry)).toEqual(record);
});

it('lists details in words without technical ones', () => {
  const detail = {
    amount_in_cents: -1205,
    off: true,
    sha256: 'ab',
    key: 'cd',
    empty: '',
    rows: { new: 3, digest: 'ef' },
    lines: [1, 2],
  };
  expect(listAuditDetails(detail)).toEqual([
    ['Amount', '-12.05'],
    ['Off', 'yes'],
    ['Rows', 'new 3'],
    ['Lines', '1, 2'],
  ]);
  expect(getAuditAreaLabel('match')).toBe('Matching');
  expect(getAuditAreaLabel('novel')).toBe('Novel');
});
