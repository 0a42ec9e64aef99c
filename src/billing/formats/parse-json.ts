import { toExactNumber } from './decimal.ts';
import { type JsonValue, MAX_DEPTH } from './json-value.ts';
import { UnreadableResponse } from './unreadable-response.ts';

/** Longer text has its nesting checked before parsing. Shorter text takes little memory at any nesting. */
const MIN_LENGTH_TO_CHECK_NESTING = 1_000_000;

function findMaxNesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at = findEndOfString(text, at + 1);
    } else if (code === 91 || code === 123) {
      if (++depth > deepest) deepest = depth;
      if (deepest > MAX_DEPTH) return deepest;
    } else if (code === 93 || code === 125) {
      depth--;
    }
  }
  return deepest;
}

/** Returns the position of the unescaped closing quote of the string that contains position `at`. */
function findEndOfString(text: string, at: number): number {
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
 * Parses JSON text. With `keepExactNumbers`, a number that a double cannot represent becomes its source text. That takes ten
 * times as long, so callers use it only after meeting such a number.
 */
export function parseJson(text: string, keepExactNumbers = false): JsonValue {
  if (text.length > MIN_LENGTH_TO_CHECK_NESTING && findMaxNesting(text) > MAX_DEPTH) {
    throw new UnreadableResponse(`is nested deeper than ${MAX_DEPTH}`, false);
  }
  try {
    if (!keepExactNumbers) return parse(text);
    return parse(text, (_key, value, { source }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined
        ? toExactNumber(source)
        : value,
    );
  } catch {
    throw new UnreadableResponse('is truncated or is not JSON', true);
  }
}
