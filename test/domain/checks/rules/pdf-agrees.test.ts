import { describe, expect, test } from 'vitest';
import { charge, findingsOf, messages, statement, subscription } from '../record-builders.ts';

const rule = 'pdf-agrees';
const lines = [charge(4000, { memo: 'Basic Plan, a month' })];
const check = (pdf_text: string | null) =>
  findingsOf(rule, subscription([statement({ id: 3, lines, closes: 4000, settled_at: null, pdf_text })]));

describe('pdf-agrees', () => {
  test('reports a different balance', () => {
    expect(
      messages(check('Starting balance\n$0.00\nBasic Plan, a month\n$40.00\nEnding balance\n$45.00')),
    ).toEqual(['Statement 3: the closing balance is 40.00, but its PDF shows 45.00, a difference of 5.00.']);
  });

  test('accepts labels and figures on one line or on separate lines', () => {
    expect(check('Starting balance $0.00 Basic Plan, a month $40.00 Ending balance $40.00')).toEqual([]);
    expect(check('Starting balance\n$0.00\nEnding balance\n$40.00')).toEqual([]);
  });

  test('does not compare individual lines', () => {
    expect(check('Basic Plan, a month\n$99.00\nEnding balance\n$40.00')).toEqual([]);
  });

  test('ignores missing and unreadable PDFs', () => {
    expect(check(null)).toEqual([]);
    expect(check('')).toEqual([]);
  });
});
