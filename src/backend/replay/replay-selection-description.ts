import type { ContractInputs, WebhookFilter } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';

/** Describes a selection of webhooks, for example `failed webhooks of payment_success, 2026-10-01 to 2026-10-31`. */
export function describeReplaySelection(
  selection: ContractInputs['replay']['plan']['selection'],
  accepted: boolean,
): string {
  const also = accepted ? ', including accepted ones' : '';
  if (!('ids' in selection)) return describeFilter(selection.filter) + also;
  return formatCount(new Set(selection.ids).size, 'selected webhook') + also;
}

function describeFilter(filter: WebhookFilter): string {
  const { status, event, since, until, from, to, search, subscription_id, statement_id, url, error } = filter;
  const parts = [
    `${status ?? 'all'} webhooks${event === undefined ? '' : ` of ${event.join(', ')}`}`,
    describeDays(since, until),
    describeInstants(from, to),
    subscription_id !== undefined && `subscription ${subscription_id}`,
    statement_id !== undefined && `statement ${statement_id}`,
    url !== undefined && `sent to ${url}`,
    error !== undefined && `with ${error}`,
    search?.trim() && `matching “${search.trim()}”`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Describes a range of days, for example `2026-10-01 to 2026-10-31`. Returns null if it is unbounded. */
function describeDays(since: string | undefined, until: string | undefined): string | null {
  if (since === undefined) return until === undefined ? null : `until ${until}`;
  if (until === undefined) return `from ${since}`;
  return since === until ? since : `${since} to ${until}`;
}

/** Describes a time range, for example `created 2026-10-01 10:37 to 13:53 UTC`. Returns null if it is unbounded. */
function describeInstants(from: string | undefined, to: string | undefined): string | null {
  if (from === undefined && to === undefined) return null;
  const [first, last] = [from, to].map((at) =>
    at === undefined ? null : new Date(at).toISOString().slice(0, 16).replace('T', ' '),
  );
  if (!first) return `created until ${last} UTC`;
  if (!last) return `created from ${first} UTC`;
  return `created ${first} to ${first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last} UTC`;
}
