import { expect, test } from 'vitest';
import {
  isSiteDraftValid,
  type SiteDraft,
  validateSiteDraft,
} from '../../../src/renderer/sites/site-draft.ts';

const draft: SiteDraft = {
  title: 'Acme',
  address: ' https://acme.example.com ',
  key: 'abc',
  format: 'json',
  currency: 'USD',
};

test('a complete draft has no problems', () =>
  expect(isSiteDraftValid(validateSiteDraft(draft, true))).toBe(true));

test.each([
  ['title', { title: '  ' }],
  ['address', { address: 'acme billing' }],
  ['address', { address: 'ftp://acme.example.com' }],
  ['address', { address: 'javascript:alert(1)' }],
  ['key', { key: '' }],
  ['currency', { currency: 'US' }],
] as const)('the field %s of %o is rejected', (field, part) => {
  const problems = validateSiteDraft({ ...draft, ...part }, true);
  expect(problems[field]).toMatch(/\.$/);
  expect(isSiteDraftValid(problems)).toBe(false);
});

test('the key may be empty if one is already stored', () => {
  expect(isSiteDraftValid(validateSiteDraft({ ...draft, key: '' }, false))).toBe(true);
});
