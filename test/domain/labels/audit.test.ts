import { expect, test } from 'vitest';
import { getAuditSubjectLabel } from '../../../src/domain/labels/audit.ts';

test.each([
  ['match.confirm', '48', 'Match 48'],
  ['match.undo-run', '3', 'Matching run 3'],
  ['match.note', 'line 91', 'Line 91'],
  ['journal.approve', 'journal-entry:7', 'Journal entry 7'],
  ['periods.close', '2026-07', '2026-07'],
  ['replay.run', '0197c2aa-91de-7b40-8f5f-d2f04f7c1b11', 'Replay 0197c2aa'],
  ['allocations.change', 'component 12 on subscription 34', 'Component 12 on subscription 34'],
  ['future.action', 'thing', 'Thing'],
  ['sites.add', 'harbor', 'Site harbor'],
])('the subject of %s with the id %s is %s', (action, subject, label) =>
  expect(getAuditSubjectLabel(action, subject)).toBe(label),
);
