import type { Alert, AlertDelivery, AlertKind } from '../../contract/index.ts';
import { PAUSED_FROM } from '../webhooks/endpoint-alerts.ts';

/** Labels of alerts, shared by the window, the command line and the messages themselves. */
export const alertKindLabels: Readonly<Record<AlertKind, string>> = {
  failing: 'Webhooks failing',
  pausing: 'Endpoint about to be paused',
  paused: 'Endpoint paused',
  disabled: 'Endpoint disabled',
  silent: 'No new webhooks',
  recovered: 'Webhooks are accepted again',
  test: 'Test alert',
};

export const alertChannelLabels = {
  desktop: 'Desktop notification',
  command: 'Command',
  address: 'Web address',
} as const;

export const alertDeliveryLabels: Readonly<Record<AlertDelivery['state'], string>> = {
  pending: 'Pending',
  sending: 'Sending',
  delivered: 'Delivered',
  failed: 'Failed',
  skipped: 'Skipped',
};

type AlertFacts = Pick<Alert, 'kind' | 'endpoint' | 'failures' | 'since' | 'reported'>;

/** Returns the title of an alert, with the display name of its site. */
export function formatAlertTitle(siteTitle: string, { kind, endpoint }: AlertFacts): string {
  const isNewWebhook = kind === 'recovered' && endpoint === null;
  return `${siteTitle}: ${isNewWebhook ? 'New webhooks in the log' : alertKindLabels[kind]}`;
}

/** Returns the text of an alert: what happened, since when and what follows. */
export function formatAlertText({ kind, endpoint, failures, since, reported }: AlertFacts): string {
  const address = endpoint ?? 'the endpoint';
  const from = `${since.slice(0, 16).replace('T', ' ')} UTC`;
  const rejected = `The last ${failures} webhooks to ${address}, since ${from}, were not accepted.`;
  const certainty = reported ? 'The service has' : 'According to the webhook log, the service has probably';
  switch (kind) {
    case 'failing':
      return `${rejected} After ${PAUSED_FROM} failures in a row, the service pauses the endpoint.`;
    case 'pausing':
      return failures < PAUSED_FROM
        ? `${rejected} After ${PAUSED_FROM - failures} more, the service pauses the endpoint.`
        : `${rejected} The service may pause the endpoint at any time.`;
    case 'paused':
      return `${certainty} paused ${address}. New webhooks are logged but not sent. After 51 failures or 48 hours, the service disables the endpoint.`;
    case 'disabled':
      return `${certainty} disabled ${address}. No webhooks are created until the endpoint is enabled in the service, so they cannot be replayed later.`;
    case 'silent':
      return `The log has had no webhooks since ${from}, although there are usually many. The endpoint may be disabled. Check it in the service’s webhook settings.`;
    case 'recovered':
      return endpoint === null
        ? `The log has new webhooks, the newest from ${from}.`
        : `${address} accepted a webhook at ${from}.`;
    case 'test':
      return 'This is a test. Alerts arrive through this channel.';
  }
}
