import {
  isJsonObject,
  isNestedAtMost,
  type JsonObject,
  type JsonValue,
  MAX_NESTING_DEPTH,
  setOwnProperty,
} from '../formats/json-value.ts';

/** Ids in a webhook body. Used only for discovery, because the interface does not document the body. */
export interface WebhookBodyIds {
  webhook_id?: number;
  event?: string;
  event_id?: number;
  site_id?: number;
  subdomain?: string;
  subscription_id?: number;
  component_id?: number;
  statement_id?: number;
  customer_id?: number;
  product_id?: number;
  transaction_id?: number;
}

export interface WebhookBody {
  form: 'form' | 'json' | 'object' | 'unreadable';
  /** All key-value pairs in order, including repeated keys. Nested keys use brackets (`payload[subscription][id]`). */
  pairs: [key: string, value: string][];
  /** The key-value pairs as a tree. Indexed and repeated keys become arrays. */
  tree: JsonObject;
  hints: WebhookBodyIds;
}

/** Maximum number of key levels. Deeper levels remain part of the last key. Chosen by judgment. */
const MAX_KEY_LEVELS = 32;

/** Decodes form-encoded text, in which `+` is a space and `%XX` is UTF-8. Invalid sequences stay unchanged. */
function decodeFormText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Parses form-encoded pairs in order, including those with repeated keys. Never throws. */
export function parseFormPairs(body: string): WebhookBody['pairs'] {
  return body
    .split('&')
    .filter((part) => part !== '')
    .map(parseFormPair);
}

/** Parses one form-encoded pair. The value is empty if there is no `=`. Never throws. */
export function parseFormPair(part: string): [key: string, value: string] {
  const equals = part.indexOf('=');
  return equals < 0
    ? [decodeFormText(part), '']
    : [decodeFormText(part.slice(0, equals)), decodeFormText(part.slice(equals + 1))];
}

/** Splits a key such as `a[b][][0]` into `a`, `b`, an empty part and `0`. A key in any other form is a single part. */
function splitKey(key: string): string[] {
  const open = key.indexOf('[');
  if (open <= 0 || !key.endsWith(']')) return [key];
  const inner = key.slice(open + 1, -1).split('][', MAX_KEY_LEVELS + 1);
  if (inner.length > MAX_KEY_LEVELS || inner.some((part) => /[[\]]/.test(part))) return [key];
  return [key.slice(0, open), ...inner];
}

/** Node of the key tree, with its children by name in order and the values set on the node itself. */
interface KeyNode {
  children: Map<string, KeyNode>;
  leaves: string[];
}

function buildKeyTree(pairs: readonly (readonly [string, string])[]): KeyNode {
  const root: KeyNode = { children: new Map(), leaves: [] };
  for (const [key, value] of pairs) {
    let node = root;
    for (const part of splitKey(key)) {
      let child = node.children.get(part);
      if (child === undefined) {
        child = { children: new Map(), leaves: [] };
        node.children.set(part, child);
      }
      node = child;
    }
    node.leaves.push(value);
  }
  return root;
}

/** Converts a branch of the key tree. `[]` and `[0][1]…` become arrays; other keys become objects. */
function toJsonValue(branch: KeyNode): JsonValue {
  const { children, leaves } = branch;
  if (children.size === 0) return leaves.length === 1 ? (leaves[0] as string) : leaves;
  if (leaves.length > 0) return toJsonObject(branch);
  const names = [...children.keys()];
  if (names.every((name, index) => name === String(index))) return [...children.values()].map(toJsonValue);
  const appended = names.length === 1 ? children.get('') : undefined;
  return appended !== undefined && appended.children.size === 0 ? appended.leaves : toJsonObject(branch);
}

/** Converts a node of the key tree to an object. A node's own values are stored under an empty property name. */
function toJsonObject({ children, leaves }: KeyNode): JsonObject {
  const object: JsonObject = {};
  if (leaves.length > 0) setOwnProperty(object, '', leaves.length === 1 ? (leaves[0] as string) : leaves);
  for (const [name, child] of children) {
    setOwnProperty(object, name === '' && leaves.length > 0 ? '[]' : name, toJsonValue(child));
  }
  return object;
}

function collectLeaves(value: JsonValue, key: string, pairs: [string, string][]): void {
  if (typeof value !== 'object' || value === null) {
    pairs.push([key, value === null ? '' : String(value)]);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    collectLeaves(inner, key === '' ? name : `${key}[${name}]`, pairs);
  }
}

