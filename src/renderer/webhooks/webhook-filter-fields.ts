import { CircleDot, Tag, TriangleAlert } from 'lucide-react';
import type { ContractOutputs, WebhookFilter } from '../../contract/index.ts';
import { createMultiChoiceField, createReadOnlyField, type FilterField } from '../filters/filter-field.ts';
import { formatDateTime } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { formatErrorGroup } from '../texts/webhooks.ts';

type Facets = ContractOutputs['webhooks']['facets'];
type ErrorGroups = ContractOutputs['webhooks']['errors'];

const { filters, status } = texts.webhooks;

/** Returns the filter fields of the webhook log. The counts shown in them cover the entire log. */
export function getWebhookFilterFields(
  facets: Facets | undefined,
  errors: ErrorGroups | undefined,
): FilterField<WebhookFilter>[] {
  const counts = facets && {
    successful: facets.delivery.accepted,
    failed: facets.delivery.failed + facets.delivery.pending,
    pending: facets.delivery.pending,
  };
  return [
    {
      kind: 'choice',
      id: 'status',
      label: filters.state,
      icon: CircleDot,
      options: (['failed', 'pending', 'successful'] as const).map((value) => ({
        value,
        label: status[value],
        count: counts?.[value],
      })),
      chosen: (filter) => (filter.status ? [filter.status] : []),
      choose: (filter, [value]) => ({ ...filter, status: value as WebhookFilter['status'] }),
    },
    createMultiChoiceField('event', {
      label: filters.event,
      icon: Tag,
      options: (facets?.events ?? []).map(({ event, count }) => ({ value: event, label: event, count })),
    }),
    {
      kind: 'days',
      id: 'days',
      label: texts.filters.days,
      storedDays: facets && { first: facets.first_day, last: facets.last_day },
      read: (filter) => filter,
      write: (filter, { since, until }) => ({ ...filter, since, until }),
    },
    {
      kind: 'choice',
      id: 'error',
      label: filters.error,
      icon: TriangleAlert,
      options: (errors ?? []).map(({ error, count }) => ({
        value: error,
        label: formatErrorGroup(error),
        count,
      })),
      chosen: (filter) => (filter.error ? [filter.error] : []),
      choose: (filter, [error]) => ({ ...filter, error }),
    },
    {
      kind: 'fixed',
      id: 'instants',
      label: filters.instants,
      text: ({ from, to }) => (from || to ? formatInstants(from, to) : null),
      clear: (filter) => ({ ...filter, from: undefined, to: undefined }),
    },
    createReadOnlyField('subscription_id', filters.subscription),
    createReadOnlyField('statement_id', filters.statement),
    createReadOnlyField('url', filters.url),
  ];
}

function formatInstants(from: string | undefined, to: string | undefined): string {
  return `${from ? formatDateTime(from) : ''} – ${to ? formatDateTime(to) : ''}`;
}
