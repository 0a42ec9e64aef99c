import fc from 'fast-check';
import type { WebhookSort } from '../../../../src/backend/store/webhooks/webhook-list-plan.ts';
import { parseInstant, parseWebhookBody, type Webhook } from '../../../../src/billing/index.ts';
import type { WebhookFilter } from '../../../../src/contract/index.ts';
import { createWebhook, formatServiceTime, T0 } from '../sample-records.ts';

/** Reference model of the webhook list: filters and sorts an array. The database must agree with it. */

const HOUR = 3_600_000;
const events = ['payment_success', 'payment_failure', 'refund.ok', 'renewal_success'];
const urls = [
  'https://shop.example.com/hooks?sig=1',
  'https://shop.example.com/hooks?sig=2',
  'https://old.example.com/',
];
const errors = [
  '503 Service Unavailable (retry 1 of 5)',
  '503 Service Unavailable (retry 2 of 5)',
  'connection refused',
];
const names = ['Anna Larsson', 'Bertil Larsson', 'anna_b Lind'];

/** A few instants over five days, including midnights, so that ties and boundaries are common. Sometimes null. */
const arbitraryTime = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 5, 17))
    .map(([days, hours]) => formatServiceTime(T0 + (days * 24 + hours) * HOUR)),
  { freq: 10 },
);

const arbitraryWebhook: fc.Arbitrary<Webhook> = fc
  .record({
    id: fc.integer({ min: 1, max: 60 }),
    event: fc.constantFrom(...events),
    successful: fc.boolean(),
    created_at: arbitraryTime,
    last_sent_at: arbitraryTime,
    last_sent_url: fc.option(fc.constantFrom(...urls)),
    last_error: fc.option(fc.constantFrom(...errors)),
    subscription: fc.integer({ min: 1, max: 4 }),
    statement: fc.option(fc.integer({ min: 1, max: 3 })),
    name: fc.constantFrom(...names),
  })
  .map(({ subscription, statement, name, ...row }) =>
    createWebhook({
      ...row,
      last_error: row.successful ? null : row.last_error,
      body:
        `id=${row.id}&event=${row.event}&payload[subscription][id]=${subscription}` +
        `${statement === null ? '' : `&payload[statement][id]=${statement}`}&payload[customer][name]=${encodeURIComponent(name)}`,
    }),
  );

export const arbitraryLog = fc.array(arbitraryWebhook, { maxLength: 60, size: 'max' });

const day = fc
  .integer({ min: -1, max: 6 })
  .map((days) => formatServiceTime(T0 + days * 24 * HOUR).slice(0, 10));
const groups = [
  '503 Service Unavailable (retry # of #)',
  'connection refused',
  '(no error text)',
  'unheard of',
];
const searches = [
  'anna',
  'larsson',
  '"anna larsson"',
  '"larsson anna"',
  'ann*',
  'anna 503',
  'payment_success',
  '3',
  '!?',
  ' ',
];

/** Instants of webhooks, and instants next to them. */
const someInstant = fc
  .tuple(fc.integer({ min: -1, max: 5 }), fc.constantFrom(0, 5, 17), fc.constantFrom(-1, 0, 1))
  .map(([days, hours, off]) => new Date(T0 + (days * 24 + hours) * HOUR + off).toISOString());

const filters: { [Name in keyof WebhookFilter]-?: fc.Arbitrary<WebhookFilter[Name]> } = {
  status: fc.constantFrom('successful', 'failed', 'pending'),
  event: fc.subarray(events),
  since: day,
  until: day,
  from: someInstant,
  to: someInstant,
  search: fc.constantFrom(...searches),
  subscription_id: fc.integer({ min: 1, max: 4 }),
  statement_id: fc.integer({ min: 1, max: 3 }),
  url: fc.constantFrom(...urls),
  error: fc.constantFrom(...groups),
};

/** At most three filters, so that results are rarely empty. */
export const arbitraryFilter: fc.Arbitrary<WebhookFilter> = fc
  .subarray(Object.keys(filters) as (keyof WebhookFilter)[], { maxLength: 3 })
  .chain((names) => fc.record<WebhookFilter>(Object.fromEntries(names.map((name) => [name, filters[name]]))));

