import type { JsonValue } from '../../billing/index.ts';
// Past the client's face, which would load the client: reading needs none.
import { formPairs, parseWebhookBody, type WebhookBody } from '../../billing/webhook-body.ts';

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
  const { form, pairs, hints } = parseWebhookBody(typeof body === 'string' ? telling(body) : body);
  return {
    text: typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body),
    form,
    hints: {
      subscription_id: hints.subscription_id ?? null,
      statement_id: hints.statement_id ?? null,
      component_id: hints.component_id ?? null,
      component_name: pairs.find(([key]) => COMPONENT_NAME.test(key))?.[1] || null,
    },
  };
}

const COMPONENT_NAME = /^(?:payload\[component\]|component)\[name\]$/;
/** How the key of a part ends that can hold a hint, with what stands behind it. */
const TELLING = ['[id]=', '_id]=', '_id=', 'component][name]=', 'component[name]='];

/**
 * The parts of a form that can hold a hint: a body has some forty others, and a sync takes in a million bodies. What is
 * not plainly a form is left whole.
 */
function telling(body: string): string {
  const text = body.trim();
  if (text.includes('%5B') || text.includes('%5b') || text.startsWith('{')) return text;
  const starts = new Set<number>();
  for (const ending of TELLING) {
    for (let at = text.indexOf(ending); at >= 0; at = text.indexOf(ending, at + 1)) {
      const start = text.lastIndexOf('&', at) + 1;
      if (text.indexOf('=', start) === at + ending.length - 1) starts.add(start);
    }
  }
  if (starts.size === 0) return text;
  const parts = [...starts].sort((a, b) => a - b).map((start) => partAt(text, start));
  // A space at a part's edge belongs to it; at the edge of a whole body it would be cut off.
  return `&${parts.join('&')}&`;
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
