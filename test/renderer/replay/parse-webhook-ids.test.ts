import { expect, test } from 'vitest';
import { parseWebhookIds } from '../../../src/renderer/replay/parse-webhook-ids.ts';
import { parseReplayRate } from '../../../src/renderer/replay/replay-options-form.tsx';

test.each([
  ['', [], 0],
  ['17', [17], 0],
  ['17, 18;19\n20\t21', [17, 18, 19, 20, 21], 0],
  ['"17"\r\n"18"\r\n', [17, 18], 0],
  ['17 18 17', [17, 18], 0],
  ['id,event\n17,payment_success', [17], 3],
  ['-4 1.5 1e3 99999999999999999999', [], 4],
  ['#17', [], 1],
])('parses the webhook ids in %j as %j', (text, ids, skipped) => {
  expect(parseWebhookIds(text)).toEqual({ ids, skipped });
});

test.each([
  ['', 0],
  ['  ', 0],
  ['20', 20],
  ['0.5', 0.5],
  ['0,5', 0.5],
  ['0', null],
  ['-1', null],
  ['10001', null],
  ['many', null],
  ['1e3', null],
])('parses the rate %j as %s', (text, rate) => expect(parseReplayRate(text)).toBe(rate));
