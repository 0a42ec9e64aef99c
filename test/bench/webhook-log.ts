import type { Webhook } from '../../src/billing/index.ts';

/**
 * Generates a realistic webhook log of two years: twenty events with very different frequencies, bodies of 1.6 kB, one
 * failure in two hundred, four outages of the endpoint and one change of its URL. The same number of rows gives the same
 * log.
 */
export function* createWebhookLog(rows: number): Generator<Webhook> {
  const random = numbers(7);
  const step = Math.floor(YEARS_MS / rows);
  for (let at = 0; at < rows; at++) {
    const id = 141_000_000 + at * 24 + Math.floor(random() * 20);
    const created = START + at * step;
    const event = EVENTS[EVENT_SHARES.findIndex((share) => random() < share)] ?? 'payment_success';
    const outage = at % (rows / 4) < rows / 160;
    const failed = random() < (outage ? 0.9 : 0.005);
    const pending = !failed && random() < 0.001;
    const sentAt = created + (failed ? 600_000 : 2000);
    yield {
      id,
      event,
      successful: !failed && !pending,
      body: body(id, event, at, rows, random),
      signature: '7c606ec4628ce75ec46e284097ce163a',
      created_at: text(created),
      accepted_at: failed || pending ? null : text(sentAt),
      last_sent_at: pending ? null : text(sentAt),
      last_error_at: failed ? text(sentAt) : null,
      last_sent_url: pending ? null : at < rows * 0.3 ? OLD_ENDPOINT_URL : URL_NOW,
      last_error: failed ? `${ERRORS[at % ERRORS.length]} (retry ${1 + (at % 5)} of 5)` : null,
      extra: {},
    };
  }
}

export const OLD_ENDPOINT_URL = 'https://old.example.com/hooks';
const URL_NOW = 'https://shop.example.com/hooks/billing';
const START = Date.UTC(2024, 0, 1);
const YEARS_MS = 730 * 86_400_000;

/** The most frequent event first. */
const EVENTS = [
  ...[
    'payment_success',
    'renewal_success',
    'statement_settled',
    'statement_closed',
    'component_allocation_change',
  ],
  ...['signup_success', 'payment_failure', 'renewal_failure', 'subscription_state_change', 'customer_update'],
  ...['expiring_card', 'metered_usage', 'upgrade_downgrade_success', 'refund_success', 'billing_date_change'],
  ...[
    'trial_end_notice',
    'subscription_card_update',
    'upcoming_renewal_notice',
    'signup_failure',
    'refund_failure',
  ],
];
/** Probability of each event, given that it was none of the previous ones: about 1/rank overall. */
const EVENT_SHARES = EVENTS.map((_, at) => {
  const weights = EVENTS.map((__, rank) => 1 / (rank + 1) ** 1.1).slice(at);
  return weights[0]! / weights.reduce((sum, weight) => sum + weight, 0);
});
const ERRORS = [
  '503 Service Unavailable',
  '500 Internal Server Error',
  'Net::ReadTimeout',
  '404 Resource Not Found',
  'connection refused 10.0.0.7',
];
export const FIRST_NAMES = [
  'Anna',
  'Bertil',
  'Cecilia',
  'David',
  'Erik',
  'Fatima',
  'Gustav',
  'Hanna',
  'Ivar',
  'Johanna',
];

function body(id: number, event: string, at: number, rows: number, random: () => number): string {
  const subscription = 10_000 + Math.floor((random() * rows) / 60);
  const first = FIRST_NAMES[Math.floor(random() * FIRST_NAMES.length)];
  const last = `Larsson${Math.floor(random() * 5000)}`;
  const fields = [
    `id=${id}&event=${event}&payload[subscription][id]=${subscription}&payload[subscription][state]=active`,
    `payload[subscription][customer][first_name]=${first}&payload[subscription][customer][last_name]=${last}`,
    `payload[subscription][customer][email]=${first}.${subscription}%40example.com`,
  ];
  if (event.startsWith('statement')) fields.push(`payload[statement][id]=${500_000 + at}`);
  if (event.startsWith('component'))
    fields.push(`payload[component][id]=${40 + (at % 9)}&payload[component][name]=Seats`);
  for (let field = 0; field < 26; field++) {
    fields.push(`payload[subscription][product][field_${field}]=value%20${Math.floor(random() * 3000)}x`);
  }
  return fields.join('&');
}

/** A time as the service formats it, five hours west of UTC. */
function text(ms: number): string {
  return `${new Date(ms - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00`;
}

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
