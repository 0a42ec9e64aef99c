import { expect, test } from 'vitest';
import {
  errorGroupSchema,
  type Outage,
  outageSchema,
  webhookFilterSchema,
} from '../../../src/contract/index.ts';
import { addErrorFilter, createCommandTargets } from '../../../src/renderer/outages/outage-selection.ts';
import { texts } from '../../../src/renderer/texts/texts.ts';

const text = texts.outages;
const within = { from: '2026-10-01T06:00:00.000Z', to: '2026-10-01T06:59:59.999Z' };
const failures: Outage = outageSchema.parse({
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

test('the entire log can be shown but not replayed', () => {
  const noSelection = { selected: null, within: null };
  expect(createCommandTargets({ ...noSelection, hasFailures: true })).toEqual({
    webhooks: {},
    replay: null,
    reason: text.nothingSelected,
  });
  expect(createCommandTargets({ ...noSelection, hasFailures: false })).toMatchObject({
    replay: null,
    reason: text.nothingFailed,
  });
});

test('failures in a drawn range are replayed', () => {
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

test('an outage is replayed by its filter, and a gap in the log can only be shown', () => {
  expect(createCommandTargets({ selected: failures, within, hasFailures: true })).toMatchObject({
    webhooks: failures.filter,
    replay: failures.filter,
  });
  const gap: Outage = { ...failures, kind: 'gap', filter: null };
  expect(createCommandTargets({ selected: gap, within, hasFailures: true })).toEqual({
    webhooks: within,
    replay: null,
    reason: text.nothingToReplay,
  });
});

test('an error group is filtered within the time range', () => {
  const group = errorGroupSchema.parse({
    error: '503',
    count: 3,
    example: '503 Service Unavailable',
    first_at: within.from,
    last_at: within.to,
    urls: [],
  });
  expect(webhookFilterSchema.parse(addErrorFilter(group, within))).toEqual({
    ...within,
    status: 'failed',
    error: '503',
  });
});
