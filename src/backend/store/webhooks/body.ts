import type { JsonValue } from '../../../billing/index.ts';
// Past the client's face, which would load the client: reading needs none.
import {
  formPair,
  formPairs,
  hintsOf,
  parseWebhookBody,
  type WebhookBody,
  type WebhookHints,
} from '../../../billing/webhook-body.ts';

export type BodyForm = WebhookBody['form'];

/** The ids a webhook's body names. They are hints: nothing depends on a body having them. */
export interface BodyHints {
  subscription_id: number | null;
  statement_id: number | null;
  component_id: number | null;
  component_name: string | null;
}

/** What is stored of a body: the text as posted (JSON where a value was sent), its form and its hints. */
export function bodyToStore(body: JsonValue): { text: string; form: BodyForm; hints: BodyHints } {
  const form = typeof body === 'string' ? plainForm(body) : null;
  if (form !== null) {
    const pairs = tellingPairs(form);
    return { text: body as string, form: 'form', hints: hintsIn(pairs, hintsOf(pairs)) };
  }
  const read = parseWebhookBody(body);
  const text = typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body);
  return { text, form: read.form, hints: hintsIn(read.pairs, read.hints) };
}

function hintsIn(pairs: WebhookBody['pairs'], hints: WebhookHints): BodyHints {
  return {
    subscription_id: hints.subscription_id ?? null,
    statement_id: hints.statement_id ?? null,
    component_id: hints.component_id ?? null,
    component_name: pairs.find(([key]) => COMPONENT_NAME.test(key))?.[1] || null,
  };
}

/** The text of a body that can be nothing but a form; null where it is to be looked at. */
function plainForm(body: string): string | null {
  const text = body.trim();
  return text.startsWith('{') || !text.includes('=') ? null : text;
}

const COMPONENT_NAME = /^(?:payload\[component\]|component)\[name\]$/;

/** The pairs of a form that can hold a hint: a body has some forty others, and a sync takes in a million bodies. */
function tellingPairs(text: string): WebhookBody['pairs'] {
  const pairs: WebhookBody['pairs'] = [];
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', equals + 1)) {
    if (!isTelling(text, equals)) continue;
    const start = text.lastIndexOf('&', equals) + 1;
    // What stands behind the first sign of a part is its value.
    if (text.indexOf('=', start) === equals) pairs.push(formPair(partAt(text, start)));
  }
  return pairs;
}

/** Whether a key that ends here names an id or a component's name: `…[id]`, `…_id`, `…component][name]`, brackets escaped or not. */
function isTelling(text: string, end: number): boolean {
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

/** What is longer tells no figure and names nothing. */
const LONGEST_TELLING = 300;

/** The fields of a stored body that may tell of a statement or its transactions, for `tellingOf`. */
export function tellingFields(text: string, form: BodyForm): { key: string; value: string }[] {
  const pairs =
    form === 'form' ? formPairs(partsNaming(text, ['statement', 'transaction'])) : storedPairs(text, form);
  return pairs.map(([key, value]) => ({ key, value }));
}

/** The parts of a form whose key has one of these words, in order. Most parts have none, so they are not taken apart. */
function partsNaming(text: string, words: readonly string[]): string {
  const starts = new Set<number>();
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const start = text.lastIndexOf('&', at) + 1;
      if (text.indexOf('=', start) > at) starts.add(start);
    }
  }
  return [...starts]
    .sort((a, b) => a - b)
    .map((start) => partAt(text, start))
    .filter((part) => part.length < LONGEST_TELLING)
    .join('&');
}

function partAt(text: string, start: number): string {
  const end = text.indexOf('&', start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}

/** The pairs of a stored body, in the order sent. */
export function storedPairs(text: string, form: BodyForm): [key: string, value: string][] {
  if (form === 'unreadable') return [];
  return parseWebhookBody(form === 'object' ? (JSON.parse(text) as JsonValue) : text).pairs;
}

/** `payload[subscription][id]` as `payload.subscription.id`. */
export function dottedKey(key: string): string {
  return key.includes('[')
    ? key.replace(/\[([^\]]*)\]/g, (_, name: string) => (name === '' ? '' : `.${name}`))
    : key;
}
