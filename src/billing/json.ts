import { exactNumber } from './decimal.ts';
import { Unreadable } from './unreadable.ts';
import { DEPTH_CAP, type JsonValue } from './value.ts';

/** Above this size a text's nesting is counted before it is parsed: below, even the worst nesting takes little memory. */
const COUNT_DEPTH_FROM = 1_000_000;

function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at = endOfString(text, at + 1);
    } else if (code === 91 || code === 123) {
      if (++depth > most) most = depth;
      if (most > DEPTH_CAP) return most;
    } else if (code === 93 || code === 125) {
      depth--;
    }
  }
  return most;
}

/** Where the string that began before `at` ends: the next quote that no backslash takes away. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (before >= at && text.charCodeAt(before) === 92) before--;
    if ((quote - before) % 2 === 1) return quote;
  }
  return text.length;
}

type Reviver = (key: string, value: JsonValue, context: { source?: string }) => JsonValue;
const parse = JSON.parse as (text: string, reviver?: Reviver) => JsonValue;

/**
 * A JSON text as values. With `exactly`, a number that a double cannot hold becomes its source text; that costs ten
 * times as much and is asked for only where the plain reading met such a number.
 */
export function parseJson(text: string, exactly = false): JsonValue {
  if (text.length > COUNT_DEPTH_FROM && deepest(text) > DEPTH_CAP) {
    throw new Unreadable(`is nested deeper than ${DEPTH_CAP}`, false);
  }
  try {
    if (!exactly) return parse(text);
    return parse(text, (_key, value, { source }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined
        ? exactNumber(source)
        : value,
    );
  } catch {
    throw new Unreadable('is cut off or is not JSON', true);
  }
}
