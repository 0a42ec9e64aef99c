import type { DeliveryStatus, WebhookSelection } from '../deliveries/webhook-log.ts';
import { isValidDate, SECONDS_PER_DAY } from '../simulation/time-zone.ts';
import { type ParsedRequest, readRequestedRowRange } from './parsed-request.ts';
import { createInvalidInputReply, type ServiceReply } from './reply.ts';

/** Lists webhooks (interface 4.1). */
export function listWebhooks(request: ParsedRequest): ServiceReply {
  const { service, query } = request;
  const refused = service.settings.invalidFilter === 'refuse' ? findInvalidFilters(query) : [];
  if (refused.length > 0) return createInvalidInputReply(...refused);
  const [from, to] = readRequestedRowRange(query, 20, service.settings.maxPerPage);
  const rows = service.log.rows(readSelection(request), from, to - from);
  const values = rows.map((row) => service.log.toWebhookJson(row));
  return { kind: 'list', status: 200, name: 'webhooks', item: 'webhook', values, wrapped: true };
}

function readSelection({ service, query }: Pick<ParsedRequest, 'service' | 'query'>): WebhookSelection {
  const { zone, settings } = service.site;
  const day = (name: string): string | null => {
    const text = query.get(name);
    return text !== null && isValidDate(text) ? text : null;
  };
  const [since, until] = [day('since_date'), day('until_date')];
  const order = query.get('order') ?? settings.defaultOrder;
  return {
    status: toDeliveryStatus(query.get('status')),
    from: Math.max(settings.logBegins, since === null ? 0 : zone.dayStart(since)),
    before: until === null ? Number.MAX_SAFE_INTEGER : zone.dayStart(nextDay(until)),
    newestFirst:
      order === 'newest_first' || (order !== 'oldest_first' && settings.defaultOrder === 'newest_first'),
  };
}

const toDeliveryStatus = (text: string | null): DeliveryStatus | null =>
  text === 'successful' || text === 'failed' ? text : null;

const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + SECONDS_PER_DAY * 1000).toISOString().slice(0, 10);

function findInvalidFilters(query: URLSearchParams): string[] {
  const errors: string[] = [];
  const [status, order] = [query.get('status'), query.get('order')];
  if (status !== null && toDeliveryStatus(status) === null)
    errors.push('Status: is not included in the list.');
  if (order !== null && order !== 'newest_first' && order !== 'oldest_first')
    errors.push('Order: is not included in the list.');
  for (const name of ['since_date', 'until_date']) {
    const text = query.get(name);
    if (text !== null && !isValidDate(text))
      errors.push(`${name === 'since_date' ? 'Since' : 'Until'} date: is not a date.`);
  }
  return errors;
}

/** Replays webhooks (interface 4.2). */
export function replayWebhooks({ service, body }: ParsedRequest): ServiceReply {
  const ids = (body as { ids?: unknown } | null)?.ids;
  if (!Array.isArray(ids) || ids.length === 0) return createInvalidInputReply('Ids: cannot be blank.');
  if (ids.length > service.settings.replayLimit)
    return createInvalidInputReply(`Ids: cannot be more than ${service.settings.replayLimit}.`);
  const numbers = ids.map((id) => (typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id));
  if (!numbers.every((id): id is number => Number.isSafeInteger(id)))
    return createInvalidInputReply('Ids: must be integers.');
  service.replay(numbers);
  return {
    kind: 'plain',
    status: 200,
    json: { status: 'ok' },
    xml: '<?xml version="1.0" encoding="UTF-8"?>\n<status>ok</status>\n',
  };
}
