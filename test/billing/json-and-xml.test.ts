import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBody, type ResponseReaderName } from './decode-body.ts';
import {
  DECLARATION,
  encodeAllocation,
  encodeListJson,
  encodeListXml,
  encodeRecordJson,
  encodeRecordXml,
  encodeStatement,
  encodeWebhook,
  type SentRecord,
} from './record-encoders.ts';
import * as any from './record-generators.ts';

/**
 * Every record is the same in either format. Compared by node:assert, because other comparisons misread fields named
 * `constructor` or `__proto__`.
 */

const lists: [ResponseReaderName, fc.Arbitrary<unknown>, (entity: never) => SentRecord][] = [
  ['webhooks', any.webhook, encodeWebhook],
  ['allocations', any.allocation, encodeAllocation],
  ['statements', any.statement, encodeStatement],
];

describe.each(lists)('a list of %s', (name, arbitrary, sent) => {
  it('is the same in JSON and in XML', () => {
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 4 }), (entities) => {
        const items = entities.map((entity) => sent(entity as never));
        const fromJson = decodeBody(name, 'json', encodeListJson(name, items));
        const fromXml = decodeBody(name, 'xml', encodeListXml(name, items));
        expect(fromJson.problems).toEqual([]);
        expect(fromXml.problems).toEqual([]);
        deepStrictEqual(fromJson.value, entities);
        deepStrictEqual(fromXml.value, entities);
      }),
      { numRuns: 300 },
    );
  });
});

const records: [ResponseReaderName, fc.Arbitrary<unknown>, (entity: never) => SentRecord][] = [
  ['allocation', any.allocation, encodeAllocation],
  ['statement', any.statement, encodeStatement],
];

describe.each(records)('a single %s', (name, arbitrary, sent) => {
  it('is the same in JSON and in XML', () => {
    fc.assert(
      fc.property(arbitrary, (entity) => {
        const item = sent(entity as never);
        deepStrictEqual(decodeBody(name, 'json', encodeRecordJson(name, item)).value, entity);
        deepStrictEqual(decodeBody(name, 'xml', encodeRecordXml(name, item)).value, entity);
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
          expect(decodeBody('statement_ids', 'json', body)).toMatchObject({ value: ids, problems: [] });
        }
        for (const body of [
          `${DECLARATION}<statement_ids>${bare}</statement_ids>`,
          `<statement_ids type="array">${typed}</statement_ids>`,
        ]) {
          expect(decodeBody('statement_ids', 'xml', body)).toMatchObject({ value: ids, problems: [] });
        }
      }),
      { numRuns: 200 },
    );
  });
});
