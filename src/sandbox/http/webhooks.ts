import type { Selection, Status } from '../deliveries/log.ts';
import { DAY, validDate } from '../zone.ts';
import { type Ask, count } from './ask.ts';
import { invalid, type Reply } from './reply.ts';

/** Section 4.1. */
export function listWebhooks(ask: Ask): Reply {
  const { service, query } = ask;
  const refused = service.choices.invalidFilter === 'refuse' ? invalidFilters(query) : [];
  if (refused.length > 0) return invalid(...refused);
  const perPage = count(query, 'per_page', 20, service.choices.maxPerPage);
  const page = count(query, 'page', 1);
  const rows = service.log.rows(selection(ask), (page - 1) * perPage, perPage);
  const values = rows.map((row) => service.log.entity(row));
  return { kind: 'list', status: 200, name: 'webhooks', item: 'webhook', values, wrapped: true };
}

function selection({ service, query }: Pick<Ask, 'service' | 'query'>): Selection {
  const { zone, choices } = service.site;
  const day = (name: string): string | null => {
    const text = query.get(name);
    return text !== null && validDate(text) ? text : null;
  };
  const [since, until] = [day('since_date'), day('until_date')];
  const order = query.get('order') ?? choices.defaultOrder;
  return {
    status: asStatus(query.get('status')),
    from: Math.max(choices.logBegins, since === null ? 0 : zone.dayStart(since)),
    before: until === null ? Number.MAX_SAFE_INTEGER : zone.dayStart(nextDay(until)),
    newestFirst:
      order === 'newest_first' || (order !== 'oldest_first' && choices.defaultOrder === 'newest_first'),
  };
}

const asStatus = (text: string | null): Status | null =>
  text === 'successful' || text === 'failed' ? text : null;

const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY * 1000).toISOString().slice(0, 10);

function invalidFilters(query: URLSearchParams): string[] {
  const errors: string[] = [];
  const [status, order] = [query.get('status'), query.get('order')];
  if (status !== null && asStatus(status) === null) errors.push('Status: is not included in the list.');
  if (order !== null && order !== 'newest_first' && order !== 'oldest_first')
    errors.push('Order: is not included in the list.');
  for (const name of ['since_date', 'until_date']) {
    const text = query.get(name);
    if (text !== null && !validDate(text))
      errors.push(`${name === 'since_date' ? 'Since' : 'Until'} date: is not a date.`);
  }
  return errors;
}

/** Section 4.2. */
export function replayWebhooks({ service, body }: Ask): Reply {
  const ids = (body as { ids?: unknown } | null)?.ids;
  if (!Array.isArray(ids) || ids.length === 0) return invalid('Ids: cannot be blank.');
  if (ids.length > service.choices.replayLimit)
    return invalid(`Ids: cannot be more than ${service.choices.replayLimit}.`);
  const numbers = ids.map((id) => (typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id));
  if (!numbers.every((id): id is number => Number.isSafeInteger(id)))
    return invalid('Ids: must be integers.');
  service.replay(numbers);
  return {
    kind: 'plain',
    status: 200,
    json: { status: 'ok' },
    xml: '<?xml version="1.0" encoding="UTF-8"?>\n<status>ok</status>\n',
  };
}