export const arbitrarySort: fc.Arbitrary<WebhookSort> = fc.record({
  by: fc.constantFrom('created_at', 'last_sent_at', 'event', 'id'),
  direction: fc.constantFrom('asc', 'desc'),
});

/** Returns the stored rows: of several rows with one id, the last written one. */
export function getStoredRows(rows: readonly Webhook[]): Webhook[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

const getDeliveryState = (row: Webhook) =>
  row.successful
    ? 'successful'
    : row.last_error === null && row.last_error_at === null
      ? 'pending'
      : 'failed';

export function getErrorGroup(row: Webhook): string | null {
  if (getDeliveryState(row) !== 'failed') return null;
  return row.last_error === null ? '(no error text)' : row.last_error.replace(/\d of \d/, '# of #');
}

const stripQuery = (url: string | null) => url?.replace(/\?.*/, '') ?? null;

export function matches(row: Webhook, filter: WebhookFilter): boolean {
  const { hints } = parseWebhookBody(row.body);
  const date = row.created_at?.slice(0, 10);
  const delivery = getDeliveryState(row);
  const at = row.created_at === null ? null : parseInstant(row.created_at);
  return (
    (filter.status === undefined ||
      delivery === filter.status ||
      (filter.status === 'failed' && delivery === 'pending')) &&
    (filter.event === undefined || filter.event.includes(row.event)) &&
    (filter.since === undefined || (date !== undefined && date >= filter.since)) &&
    (filter.until === undefined || (date !== undefined && date <= filter.until)) &&
    (filter.from === undefined || (at !== null && at >= Date.parse(filter.from))) &&
    (filter.to === undefined || (at !== null && at <= Date.parse(filter.to))) &&
    (filter.subscription_id === undefined || hints.subscription_id === filter.subscription_id) &&
    (filter.statement_id === undefined || hints.statement_id === filter.statement_id) &&
    (filter.url === undefined || stripQuery(row.last_sent_url) === stripQuery(filter.url)) &&
    (filter.error === undefined || getErrorGroup(row) === filter.error) &&
    (filter.search === undefined || filter.search.trim() === '' || matchesSearch(row, filter.search))
  );
}

/** Returns the words of a text as the full-text index splits them. */
const splitWords = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u);

function matchesSearch(row: Webhook, search: string): boolean {
  const values = parseWebhookBody(row.body).pairs.map(([, value]) => value);
  const texts = [values.join(' '), `${row.id} ${row.event}`, row.last_error ?? ''].map(splitWords);
  const terms = search.match(/"[^"]*"|[^\s"]+/g) ?? [];
  const sought = terms.filter((term) => /[\p{L}\p{N}]/u.test(term));
  return sought.length > 0 && sought.every((term) => texts.some((words) => hasTerm(words, term)));
}

function hasTerm(words: string[], term: string): boolean {
  if (term.endsWith('*')) return words.some((word) => word.startsWith(term.slice(0, -1).toLowerCase()));
  const phrase = splitWords(term.replaceAll('"', ''));
  return words.some((_, at) => phrase.every((word, offset) => words[at + offset] === word));
}

/** Returns the filtered rows in sort order. */
export function listExpected(
  rows: readonly Webhook[],
  filter: WebhookFilter,
  { by, direction }: WebhookSort,
): Webhook[] {
  const time = (text: string | null) => (text === null ? 0 : parseInstant(text)!);
  const search = filter.search !== undefined && filter.search.trim() !== '';
  const keys: Record<WebhookSort['by'], (row: Webhook) => (number | string)[]> = {
    id: (row) => [row.id],
    created_at: (row) => (search ? [row.id] : [time(row.created_at), row.id]),
    last_sent_at: (row) => [time(row.last_sent_at), row.id],
    event: (row) => [row.event, time(row.created_at), row.id],
  };
  const compare = (a: Webhook, b: Webhook): number => {
    const [left, right] = [keys[by](a), keys[by](b)];
    const at = left.findIndex((value, index) => value !== right[index]);
    return at < 0 ? 0 : left[at]! < right[at]! ? -1 : 1;
  };
  const sorted = rows.filter((row) => matches(row, filter)).sort(compare);
  return direction === 'asc' ? sorted : sorted.reverse();
}
