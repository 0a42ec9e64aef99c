import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/billing/formats/json-value.ts';
import { parseXml } from '../../src/billing/formats/parse-xml.ts';
import { UnreadableResponseError } from '../../src/billing/formats/unreadable-response.ts';
import { decodeBody, type ResponseReaderName } from '../billing/decode-body.ts';
import { DECLARATION, encodeListXml, encodeRecordXml, escapeXml } from '../billing/record-encoders.ts';
import * as sample from '../billing/sample-records.ts';
import { expectAllRowsAccounted, readOrNull } from './expect-rows-accounted.ts';
import { expectWithinOneSecond, mutateBytes, PROPERTY_TIMEOUT_MS, RUN_OPTIONS } from './mutate-bytes.ts';

/** Random XML must not cause a crash or a hang, and no row or text may be lost silently. */

const statement = { ...sample.statement, events: [sample.event] } as unknown as JsonObject;
const lists: [ResponseReaderName, JsonObject][] = [
  ['webhooks', sample.webhook],
  ['allocations', sample.allocation],
  ['statements', statement],
];

/** Returns the number of child elements of the root. */
function countRows(bytes: Buffer, list: string): number | null {
  const tree = parseXml(bytes.toString('utf8').replace(/^\ufeff/, '')) as JsonObject;
  return Array.isArray(tree[list]) ? (tree[list] as JsonValue[]).length : null;
}

describe.each(lists)('an XML list of %s', (list, row) => {
  it(
    'with changed bytes is rejected, or every row is read or reported',
    () => {
      const page = encodeListXml(list, [row, { ...row, id: 2 }, { ...row, id: 3 }]);
      fc.assert(
        fc.property(mutateBytes(page), (bytes) => {
          const read = readOrNull(() => decodeBody(list, 'xml', bytes));
          if (read === null) return;
          const rows = countRows(bytes, list);
          if (rows !== null) expectAllRowsAccounted(list, rows, read.value as unknown[], read.problems);
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});

describe('an XML statement', () => {
  it(
    'with changed bytes is rejected, read or reported',
    () => {
      fc.assert(
        fc.property(mutateBytes(encodeRecordXml('statement', statement)), (bytes) => {
          const read = readOrNull(() => decodeBody('statement', 'xml', bytes));
          if (read?.value === null)
            expect(read.problems.some(({ outcome }) => outcome === 'rejected')).toBe(true);
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
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

function listLeaves(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.values(value).map(listLeaves).join('');
}

describe('random XML', () => {
  it(
    'preserves every text that is not blank',
    () => {
      const letters = (text: string) => [...text.replace(/\s/g, '')].sort().join('');
      fc.assert(
        fc.property(element, ({ xml, texts }) => {
          const tree = expectWithinOneSecond(() => parseXml(DECLARATION + xml));
          const read = listLeaves(tree);
          // A typed element may use another notation (`011` for 11, `1` for true), so only untyped ones are compared.
          if (!/type="(integer|boolean)"/.test(xml)) expect(letters(read)).toBe(letters(texts.join('')));
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
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
              expect(error).toBeInstanceOf(UnreadableResponseError);
            }
          });
        }),
        RUN_OPTIONS,
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});
