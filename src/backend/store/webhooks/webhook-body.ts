import type { JsonValue } from '../../../billing/index.ts';
// Imported without the billing index, which would also load the HTTP client.
import {
  findWebhookBodyIds,
  parseFormPair,
  parseFormPairs,
  parseWebhookBody,
  type WebhookBody,
  type WebhookBodyIds,
} from '../../../billing/records/webhook-body.ts';

export type WebhookBodyForm = WebhookBody['form'];

/** Ids named in a webhook body. Each of them may be missing. */
export interface WebhookBodyHints {
  subscription_id: number | null;
  statement_id: number | null;
  component_id: number | null;
  component_name: string | null;
}

/**
 * Returns the text of a webhook body as it is stored (JSON if the body was not a string), its form and its hints. The
 * database stores an unpaired surrogate as U+FFFD.
 */
export function toStoredWebhookBody(body: JsonValue): {
  text: string;
  form: WebhookBodyForm;
  hints: WebhookBodyHints;
} {
  const form = typeof body === 'string' ? toPlainForm(body) : null;
  if (form !== null) {
    const pairs = parseHintPairs(form);
    return {
      text: (body as string).toWellFormed(),
      form: 'form',
      hints: toBodyHints(pairs, findWebhookBodyIds(pairs)),
    };
  }
  const read = parseWebhookBody(body);
  const text = typeof body === 'string' ? body.toWellFormed() : body === null ? '' : JSON.stringify(body);
  return { text, form: read.form, hints: toBodyHints(read.pairs, read.hints) };
}

function toBodyHints(pairs: WebhookBody['pairs'], hints: WebhookBodyIds): WebhookBodyHints {
  return {
    subscription_id: hints.subscription_id ?? null,
    statement_id: hints.statement_id ?? null,
    component_id: hints.component_id ?? null,
    component_name: pairs.find(([key]) => COMPONENT_NAME.test(key))?.[1] || null,
  };
}

/** Returns the text of a body that is clearly form-encoded, or null if only parsing can determine its form. */
function toPlainForm(body: string): string | null {
  const text = body.trim();
  return text.startsWith('{') || !text.includes('=') ? null : text;
}

const COMPONENT_NAME = /^(?:payload\[component\]|component)\[name\]$/;

/** Returns the key-value pairs that may contain a hint. Parsing all of the about forty pairs would be slow. */
function parseHintPairs(text: string): WebhookBody['pairs'] {
  const pairs: WebhookBody['pairs'] = [];
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', equals + 1)) {
    if (!isHintKey(text, equals)) continue;
    const start = text.lastIndexOf('&', equals) + 1;
    // Only the first equals sign of a pair separates key and value.
    if (text.indexOf('=', start) === equals) pairs.push(parseFormPair(getPartAt(text, start)));
  }
  return pairs;
}

/** Returns true if the key that ends at `end` names an id or a component: `…[id]`, `…_id`, `…component][name]`. */
function isHintKey(text: string, end: number): boolean {
  const sign = text.charCodeAt(end - 1);
  const escaped = (sign === 68 || sign === 100) && text.startsWith('%5', end - 3);
  const last = escaped ? end - 3 : sign === 93 ? end - 1 : end;
  switch (text.charCodeAt(last - 1)) {
    case 100:
      return text.startsWith('id', last - 2);
    case 101:
      return (
        text.startsWith('name', last - 4) && text.slice(Math.max(0, last - 24), last).includes('component')
      );
    default:
      return false;
  }
}

/** Maximum length in characters of a pair that is parsed for a figure or an id. */
const MAX_FACT_LENGTH = 300;

/** Returns the fields of a stored webhook body that may describe a statement or its transactions. */
export function parseBodyFactFields(text: string, form: WebhookBodyForm): { key: string; value: string }[] {
  const pairs =
    form === 'form'
      ? parseFormPairs(selectPartsContaining(text, ['statement', 'transaction']))
      : parseStoredWebhookBody(text, form);
  return pairs.map(([key, value]) => ({ key, value }));
}

/** Parts of the keys that contain the ids of the event and of the transaction that a webhook reports. */
const REPORTED_ID_WORDS = ['event_id', 'transaction_id', 'transaction][id', 'transaction%5D%5Bid'];

/** Returns the ids of the event and of the transaction that a stored webhook reports; null if the body has none. */
export function readReportedIds(
  text: string,
  form: WebhookBodyForm,
): { event_id: number | null; transaction_id: number | null } {
  const pairs =
    form === 'form'
      ? parseFormPairs(selectPartsContaining(text, REPORTED_ID_WORDS))
      : parseStoredWebhookBody(text, form);
  const values = new Map(pairs.map(([key, value]) => [toDottedKey(key).replace(/^payload\./, ''), value]));
  const idOf = (...keys: string[]): number | null => {
    const text = keys.map((key) => values.get(key)).find((value) => value !== undefined);
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
  };
  return { event_id: idOf('event_id'), transaction_id: idOf('transaction.id', 'transaction_id') };
}

/** Returns the pairs with one of these words in the key, in order. */
function selectPartsContaining(text: string, words: readonly string[]): string {
  const starts = new Set<number>();
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const start = text.lastIndexOf('&', at) + 1;
      if (text.indexOf('=', start) > at) starts.add(start);
    }
  }
  return [...starts]
    .sort((a, b) => a - b)
    .map((start) => getPartAt(text, start))
    .filter((part) => part.length < MAX_FACT_LENGTH)
    .join('&');
}

function getPartAt(text: string, start: number): string {
  const end = text.indexOf('&', start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}

/** Returns the key-value pairs of a stored webhook body in their original order. */
export function parseStoredWebhookBody(text: string, form: WebhookBodyForm): [key: string, value: string][] {
  if (form === 'unreadable') return [];
  return parseWebhookBody(form === 'object' ? (JSON.parse(text) as JsonValue) : text).pairs;
}

/** Converts a form key to a dotted key, for example `payload[subscription][id]` to `payload.subscription.id`. */
export function toDottedKey(key: string): string {
  return key.includes('[')
    ? key.replace(/\[([^\]]*)\]/g, (_, name: string) => (name === '' ? '' : `.${name}`))
    : key;
}
