import { expect, test } from 'vitest';
import { type Outage, outageSchema, webhookFilterSchema } from '../../../src/contract/index.ts';
import {
  countDeliveries,
  describeOutage,
  expandTimeRange,
  formatOutageMarkLabel,
  getOutageRange,
  toStackedBars,
  toWebhookFilter,
} from '../../../src/renderer/outages/outage-ranges.ts';

const HOUR = 3_600_000;
const start = Date.parse('2026-10-01T06:00:00Z');
const hourAt = (hour: number) => new Date(start + hour * HOUR).toISOString();

const bars = toStackedBars({
  from: hourAt(0),
  to: hourAt(3),
  bucket_ms: HOUR,
  buckets: [
    { at: hourAt(0), accepted: 5, failed: 0, pending: 0 },
    { at: hourAt(1), accepted: 1, failed: 4, pending: 2 },
    { at: hourAt(2), accepted: 7, failed: 1, pending: 0 },
  ],
});

test('bars stack failed, pending and accepted webhooks from the bottom', () => {
  expect(bars[1]).toEqual({ from: start + HOUR, to: start + 2 * HOUR, parts: [4, 2, 1] });
});

test('only bars within the range are counted', () => {
  expect(countDeliveries(bars, { from: start, to: start + 3 * HOUR })).toEqual({
    accepted: 13,
    failed: 5,
    pending: 2,
  });
  expect(countDeliveries(bars, { from: start + HOUR, to: start + 2 * HOUR })).toEqual({
    accepted: 1,
    failed: 4,
    pending: 2,
  });
});

test('the filter for a range excludes the end of the range', () => {
  const filter = toWebhookFilter({ from: start, to: start + HOUR });
  expect(webhookFilterSchema.parse(filter)).toEqual({
    from: '2026-10-01T06:00:00.000Z',
    to: '2026-10-01T06:59:59.999Z',
  });
});

const failures: Outage = outageSchema.parse({
  id: 'o-1',
  kind: 'failures',
  from: hourAt(1),
  to: hourAt(1),
  url: 'https://books.example.com/hooks',
  accepted: 0,
  failed: 1,
  pending: 0,
  error: '503',
  expected: null,
  ongoing: false,
  filter: { status: 'failed' },
});

test('an outage with one webhook has a duration and can be expanded', () => {
  const range = getOutageRange(failures);
  expect(range.to).toBeGreaterThan(range.from);
  const wide = expandTimeRange(range);
  expect(wide.from).toBeLessThan(range.from);
  expect(wide.to).toBeGreaterThan(range.to);
});

test('each kind of outage is described in a sentence', () => {
  expect(describeOutage(failures)).toBe('1 webhook to https://books.example.com/hooks was not accepted.');
  expect(describeOutage({ ...failures, url: '', failed: 12 })).toBe(
    '12 webhooks to the endpoint were not accepted.',
  );
  expect(describeOutage({ ...failures, kind: 'never_sent', failed: 0, pending: 3 })).toMatch(
    /^3 webhooks .* never sent/,
  );
  expect(describeOutage({ ...failures, kind: 'gap', expected: 40, filter: null })).toMatch(
    /About 40 are usual/,
  );
  expect(formatOutageMarkLabel(failures)).toMatch(/^Failed deliveries, /);
});
