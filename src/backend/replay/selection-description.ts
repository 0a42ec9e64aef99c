import type { Inputs, WebhookFilter } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';

/** Describes a selection of webhooks, for example `failed webhooks of payment_success, 2026-10-01 to 2026-10-31`. */
export function describeReplaySelection(
  selection: Inputs['replay']['plan']['selection'],
  accepted: boolean,
): string {
  const also = accepted ? ', including accepted ones' : '';
  if ('ids' in selection) {
    const count = new Set(selection.ids).size;
    return `${formatCount(count, 'selected webhook')}${also}`;
  }
  return describeFilter(selection.filter) + also;
}

function describeFilter(filter: WebhookFilter): string {
  const { status, event, since, until, from, to, search, subscription_id, statement_id, url, error } = filter;
  const parts = [`${status ?? 'all'} webhooks${event === undefined ? '' : ` of ${event.join(', ')}`}`];
  if (since !== undefined && until !== undefined)
    parts.push(since === until ? since : `${since} to ${until}`);
  else if (since !== undefined) parts.push(`from ${since}`);
  else if (until !== undefined) parts.push(`until ${until}`);
  if (from !== undefined || to !== undefined) parts.push(describeInstants(from, to));
  if (subscription_id !== undefined) parts.push(`subscription ${subscription_id}`);
  if (statement_id !== undefined) parts.push(`statement ${statement_id}`);
  if (url !== undefined) parts.push(`sent to ${url}`);
  if (error !== undefined) parts.push(`with ${error}`);
  if (search !== undefined && search.trim() !== '') parts.push(`matching “${search.trim()}”`);
  return parts.join(', ');
}

/** Describes a time range, for example `created 2026-10-01 10:37 to 13:53 UTC`. */
function describeInstants(from: string | undefined, to: string | undefined): string {
  const [first, last] = [from, to].map((at) =>
    at === undefined ? null : new Date(at).toISOString().slice(0, 16).replace('T', ' '),
  );
  if (!first) return `created until ${last} UTC`;
  if (!last) return `created from ${first} UTC`;
  return `created ${first} to ${first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last} UTC`;
}
