const LONGEST = 160;

/** Name of the group of delivery errors without an error text. */
export const NO_ERROR_TEXT_GROUP = '(no error text)';

/**
 * Returns the group name of a delivery error: its `last_error` without addresses, ids and numbers, except the HTTP
 * status at its start. `503 Service Unavailable (retry 2 of 5)` and `… (retry 3 of 5)` are in one group.
 */
export function toDeliveryErrorGroup(error: string | null): string {
  const text = (error ?? '').replace(/\s+/g, ' ').trim();
  if (text === '') return NO_ERROR_TEXT_GROUP;
  const status = /^(?:HTTP(?:\/[\d.]+)? ?)?([1-5]\d\d)(?![\w.])/i.exec(text);
  const message = status === null ? text : text.slice(status[0].length);
  const group =
    (status?.[1] ?? '') +
    message
      .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]+/gi, '<url>')
      .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>')
      .replace(/\b(?:\d{1,3}\.){3}\d{1,3}\b(?::\d+)?/g, '<address>')
      .replace(/\b(?=[a-z]*\d)[0-9a-f]{8,}\b/gi, '<id>')
      .replace(/\d+(?:[.,:]\d+)*/g, '#');
  return group.length <= LONGEST ? group : `${group.slice(0, LONGEST - 1)}…`;
}

/** Returns the words that every error of a group contains unchanged. The search index uses them. */
export function findSharedErrorWords(group: string): string[] {
  return group === NO_ERROR_TEXT_GROUP
    ? []
    : group.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word) && !/[#<>…]/.test(word));
}
