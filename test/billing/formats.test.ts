import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as any from './arbitraries.ts';
import { decoded, type Reader } from './decoding.ts';
import {
  allocationSent,
  DECLARATION,
  listJson,
  listXml,
  recordJson,
  recordXml,
  type Sent,
  statementSent,
  webhookSent,
} from './encoders.ts';

/**
 * Any entity round-trips in either format. Compared by node:assert, because other comparisons misread fields
 * named `constructor` or `__proto__`.
 */

const lists: [Reader, fc.Arbitrary<unknown>, (entity: never) => Sent][] = [
  ['webhooks', any.webhook, webhookSent],
  ['allocations', any.allocation, allocationSent],
  ['statements', any.statement, statementSent],
];

describe.each(lists)('a list of %s', (name, arbitrary, sent) => {
  it('is the same in JSON and in XML', () => {
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 4 }), (entities) => {
        const items = entities.map((entity) => sent(entity as never));
        const fromJson = decoded(name, 'json', listJson(name, items));
        const fromXml = decoded(name, 'xml', listXml(name, items));
        expect(fromJson.problems).toEqual([]);
        expect(fromXml.problems).toEqual([]);
        deepStrictEqual(fromJson.value, entities);
        deepStrictEqual(fromXml.value, entities);
      }),
      { numRuns: 300 },
    );
  });
});

const records: [Reader, fc.Arbitrary<unknown>, (entity: never) => Sent][] = [
  ['allocation', any.allocation, allocationSent],
  ['statement', any.statement, statementSent],
];

describe.each(records)('a single %s', (name, arbitrary, sent) => {
  it('is the same in JSON and in XML', () => {
    fc.assert(
      fc.property(arbitrary, (entity) => {
        const item = sent(entity as never);
        deepStrictEqual(decoded(name, 'json', recordJson(name, item)).value, entity);
        deepStrictEqual(decoded(name, 'xml', recordXml(name, item)).value, entity);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a list of statement ids', () => {
  it('is the same in JSON and in XML, typed, untyped or as a plain array', () => {
    fc.assert(
      fc.property(fc.array(any.id, { maxLength: 20 }), (ids) => {
        const bare = ids.map((id) => `<id>${id}</id>`).join('');
        const typed = ids.map((id) => `<id type="integer">${id}</id>`).join('\n');
        for (const body of [JSON.stringify({ statement_ids: ids }), JSON.stringify(ids)]) {
          expect(decoded('statement_ids', 'json', body)).toEqual({ value: ids, problems: [] });
        }
        for (const body of [
          `${DECLARATION}<statement_ids>${bare}</statement_ids>`,
          `<statement_ids type="array">${typed}</statement_ids>`,
        ]) {
          expect(decoded('statement_ids', 'xml', body)).toEqual({ value: ids, problems: [] });
        }
      }),
      { numRuns: 200 },
    );
  });
});
