import { expect, test } from 'vitest';
import {
  createRuleDraftFromLine,
  validateMatchRuleDraft,
} from '../../../../src/renderer/matching/rules/rule-draft.ts';

const account = { id: 6, name: 'Giro' };
const line = { description: '', reference: null, counterparty: null, account, kind: 'fee' as const };

test('a line with a payee gives a rule for the payee, its sign and its account', () => {
  const draft = createRuleDraftFromLine({
    ...line,
    description: 'SEPA 4471',
    counterparty: ' Stadtwerke ',
    amount_in_cents: -8800,
  });
  expect(validateMatchRuleDraft({ ...draft, category: 'rent' }).content).toEqual({
    title: 'Stadtwerke',
    enabled: true,
    conditions: [
      { field: 'counterparty', is: 'equals', value: 'Stadtwerke' },
      { field: 'amount', from_in_cents: null, to_in_cents: -1 },
      { field: 'account', accounts: [6] },
    ],
    action: { do: 'categorize', category: 'rent' },
  });
});

test('a line without a payee gives a rule for its words without numbers', () => {
  const draft = createRuleDraftFromLine({
    ...line,
    description: 'PAYROLL 2026-10 RUN 77 NORTH',
    reference: 'X1',
    amount_in_cents: 500,
  });
  expect(draft.title).toBe('PAYROLL RUN NORTH');
  expect(draft.conditions[0]).toMatchObject({ field: 'text', is: 'words', value: 'PAYROLL RUN NORTH' });
  expect(draft.conditions[1]).toMatchObject({ field: 'amount', from: '0.01', to: '' });
});
