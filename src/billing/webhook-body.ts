import { DEPTH_CAP, isObject, type JsonObject, type JsonValue, nestsWithin, put } from './value.ts';

/** What a webhook body is about, as far as it tells; hints for discovery, never facts to rely on. */
export interface WebhookHints {
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
  /** Every leaf in order, keys in bracket notation (`payload[subscription][id]`), repeated keys kept. */
  pairs: [key: string, value: string][];
  /** The same as a tree: indexed keys are arrays, and so are repeated ones. */
  tree: JsonObject;
  hints: WebhookHints;
}

/** Levels of a key; what is deeper stays in the last part of the key. */
const LEVELS = 32;

/** A text of a form: `+` is a space, `%XX` is UTF-8. What is not valid stays as it stands. */
function unescaped(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** The pairs of a form, in order, repeated keys kept. Never throws. */
export function formPairs(body: string): WebhookBody['pairs'] {
  return body
    .split('&')
    .filter((part) => part !== '')
    .map(formPair);
}

/** A part of a form as a pair; one without a sign has no value. Never throws. */
export function formPair(part: string): [key: string, value: string] {
  const equals = part.indexOf('=');
  return equals < 0
    ? [unescaped(part), '']
    : [unescaped(part.slice(0, equals)), unescaped(part.slice(equals + 1))];
}

/** `a[b][][0]` as `a`, `b`, ``, `0`; a key that is not of that form is one part. */
function keyParts(key: string): string[] {
  const open = key.indexOf('[');
  if (open <= 0 || !key.endsWith(']')) return [key];
  const inner = key.slice(open + 1, -1).split('][', LEVELS + 1);
  if (inner.length > LEVELS || inner.some((part) => /[[\]]/.test(part))) return [key];
  return [key.slice(0, open), ...inner];
}

/** A branch while the tree grows: children by name in order, and leaves put on the branch itself. */
interface Branch {
  children: Map<string, Branch>;
  leaves: string[];
}

function grow(pairs: readonly (readonly [string, string])[]): Branch {
  const root: Branch = { children: new Map(), leaves: [] };
  for (const [key, value] of pairs) {
    let branch = root;
    for (const part of keyParts(key)) {
      let child = branch.children.get(part);
      if (child === undefined) {
        child = { children: new Map(), leaves: [] };
        branch.children.set(part, child);
      }
      branch = child;
    }
    branch.leaves.push(value);
  }
  return root;
}

/** `[]` and `[0][1]…` are arrays, the rest objects. */
function harvest(branch: Branch): JsonValue {
  const { children, leaves } = branch;
  if (children.size === 0) return leaves.length === 1 ? (leaves[0] as string) : leaves;
  if (leaves.length > 0) return gathered(branch);
  const names = [...children.keys()];
  if (names.every((name, index) => name === String(index))) return [...children.values()].map(harvest);
  const appended = names.length === 1 ? children.get('') : undefined;
  return appended !== undefined && appended.children.size === 0 ? appended.leaves : gathered(branch);
}

/** A branch that has both a value and children keeps the value under the empty name. */
function gathered({ children, leaves }: Branch): JsonObject {
  const object: JsonObject = {};
  if (leaves.length > 0) put(object, '', leaves.length === 1 ? (leaves[0] as string) : leaves);
  for (const [name, child] of children) {
    put(object, name === '' && leaves.length > 0 ? '[]' : name, harvest(child));
  }
  return object;
}

function leavesOf(value: JsonValue, key: string, pairs: [string, string][]): void {
  if (typeof value !== 'object' || value === null) {
    pairs.push([key, value === null ? '' : String(value)]);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    leavesOf(inner, key === '' ? name : `${key}[${name}]`, pairs);
  }
}

const own = (name: string) => [[name, 'id'], [`${name}_id`]];
/** Where the service's payloads are known to hold which id, the surest place first. */
const ID_PLACES = {
  event_id: [['event_id']],
  site_id: own('site'),
  subscription_id: [
    ...own('subscription'),
    ...[
      ['statement', 'subscription_id'],
      ['transaction', 'subscription_id'],
    ],
  ],
  component_id: own('component'),
  statement_id: [...own('statement'), ['transaction', 'statement_id']],
  customer_id: [...own('customer'), ['subscription', 'customer', 'id']],
  product_id: [...own('product'), ['subscription', 'product', 'id']],
  transaction_id: own('transaction'),
};
const inBrackets = ([first, ...rest]: readonly string[]) => first + rest.map((part) => `[${part}]`).join('');
const keysOf = (paths: readonly (readonly string[])[]) => [
  ...paths.map((path) => inBrackets(['payload', ...path])),
  // A payload may also stand without its `payload` key.
  ...paths.map(inBrackets),
];
/** What a key tells, and how many keys that tell the same are surer. */
interface Place {
  hint: keyof WebhookHints;
  rank: number;
}

const PLACES = new Map<string, Place>([
  ['id', { hint: 'webhook_id', rank: 0 }],
  ['event', { hint: 'event', rank: 0 }],
  ...Object.entries({ ...ID_PLACES, subdomain: [['site', 'subdomain']] }).flatMap(([hint, paths]) =>
    keysOf(paths).map((key, rank): [string, Place] => [key, { hint: hint as keyof WebhookHints, rank }]),
  ),
]);

/** The id a text means: JSON's numbers that a double cannot hold are none. */
function asId(text: string): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** What the pairs of a body are about. A key that occurs twice with a value tells nothing; one without a value is as good as none. */
export function hintsOf(pairs: WebhookBody['pairs']): WebhookHints {
  const told = new Map<Place, string | null>();
  for (const [key, value] of pairs) {
    const place = PLACES.get(key);
    if (place !== undefined && value !== '') told.set(place, told.has(place) ? null : value);
  }
  const hints: WebhookHints = {};
  const ranks = new Map<keyof WebhookHints, number>();
  for (const [{ hint, rank }, value] of told) {
    if (value === null || rank >= (ranks.get(hint) ?? Number.POSITIVE_INFINITY)) continue;
    if (hint === 'event' || hint === 'subdomain') {
      hints[hint] = value;
    } else {
      const id = asId(value);
      if (id === undefined) continue;
      hints[hint] = id;
    }
    ranks.set(hint, rank);
  }
  // Without a payload beside it, an `id` may be anything's.
  if (hints.webhook_id !== undefined && !pairs.some(([key]) => key.startsWith('payload[')))
    delete hints.webhook_id;
  return hints;
}

function fromTree(form: 'json' | 'object', tree: JsonObject): WebhookBody {
  const pairs: [string, string][] = [];
  leavesOf(tree, '', pairs);
  return { form, pairs, tree, hints: hintsOf(pairs) };
}

/**
 * What a webhook's `body` says, whatever its form: form text (the real service), JSON text, or an object. Never throws;
 * what is none of these, or nests without end, is `unreadable` and has no pairs. Numbers of JSON text that a double cannot hold are not ids.
 */
export function parseWebhookBody(body: JsonValue): WebhookBody {
  if (isObject(body) && nestsWithin(body, DEPTH_CAP)) return fromTree('object', body);
  const text = typeof body === 'string' ? body.trim() : '';
  if (text.startsWith('{')) {
    const tree = jsonOrNull(text);
    if (isObject(tree) && nestsWithin(tree, DEPTH_CAP)) return fromTree('json', tree);
  }
  if (!text.includes('=')) return { form: 'unreadable', pairs: [], tree: {}, hints: {} };
  const pairs = formPairs(text);
  const tree = gathered(grow(pairs));
  return { form: 'form', pairs, tree, hints: hintsOf(pairs) };
}

function jsonOrNull(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
