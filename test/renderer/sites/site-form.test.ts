import { expect, test } from 'vitest';
import { isSound, problemsOf, type SiteDraft } from '../../../src/renderer/sites/site-form.ts';

const draft: SiteDraft = {
  title: 'Acme',
  address: ' https://acme.example.com ',
  key: 'abc',
  format: 'json',
  currency: 'USD',
};

test('a whole draft has no problems', () => expect(isSound(problemsOf(draft, true))).toBe(true));

test.each([
  ['title', { title: '  ' }],
  ['address', { address: 'acme' }],
  ['address', { address: 'ftp://acme.example.com' }],
  ['address', { address: 'javascript:alert(1)' }],
  ['key', { key: '' }],
  ['currency', { currency: 'US' }],
] as const)('%s: %o is told', (field, part) => {
  const problems = problemsOf({ ...draft, ...part }, true);
  expect(problems[field]).toMatch(/\.$/);
  expect(isSound(problems)).toBe(false);
});

test('a key that is kept need not be typed', () => {
  expect(isSound(problemsOf({ ...draft, key: '' }, false))).toBe(true);
});
