import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/billing/formats/json-value.ts';
import { parseWebhookBody, type WebhookBody } from '../../src/billing/index.ts';
import * as sample from '../billing/sample-records.ts';
import { expectWithinOneSecond, mutateBytes, PROPERTY_TIMEOUT_MS, RUN_OPTIONS } from './mutate-bytes.ts';

/** Random webhook bodies must not cause an error or a hang, and the parsed tree must contain every pair. */

function listLeaves(value: JsonValue): string[] {
  if (typeof value !== 'object' || value === null) return [String(value ?? '')];
  return Object.values(value).flatMap(listLeaves);
}

function expectConsistentBody(body: WebhookBody): void {
  expect(listLeaves(body.tree).sort()).toEqual(body.pairs.map(([, value]) => value).sort());
  for (const [hint, value] of Object.entries(body.hints)) {
    if (typeof value === 'number') expect(Number.isSafeInteger(value) && value > 0).toBe(true);
    else expect(['event', 'subdomain']).toContain(hint);
  }
}

function read(body: JsonValue): WebhookBody {
  return expectWithinOneSecond(() => parseWebhookBody(body));
}

describe('a form-encoded body', () => {
  it(
    'with changed bytes preserves every pair',
    () => {
      fc.assert(
        fc.property(mutateBytes(sample.webhook.body), (bytes) => {
          const text = bytes.toString('utf8').trim();
          const body = read(text);
          if (body.form !== 'form') return;
          expect(body.pairs).toHaveLength(text.split('&').filter((each) => each !== '').length);
          expectConsistentBody(body);
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    'with arbitrary keys preserves every pair',
    () => {
      const key = fc.string({
        unit: fc.constantFrom('a', 'b', '0', '1', '[', ']', '[]', '][', '%5B', '__proto__', '%', '='),
      });
      const part = fc.tuple(key, fc.string()).map(([name, value]) => `${name}=${value}`);
      fc.assert(
        fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
          const body = read(parts.join('&'));
          if (body.form === 'form') expectConsistentBody(body);
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});

describe('bodies as JSON text and as objects', () => {
  it(
    'with arbitrary values produce the same result',
    () => {
      const anything = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<JsonValue>;
      fc.assert(
        fc.property(anything, (value) => {
          for (const body of [read(value), read(JSON.stringify(value)), read({ payload: value })]) {
            if (body.form === 'json' || body.form === 'object') expectConsistentBody(body);
          }
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    'with changed bytes never throw',
    () => {
      const text = JSON.stringify({ id: 5, payload: { subscription: { id: 15 }, list: [1, null, 'x'] } });
      fc.assert(
        fc.property(mutateBytes(text), (bytes) => {
          read(bytes.toString('utf8'));
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});

describe('bodies that are slow to parse', () => {
  const MB = 2 ** 20;
  it.each([
    ['brackets', `a${'['.repeat(MB)}=1`],
    ['levels', `a${'[b]'.repeat(MB / 2)}=1`],
    ['pairs', 'a=1&'.repeat(100_000)],
    ['branches', Array.from({ length: 50_000 }, (_, at) => `a[${at}][b]=1`).join('&')],
    ['percent signs', `a=${'%'.repeat(4 * MB)}`],
    ['ampersands', `a=1${'&'.repeat(4 * MB)}`],
    ['nested JSON', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['unclosed JSON', '{"a":'.repeat(500_000)],
  ])('are parsed within a second: %s', (_name, body) => {
    const { form } = read(body);
    expect(['form', 'unreadable']).toContain(form);
  });
});
