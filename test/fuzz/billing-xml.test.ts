import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/billing/formats/json-value.ts';
import { parseXml } from '../../src/billing/formats/parse-xml.ts';
import { UnreadableResponse } from '../../src/billing/formats/unreadable-response.ts';
import { decoded, type Reader } from '../billing/decoding.ts';
import { DECLARATION, escapeXml, listXml, recordXml } from '../billing/encoders.ts';
import * as sample from '../billing/samples.ts';
import { expectAllRowsAccounted, readOrRefused } from './accounting.ts';
import { expectWithinOneSecond, mutateBytes, RUNS, TIME } from './mutations.ts';

/** Random XML never crashes or hangs, and no row or text is lost silently. */

const statement = { ...sample.statement, events: [sample.event] } as unknown as JsonObject;
const lists: [Reader, JsonObject][] = [
  ['webhooks', sample.webhook],
  ['allocations', sample.allocation],
  ['statements', statement],
];

/** Returns the number of elements directly below the root. */
function countRows(bytes: Buffer, list: string): number | null {
  const tree = parseXml(bytes.toString('utf8').replace(/^\ufeff/, '')) as JsonObject;
  return Array.isArray(tree[list]) ? (tree[list] as JsonValue[]).length : null;
}

describe.each(lists)('an XML list of %s', (list, row) => {
  it(
    'with changed bytes is rejected, or every row is read or reported',
    () => {
      const page = listXml(list, [row, { ...row, id: 2 }, { ...row, id: 3 }]);
      fc.assert(
        fc.property(mutateBytes(page), (bytes) => {
          const read = readOrRefused(() => decoded(list, 'xml', bytes));
          if (read === null) return;
          const rows = countRows(bytes, list);
          if (rows !== null) expectAllRowsAccounted(list, rows, read.value as unknown[], read.problems);
        }),
        RUNS,
      );
    },
    TIME,
  );
});

describe('an XML statement', () => {
  it(
    'with changed bytes is rejected, read or reported',
    () => {
      fc.assert(
        fc.property(mutateBytes(recordXml('statement', statement)), (bytes) => {
          const read = readOrRefused(() => decoded('statement', 'xml', bytes));
          if (read?.value === null)
            expect(read.problems.some(({ outcome }) => outcome === 'rejected')).toBe(true);
        }),
        RUNS,
      );
    },
    TIME,
  );
});

/** A generated element tree with its texts. */
interface GeneratedElement {
  xml: string;
  texts: string[];
}

const leafText = fc
  .string({ unit: fc.constantFrom('a', 'b', '1', '&', '<', '>', ']', ' ', '\n', 'é', '"') })
  .filter((each) => each.trim() !== '');

const { element } = fc.letrec<{ element: GeneratedElement; content: GeneratedElement }>((tie) => ({
  content: fc.oneof(
    { maxDepth: 6 },
    leafText.map((each) => ({ xml: escapeXml(each), texts: [each] })),
    leafText
      .filter((each) => !each.includes(']]>'))
      .map((each) => ({ xml: `<![CDATA[${each}]]>`, texts: [each] })),
    fc.constantFrom('<!-- a comment -->', '<?pi x?>', '\n ').map((xml) => ({ xml, texts: [] })),
    tie('element'),
  ),
  element: fc
    .tuple(
      fc.constantFrom('a', 'b', 'id', '__proto__', 'constructor', 'text'),
      fc.constantFrom(
        '',
        ' type="array"',
        ' type="string"',
        ' type="integer"',
        ' type="boolean"',
        ' nil="false"',
        ' x="y"',
      ),
      fc.array(tie('content'), { maxLength: 4 }),
    )
    .map(([name, attribute, contents]) => ({
      xml: `<${name}${attribute}>${contents.map(({ xml }) => xml).join('')}</${name}>`,
      texts: contents.flatMap(({ texts }) => texts),
    })),
}));

function leaves(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.values(value).map(leaves).join('');
}

describe('random XML', () => {
  it(
    'preserves every text that is not blank',
    () => {
      const letters = (text: string) => [...text.replace(/\s/g, '')].sort().join('');
      fc.assert(
        fc.property(element, ({ xml, texts }) => {
          const tree = expectWithinOneSecond(() => parseXml(DECLARATION + xml));
          const read = leaves(tree);
          // A typed element may use another notation (`011` for 11, `1` for true), so only untyped ones are compared.
          if (!/type="(integer|boolean)"/.test(xml)) expect(letters(read)).toBe(letters(texts.join('')));
        }),
        RUNS,
      );
    },
    TIME,
  );

  it(
    'mixed with other text is read or rejected without a crash',
    () => {
      const soup = fc
        .array(
          fc.oneof(
            element.map(({ xml }) => xml),
            fc.string(),
            fc.constantFrom('<', '</a>', '&', ']]>', '<!', '<?xml'),
          ),
        )
        .map((each) => each.join(''));
      fc.assert(
        fc.property(soup, (text) => {
          expectWithinOneSecond(() => {
            try {
              parseXml(text);
            } catch (error) {
              expect(error).toBeInstanceOf(UnreadableResponse);
            }
          });
        }),
        RUNS,
      );
    },
    TIME,
  );
});
