import { expect, test } from 'vitest';
import {
  type Outage,
  outageSchema,
  webhookErrorGroupSchema,
  webhookFilterSchema,
} from '../../../src/contract/index.ts';
import { createCommandTargets, filterByErrorGroup } from '../../../src/renderer/outages/outage-selection.ts';
import { texts } from '../../../src/renderer/texts/texts.ts';

const text = texts.outages;
const failureRange = { from: '2026-10-01T06:00:00.000Z', to: '2026-10-01T06:59:59.999Z' };
const failures: Outage = outageSchema.parse({
  id: 'o-1',
  kind: 'failures',
  from: failureRange.from,
  to: failureRange.to,
  url: 'https://books.example.com/hooks',
  accepted: 0,
  failed: 1,
  pending: 0,
  error: '503',
  expected: null,
  ongoing: false,
  filter: { ...failureRange, status: 'failed' },
});

test('the entire log can be shown but not replayed', () => {
  const noSelection = { selected: null, within: null };
  expect(createCommandTargets({ ...noSelection, hasFailures: true })).toEqual({
    webhooks: {},
    replay: null,
    reason: text.nothingSelected,
    incident: null,
    missing: null,
  });
  expect(createCommandTargets({ ...noSelection, hasFailures: false })).toMatchObject({
    replay: null,
    reason: text.nothingFailed,
  });
});

test('a drawn range offers a replay of its failures', () => {
  const drawn = { selected: null, within: failureRange };
  expect(createCommandTargets({ ...drawn, hasFailures: true })).toMatchObject({
    webhooks: failureRange,
    replay: { ...failureRange, status: 'failed' },
    incident: { filter: { ...failureRange, status: 'failed' } },
    missing: failureRange,
  });
  expect(createCommandTargets({ ...drawn, hasFailures: false })).toMatchObject({
    replay: null,
    reason: text.nothingFailed,
  });
});

test('an outage is replayed by its filter, and a gap in the log can be shown but not replayed', () => {
  expect(createCommandTargets({ selected: failures, within: failureRange, hasFailures: true })).toMatchObject(
    {
      webhooks: failures.filter,
      replay: failures.filter,
    },
  );
  const gap: Outage = { ...failures, kind: 'gap', filter: null };
  expect(createCommandTargets({ selected: gap, within: failureRange, hasFailures: true })).toEqual({
    webhooks: failureRange,
    replay: null,
    reason: text.nothingToReplay,
    incident: { outage: gap.id },
    missing: { outage: gap.id },
  });
});

test('selecting an error group keeps the filter for the time range', () => {
  const group = webhookErrorGroupSchema.parse({
    error: '503',
    count: 3,
    example: '503 Service Unavailable',
    first_at: failureRange.from,
    last_at: failureRange.to,
    urls: [],
  });
  expect(webhookFilterSchema.parse(filterByErrorGroup(group, failureRange))).toEqual({
    ...failureRange,
    status: 'failed',
    error: '503',
  });
});
