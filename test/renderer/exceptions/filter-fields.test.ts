import { expect, test } from 'vitest';
import type { ExceptionFilter } from '../../../src/contract/index.ts';
import { createExceptionFilterFields } from '../../../src/renderer/exceptions/filter-fields.ts';

const fields = createExceptionFilterFields({
  rules: [],
  assignees: [{ assigned: 'Mara', open: 3 }],
  months: [{ period: '2026-10', open: 3 }],
});

function selectedFields(id: string, value: string | null, filter: ExceptionFilter = {}): ExceptionFilter {
  const field = fields.find((candidate) => candidate.id === id);
  if (field?.kind !== 'choice') throw new Error(`no choice ${id}`);
  const made = field.choose(filter, value === null ? [] : [value]);
  expect(field.chosen(made)).toEqual(value === null ? [] : [value]);
  return made;
}

test('“Unassigned” filters for unassigned exceptions, unlike no filter', () => {
  const field = fields.find(({ id }) => id === 'assigned');
  if (field?.kind !== 'choice') throw new Error('no choice');
  const nobody = field.options[0]?.value ?? '';
  expect(selectedFields('assigned', nobody).assigned).toBeNull();
  expect(selectedFields('assigned', 'Mara').assigned).toBe('Mara');
  expect(selectedFields('assigned', null).assigned).toBeUndefined();
});

test.each([
  ['status', 'accepted', { status: ['accepted'] }],
  ['severity', 'error', { severity: ['error'] }],
  ['period', '2026-10', { period: '2026-10' }],
])('%s keeps the other filters', (id, value, part) => {
  expect(selectedFields(id, value, { search: 'x' })).toEqual({ search: 'x', ...part });
});
