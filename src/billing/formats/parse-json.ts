import { toExactNumber } from './decimal.ts';
import { type JsonValue, MAX_NESTING_DEPTH } from './json-value.ts';
import { UnreadableResponseError } from './unreadable-response.ts';

/** Minimum text length, in characters, at which nesting is checked before parsing. Shorter text takes little memory. */
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
      if (deepest > MAX_NESTING_DEPTH) return deepest;
    } else if (code === 93 || code === 125) {
      depth--;
    }
  }
  return deepest;
}

/** Returns the position of the closing quote of the JSON string that contains position `at`. */
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
 * Parses JSON text. With `keepExactNumbers`, a number that a double cannot represent stays as its source text. This takes
 * ten times as long, so it is only used after such a number has been found.
 */
export function parseJson(text: string, keepExactNumbers = false): JsonValue {
  if (text.length > MIN_LENGTH_TO_CHECK_NESTING && findMaxNesting(text) > MAX_NESTING_DEPTH) {
    throw new UnreadableResponseError(`has more than ${MAX_NESTING_DEPTH} levels of nesting`, false);
  }
  try {
    if (!keepExactNumbers) return parse(text);
    return parse(text, (_key, value, { source }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined
        ? toExactNumber(source)
        : value,
    );
  } catch {
    throw new UnreadableResponseError('is truncated or is not JSON', true);
  }
}
