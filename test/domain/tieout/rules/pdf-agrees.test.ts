import { describe, expect, test } from 'vitest';
import { charge, found, messages, statement, subscription } from '../build.ts';

const rule = 'pdf-agrees';
const lines = [charge(4000, { memo: 'Basic Plan, a month' })];
const check = (pdf_text: string | null) =>
  found(rule, subscription([statement({ id: 3, lines, closes: 4000, settled_at: null, pdf_text })]));

describe('pdf-agrees', () => {
  test('the document shows another balance than the statement', () => {
    expect(
      messages(check('Starting balance\n$0.00\nBasic Plan, a month\n$40.00\nEnding balance\n$45.00')),
    ).toEqual(['Statement 3: the closing balance is 40.00, but its PDF says 45.00, a difference of 5.00.']);
  });

  test('words on one line or each on its own are the same to it', () => {
    expect(check('Starting balance $0.00 Basic Plan, a month $40.00 Ending balance $40.00')).toEqual([]);
    expect(check('Starting balance\n$0.00\nEnding balance\n$40.00')).toEqual([]);
  });

  test('lines are not compared: a PDF’s words do not keep them together', () => {
    expect(check('Basic Plan, a month\n$99.00\nEnding balance\n$40.00')).toEqual([]);
  });

  test('no PDF held, or none that could be read', () => {
    expect(check(null)).toEqual([]);
    expect(check('')).toEqual([]);
  });
});
