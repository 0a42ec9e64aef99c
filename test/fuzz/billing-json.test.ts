import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeDecimal } from '../../src/billing/formats/decimal.ts';
import type { JsonObject, JsonValue } from '../../src/billing/formats/json-value.ts';
import { decodeBody, type ResponseReaderName } from '../billing/decode-body.ts';
import { encodeListJson } from '../billing/record-encoders.ts';
import * as sample from '../billing/sample-records.ts';
import { expectAllRowsAccounted, readOrNull } from './expect-rows-accounted.ts';
import { mutateBytes, PROPERTY_TIMEOUT_MS, RUN_OPTIONS } from './mutate-bytes.ts';

/** Random JSON must not cause a crash or a hang, and no row may be lost silently. */

const lists: [ResponseReaderName, string, JsonObject][] = [
  ['webhooks', 'webhook', sample.webhook],
  ['allocations', 'allocation', sample.allocation],
  ['statements', 'statement', sample.statement as unknown as JsonObject],
];

const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

/** Returns the number of rows according to JSON.parse, or null if the text has no list. */
function countRows(bytes: Buffer): number | null {
  const tree = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  return Array.isArray(tree) ? tree.length : null;
}

const nestedLists = ['transactions', 'events', 'future_payments'];

/** Returns true if the parsed value contains the sent value, possibly in another notation. */
function isSameValue(sent: JsonValue, read: unknown): boolean {
  if (isDeepStrictEqual(sent, read)) return true;
  if (typeof sent === 'string' && sent.trim() === '' && isDeepStrictEqual(read, [])) return true;
  if (sent === null || sent === '')
    return [null, '', false].includes(read as null) || isDeepStrictEqual(read, []);
  if (typeof sent === 'object') return false;
  if (typeof read === 'boolean') return [String(read), String(Number(read))].includes(String(sent));
  const [one, other] = [String(sent), String(read)];
  return (
    one === other || (normalizeDecimal(one) !== null && normalizeDecimal(one) === normalizeDecimal(other))
  );
}

describe.each(lists)('a JSON list of %s', (list, wrapper, row) => {
  const page = encodeListJson(list, [row, { ...row, id: 2 }, { ...row, id: 3 }]);

  it(
    'with changed bytes is rejected, or every row is read or reported',
    () => {
      fc.assert(
        fc.property(mutateBytes(page), (bytes) => {
          const read = readOrNull(() => decodeBody(list, 'json', bytes));
          if (read === null) return;
          const rows = countRows(bytes);
          if (rows !== null) expectAllRowsAccounted(list, rows, read.value as unknown[], read.problems);
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    'of arbitrary values is rejected, or every row is read or reported',
    () => {
      const anyRow = fc.oneof(
        anyJson,
        anyJson.map((inner) => ({ [wrapper]: inner }) as JsonValue),
      );
      fc.assert(
        fc.property(fc.array(anyRow), (rows) => {
          const read = readOrNull(() => decodeBody(list, 'json', JSON.stringify(rows)));
          if (read !== null)
            expectAllRowsAccounted(list, rows.length, read.value as unknown[], read.problems);
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    'with arbitrary field values preserves each in its field, in extra or in a problem',
    () => {
      const fields = Object.keys(row).filter((field) => field !== 'extra');
      const changes = fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), anyJson, {
        minKeys: 1,
        maxKeys: 4,
        noNullPrototype: true,
      });
      fc.assert(
        fc.property(changes, (changed) => {
          const sent = JSON.parse(JSON.stringify({ ...row, ...changed })) as JsonObject;
          const read = readOrNull(() => decodeBody(list, 'json', JSON.stringify([{ [wrapper]: sent }])));
          expect(read).not.toBeNull();
          if (read === null) return;
          expectAllRowsAccounted(list, 1, read.value as unknown[], read.problems);
          const entity = (read.value as unknown as (JsonObject & { extra: JsonObject })[])[0];
          if (entity === undefined) return;
          const told = (field: string) =>
            read.problems.some(({ path }) => path.startsWith(`${list}[0].${field}`));
          for (const field of Object.keys(changed)) {
            const value = sent[field] as JsonValue;
            if (nestedLists.includes(field) && Array.isArray(value)) {
              expectAllRowsAccounted(
                `${list}[0].${field}`,
                value.length,
                entity[field] as unknown[],
                read.problems,
              );
              continue;
            }
            const kept = Object.hasOwn(entity.extra, field) ? entity.extra[field] : entity[field];
            if (!isSameValue(value, kept) && !told(field)) expect([field, kept]).toEqual([field, value]);
          }
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});

describe('a JSON statement', () => {
  it(
    'with changed bytes is rejected, read or reported',
    () => {
      fc.assert(
        fc.property(mutateBytes(JSON.stringify({ statement: sample.statement })), (bytes) => {
          const read = readOrNull(() => decodeBody('statement', 'json', bytes));
          if (read?.value === null)
            expect(read.problems.some(({ outcome }) => outcome === 'rejected')).toBe(true);
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});

describe('a JSON list of statement ids', () => {
  it(
    'with changed bytes is rejected, or every id is read or reported',
    () => {
      const page = JSON.stringify({ statement_ids: [1, 22, 333, 79_221_381] });
      fc.assert(
        fc.property(mutateBytes(page), (bytes) => {
          const read = readOrNull(() => decodeBody('statement_ids', 'json', bytes));
          if (read === null) return;
          const sent = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')).statement_ids;
          if (Array.isArray(sent))
            expectAllRowsAccounted('statement_ids', sent.length, read.value, read.problems);
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});

describe('unlimited JSON nesting', () => {
  it.each(['[', '{"a":', '[{"webhook":', '[{"webhook":{"id":1,"body":['])(
    'of %s is rejected within a second at any size',
    (opening) => {
      for (const count of [100, 50_000, 8_000_000]) {
        const read = readOrNull(() => decodeBody('webhooks', 'json', opening.repeat(count / opening.length)));
        expect(read).toBeNull();
      }
    },
  );

  it('with closing brackets is rejected without a crash', () => {
    for (const depth of [65, 100, 10_000, 400_000]) {
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      const read = readOrNull(() => decodeBody('webhooks', 'json', `[{"webhook":{"id":1,"body":${deep}}}]`));
      if (read !== null) expectAllRowsAccounted('webhooks', 1, read.value, read.problems);
      expect(read?.value ?? []).toEqual([]);
    }
  });
});