const ownIdPaths = (name: string) => [[name, 'id'], [`${name}_id`]];
/** Paths at which the service's payloads contain each kind of id, most reliable first. */
const ID_PATHS = {
  event_id: [['event_id']],
  site_id: ownIdPaths('site'),
  subscription_id: [
    ...ownIdPaths('subscription'),
    ...[
      ['statement', 'subscription_id'],
      ['transaction', 'subscription_id'],
    ],
  ],
  component_id: ownIdPaths('component'),
  statement_id: [...ownIdPaths('statement'), ['transaction', 'statement_id']],
  customer_id: [...ownIdPaths('customer'), ['subscription', 'customer', 'id']],
  product_id: [...ownIdPaths('product'), ['subscription', 'product', 'id']],
  transaction_id: ownIdPaths('transaction'),
};
const toBracketKey = ([first, ...rest]: readonly string[]) =>
  first + rest.map((part) => `[${part}]`).join('');
const toBracketKeys = (paths: readonly (readonly string[])[]) => [
  ...paths.map((path) => toBracketKey(['payload', ...path])),
  // The fields may also be sent at the top level, without the `payload` key.
  ...paths.map(toBracketKey),
];
/** Kind of id that a key contains. A key with a lower rank is more reliable. */
interface HintSource {
  hint: keyof WebhookBodyIds;
  rank: number;
}

const HINT_SOURCES = new Map<string, HintSource>([
  ['id', { hint: 'webhook_id', rank: 0 }],
  ['event', { hint: 'event', rank: 0 }],
  ...Object.entries({ ...ID_PATHS, subdomain: [['site', 'subdomain']] }).flatMap(([hint, paths]) =>
    toBracketKeys(paths).map((key, rank): [string, HintSource] => [
      key,
      { hint: hint as keyof WebhookBodyIds, rank },
    ]),
  ),
]);

/** Parses a text as an id. Returns undefined if it is not a positive safe integer. */
function parseId(text: string): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** Finds the ids in a body's pairs. Ignores keys with several values or an empty value. */
export function findWebhookBodyIds(pairs: WebhookBody['pairs']): WebhookBodyIds {
  const values = new Map<HintSource, string | null>();
  for (const [key, value] of pairs) {
    const source = HINT_SOURCES.get(key);
    if (source !== undefined && value !== '') values.set(source, values.has(source) ? null : value);
  }
  const hints: WebhookBodyIds = {};
  for (const [{ hint }, value] of [...values].sort(([a], [b]) => a.rank - b.rank)) {
    if (value !== null && hints[hint] === undefined) setHint(hints, hint, value);
  }
  // Without the `payload` key, a top-level `id` may be the id of any kind of record.
  if (!pairs.some(([key]) => key.startsWith('payload['))) delete hints.webhook_id;
  return hints;
}

function setHint(hints: WebhookBodyIds, hint: keyof WebhookBodyIds, value: string): void {
  if (hint === 'event' || hint === 'subdomain') {
    hints[hint] = value;
    return;
  }
  const id = parseId(value);
  if (id !== undefined) hints[hint] = id;
}

function fromTree(form: 'json' | 'object', tree: JsonObject): WebhookBody {
  const pairs: [string, string][] = [];
  collectLeaves(tree, '', pairs);
  return { form, pairs, tree, hints: findWebhookBodyIds(pairs) };
}

/**
 * Parses a webhook's `body` in any form: form-encoded text (as sent by the service), JSON text or an object. Never
 * throws. Anything else, and anything nested too deeply, is `unreadable` and has no pairs. JSON numbers that a double
 * cannot represent are not used as ids.
 */
export function parseWebhookBody(body: JsonValue): WebhookBody {
  if (isJsonObject(body) && isNestedAtMost(body, MAX_NESTING_DEPTH)) return fromTree('object', body);
  const text = typeof body === 'string' ? body.trim() : '';
  if (text.startsWith('{')) {
    const tree = parseJsonOrNull(text);
    if (isJsonObject(tree) && isNestedAtMost(tree, MAX_NESTING_DEPTH)) return fromTree('json', tree);
  }
  if (!text.includes('=')) return { form: 'unreadable', pairs: [], tree: {}, hints: {} };
  const pairs = parseFormPairs(text);
  const tree = toJsonObject(buildKeyTree(pairs));
  return { form: 'form', pairs, tree, hints: findWebhookBodyIds(pairs) };
}

function parseJsonOrNull(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
