import type { Inputs, WebhookFilter } from '../../contract/index.ts';

/** A selection in words: `failed webhooks of payment_success, 2026-10-01 to 2026-10-31`. */
export function describeSelection(
  selection: Inputs['replay']['plan']['selection'],
  accepted: boolean,
): string {
  const also = accepted ? ', accepted ones too' : '';
  if ('ids' in selection) {
    const count = new Set(selection.ids).size;
    return `${count} chosen ${count === 1 ? 'webhook' : 'webhooks'}${also}`;
  }
  return describeFilter(selection.filter) + also;
}

function describeFilter(filter: WebhookFilter): string {
  const { status, event, since, until, search, subscription_id, statement_id, url, error } = filter;
  const parts = [`${status ?? 'all'} webhooks${event === undefined ? '' : ` of ${event.join(', ')}`}`];
  if (since !== undefined && until !== undefined)
    parts.push(since === until ? since : `${since} to ${until}`);
  else if (since !== undefined) parts.push(`from ${since}`);
  else if (until !== undefined) parts.push(`until ${until}`);
  if (subscription_id !== undefined) parts.push(`subscription ${subscription_id}`);
  if (statement_id !== undefined) parts.push(`statement ${statement_id}`);
  if (url !== undefined) parts.push(`sent to ${url}`);
  if (error !== undefined) parts.push(`with ${error}`);
  if (search !== undefined && search.trim() !== '') parts.push(`matching “${search.trim()}”`);
  return parts.join(', ');
}
