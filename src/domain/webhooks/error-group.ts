const LONGEST = 160;

/** Group of failures without an error text. */
export const NO_ERROR_TEXT = '(no error text)';

/**
 * Returns the group of an error. Removes addresses, ids and numbers from a `last_error` and keeps the HTTP status at its
 * start: `503 Service Unavailable (retry 2 of 5)` and `… (retry 3 of 5)` are one group.
 */
export function errorGroup(error: string | null): string {
  const text = (error ?? '').replace(/\s+/g, ' ').trim();
  if (text === '') return NO_ERROR_TEXT;
  const status = /^(?:HTTP(?:\/[\d.]+)? ?)?([1-5]\d\d)(?![\w.])/i.exec(text);
  const rest = status === null ? text : text.slice(status[0].length);
  const group =
    (status?.[1] ?? '') +
    rest
      .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]+/gi, '<url>')
      .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>')
      .replace(/\b(?:\d{1,3}\.){3}\d{1,3}\b(?::\d+)?/g, '<address>')
      .replace(/\b(?=[a-z]*\d)[0-9a-f]{8,}\b/gi, '<id>')
      .replace(/\d+(?:[.,:]\d+)*/g, '#');
  return group.length <= LONGEST ? group : `${group.slice(0, LONGEST - 1)}…`;
}

/** Returns the words that every error of a group contains unchanged, for the search index. */
export function wordsOfGroup(group: string): string[] {
  return group === NO_ERROR_TEXT
    ? []
    : group.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word) && !/[#<>…]/.test(word));
}
