import { expect, test } from 'vitest';
import { errorGroup, type Outage, outage, webhookFilter } from '../../../src/contract/index.ts';
import { addErrorFilter, createCommandTargets } from '../../../src/renderer/outages/outage-selection.ts';
import { texts } from '../../../src/renderer/texts/texts.ts';

const text = texts.outages;
const within = { from: '2026-10-01T06:00:00.000Z', to: '2026-10-01T06:59:59.999Z' };
const lost: Outage = outage.parse({
  id: 'o-1',
  kind: 'failures',
  from: within.from,
  to: within.to,
  url: 'https://books.example.com/hooks',
  accepted: 0,
  failed: 1,
  pending: 0,
  error: '503',
  expected: null,
  ongoing: false,
  filter: { ...within, status: 'failed' },
});

test('the whole log is shown when asked for, and never replayed', () => {
  const whole = { selected: null, within: null };
  expect(createCommandTargets({ ...whole, hasFailures: true })).toEqual({
    webhooks: {},
    replay: null,
    reason: text.nothingSelected,
  });
  expect(createCommandTargets({ ...whole, hasFailures: false })).toMatchObject({
    replay: null,
    reason: text.nothingFailed,
  });
});

test('of a stretch that was drawn, what failed is replayed', () => {
  const drawn = { selected: null, within };
  expect(createCommandTargets({ ...drawn, hasFailures: true })).toMatchObject({
    webhooks: within,
    replay: { ...within, status: 'failed' },
  });
  expect(createCommandTargets({ ...drawn, hasFailures: false })).toMatchObject({
    replay: null,
    reason: text.nothingFailed,
  });
});

test('an outage is replayed by its own filter; a hole has nothing to replay, and its time is shown', () => {
  expect(createCommandTargets({ selected: lost, within, hasFailures: true })).toMatchObject({
    webhooks: lost.filter,
    replay: lost.filter,
  });
  const hole: Outage = { ...lost, kind: 'hole', filter: null };
  expect(createCommandTargets({ selected: hole, within, hasFailures: true })).toEqual({
    webhooks: within,
    replay: null,
    reason: text.nothingToReplay,
  });
});

test('a kind of error means its webhooks within the time looked at', () => {
  const group = errorGroup.parse({
    error: '503',
    count: 3,
    example: '503 Service Unavailable',
    first_at: within.from,
    last_at: within.to,
    urls: [],
  });
  expect(webhookFilter.parse(addErrorFilter(group, within))).toEqual({
    ...within,
    status: 'failed',
    error: '503',
  });
});
