/** Labels of webhooks and outages, shared by the window, the command line and the reports. */
export const deliveryStateLabels = { accepted: 'Accepted', failed: 'Failed', pending: 'Pending' } as const;

/** Labels of the delivery state filter. Webhooks that were not accepted are failed or pending. */
export const deliveryFilterLabels = {
  successful: 'Accepted',
  failed: 'Not accepted',
  pending: 'Pending',
} as const;

export const webhookBodyFormLabels = {
  form: 'form fields',
  json: 'JSON',
  object: 'object',
  unreadable: 'unreadable',
} as const;

export const outageKindLabels = {
  failures: 'Failed deliveries',
  never_sent: 'Never sent',
  gap: 'Gap in the log',
} as const;
