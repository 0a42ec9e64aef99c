import type {
  AllocationDetail,
  StatementDetail,
  SubscriptionComponent,
  SubscriptionRow,
  TransactionRow,
  WebhookDetail,
} from '../../../src/contract/index.ts';

/** Plausible rows generated from a seed, for viewing screens. */
export interface Rows {
  readonly webhooks: WebhookDetail[];
  readonly statements: StatementDetail[];
  readonly components: SubscriptionComponent[];
  readonly histories: ReadonlyMap<string, AllocationDetail[]>;
  readonly subscriptions: SubscriptionRow[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST = [
  'Mara',
  'Jonas',
  'Ines',
  'Tom',
  'Aiko',
  'Ruth',
  'Pavel',
  'Lena',
  'Omar',
  'Greta',
  'Nils',
  'Zoe',
];
const LAST = [
  'Lindqvist',
  'Okafor',
  'Brandt',
  'Castellano',
  'Novak',
  'Iversen',
  'Hale',
  'Moreau',
  'Tanaka',
  'Weiss',
];
const FIRMS = [
  'Northgate Clinics',
  'Brightwell Studio',
  'Harbor & Sons',
  'Kestrel Labs',
  'Maple Dental',
  'Ostrava Print',
];
const EVENTS = [
  'payment_success',
  'payment_success',
  'payment_success',
  'renewal_success',
  'statement_settled',
  'component_allocation_change',
  'component_allocation_change',
  'signup_success',
  'payment_failure',
  'statement_closed',
  'subscription_state_change',
  'expiring_card',
];
const ERRORS = [
  '502 Bad Gateway (retry 5 of 5)',
  '503 Service Unavailable (retry 5 of 5)',
  'Timeout after 15 seconds (retry 5 of 5)',
];
const COMPONENTS = ['Seats', 'Priority support', 'Storage (GB)', 'API calls', 'Locations'];

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const iso = (ms: number) => `${new Date(ms - 5 * HOUR).toISOString().slice(0, 19)}-05:00`;

export function makeRows(seed: number, now: number, webhookCount: number, statementCount: number): Rows {
  const pick = random(seed);
  const of = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const people = Array.from({ length: 60 }, (_, place) => ({
    subscription: 41_200 + place * 7,
    name: `${of(FIRST)} ${of(LAST)}`,
    firm: pick(3) === 0 ? null : of(FIRMS),
  }));

  const webhooks = Array.from({ length: webhookCount }, (_, place): WebhookDetail => {
    const created = now - (webhookCount - place) * 9 * 60_000 - pick(300_000);
    const down = place > webhookCount - 240 && place < webhookCount - 110;
    const event = of(EVENTS);
    const person = of(people);
    const failed = down || pick(90) === 0;
    const pending = !failed && place > webhookCount - 4;
    const error = failed ? of(ERRORS) : null;
    const amount = 1900 + pick(40_000);
    const fields = [
      ['id', String(9_100_000 + place)],
      ['event', event],
      ['payload.site.id', '8815'],
      ['payload.site.subdomain', 'acme'],
      ['payload.subscription.id', String(person.subscription)],
      ['payload.subscription.state', 'active'],
      ['payload.subscription.balance_in_cents', '0'],
      ['payload.subscription.customer.first_name', person.name.split(' ')[0] ?? ''],
      ['payload.subscription.customer.last_name', person.name.split(' ')[1] ?? ''],
      ['payload.subscription.customer.organization', person.firm ?? ''],
      ['payload.subscription.product.handle', 'team-monthly'],
      ['payload.transaction.id', String(77_000_000 + place)],
      ['payload.transaction.amount_in_cents', String(amount)],
      ['payload.transaction.success', String(event !== 'payment_failure')],
      ['payload.transaction.memo', `${person.name} - Team: Renewal payment`],
      ['payload.transaction.gateway_transaction_id', `ch_${(pick(1e9) + 1e9).toString(36)}`],
    ].map(([key, value]) => ({ key: key as string, value: value as string }));
    return {
      id: 9_100_000 + place,
      event,
      successful: !failed && !pending,
      delivery: failed ? 'failed' : pending ? 'pending' : 'accepted',
      created_at: iso(created),
      accepted_at: failed || pending ? null : iso(created + 2_000),
      last_sent_at: pending ? null : iso(created + (failed ? 21 * 60_000 : 2_000)),
      last_error_at: failed ? iso(created + 21 * 60_000) : null,
      last_sent_url: 'https://books.acme.example.com/hooks/billing',
      last_error: error,
      subscription_id: person.subscription,
      statement_id: event.startsWith('statement') ? 500_000 + (place % 400) : null,
      body: fields.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&'),
      body_form: 'form',
      fields,
      signature: (pick(1e9) + 1e9).toString(16).repeat(4).slice(0, 32),
      extra: {},
      synced_at: new Date(now - 14 * 60_000).toISOString(),
      replays: [],
    };
  });

  const statements: StatementDetail[] = [];
  const perPerson = Math.ceil(statementCount / people.length);
  for (const [at, person] of people.entries()) {
    let balance = 0;
    for (let month = 0; month < perPerson; month += 1) {
      const id = 500_000 + at * perPerson + month;
      const opened = now - (perPerson - month) * 30 * DAY + at * 3 * HOUR;
      const closed = opened + 30 * DAY;
      const open = closed > now;
      const charges = [4_900 + pick(8) * 1_000, pick(3) === 0 ? 1_250 + pick(9_000) : 0].filter(Boolean);
      const credit = pick(9) === 0 ? -(500 + pick(900)) : 0;
      const owed = balance + charges.reduce((sum, cents) => sum + cents, 0) + credit;
      const paid = pick(7) === 0 || open ? 0 : Math.max(0, owed);
      const transactions: TransactionRow[] = [];
      let running = balance;
      const add = (
        type: string,
        kind: string | null,
        amount: number,
        effect: number,
        memo: string,
        success = true,
      ) => {
        const before = running;
        if (success) running += effect;
        transactions.push({
          id: 70_000_000 + id * 10 + transactions.length,
          statement_id: id,
          subscription_id: person.subscription,
          transaction_type: type,
          type: type[0]?.toUpperCase() + type.slice(1),
          kind,
          amount_in_cents: amount,
          starting_balance_in_cents: before,
          ending_balance_in_cents: running,
          success,
          memo,
          created_at: iso(opened + transactions.length * 2 * DAY),
          product_id: 301,
          payment_id: null,
          gateway_transaction_id: null,
          extra: {},
        });
      };
      for (const [place, cents] of charges.entries()) {
        add(
          'charge',
          place === 0 ? 'baseline' : 'quantity_based_component',
          cents,
          cents,
          place === 0 ? 'Team, monthly' : 'Seats: prorated change',
        );
      }
      if (credit) add('credit', null, credit, credit, 'Goodwill credit');
      if (paid) add('payment', null, paid, -paid, `${person.name} - Team: Renewal payment`);
      else if (!open) add('payment', null, owed, 0, 'Card declined', false);
      const html = `<table id="billing_statement" width="100%" cellpadding="6"><tr><td colspan="2"><h2>Statement ${id}</h2><p>${person.name}<br>${person.firm ?? ''}</p></td></tr>${transactions
        .map(
          (row) =>
            `<tr><td>${row.memo}</td><td align="right">${(row.amount_in_cents / 100).toFixed(2)}</td></tr>`,
        )
        .join(
          '',
        )}<tr><td colspan="2"><a href="https://acme.example.com/pay/${id}">Pay online</a> <img src="https://acme.example.com/logo.png" width="60" height="20"></td></tr></table>`;
      statements.push({
        id,
        subscription_id: person.subscription,
        state: open ? 'open' : running > 0 ? 'unpaid' : 'paid',
        opened_at: iso(opened),
        closed_at: open ? null : iso(closed),
        settled_at: open || running > 0 ? null : iso(closed + HOUR),
        starting_balance_in_cents: balance,
        ending_balance_in_cents: running,
        charges_in_cents: charges.reduce((sum, cents) => sum + cents, 0),
        payments_in_cents: paid,
        customer_name: person.name,
        customer_organization: person.firm,
        pdf_stored: pick(3) === 0,
        vanished_at: null,
        memo: '',
        created_at: iso(opened),
        updated_at: iso(closed),
        text_view: `STATEMENT ${id}\n${person.name}\n\n${transactions.map((row) => `${(row.memo ?? '').padEnd(52)}${(row.amount_in_cents / 100).toFixed(2).padStart(12)}`).join('\n')}\n`,
        basic_html_view: html,
        html_view: `<div id="billing_statement" style="font-family:Georgia">${html}</div>`,
        billing: {
          street: '14 Harbor Street',
          street_2: null,
          city: 'Boston',
          state: 'MA',
          country: 'US',
          zip: '02108',
        },
        shipping: { street: null, street_2: null, city: null, state: null, country: null, zip: null },
        transactions,
        events: [
          {
            id: id * 3,
            key: 'payment_success',
            message: `Successful payment of $${(paid / 100).toFixed(2)} for ${person.name}`,
            created_at: iso(opened),
            subscription_id: person.subscription,
            event_specific_data: { product_id: 301 },
          },
        ],
        future_payments: [],
        extra: {},
        synced_at: new Date(now - 14 * 60_000).toISOString(),
        previous: null,
        next: null,
      });
      balance = running;
    }
  }
  for (const [place, statement] of statements.entries()) {
    const near = (other: StatementDetail | undefined) =>
      other?.subscription_id === statement.subscription_id
        ? {
            id: other.id,
            closed_at: other.closed_at,
            starting_balance_in_cents: other.starting_balance_in_cents,
            ending_balance_in_cents: other.ending_balance_in_cents,
          }
        : null;
    statement.previous = near(statements[place - 1]);
    statement.next = near(statements[place + 1]);
  }

  const components: SubscriptionComponent[] = [];
  const histories = new Map<string, AllocationDetail[]>();
  for (const person of people) {
    for (const [place, component] of COMPONENTS.entries()) {
      if (pick(2) === 0) continue;
      const history: AllocationDetail[] = [];
      let quantity = 0;
      const changes = 2 + pick(22);
      for (let change = 0; change < changes; change += 1) {
        const before = quantity;
        quantity = Math.max(0, quantity + pick(9) - 3);
        history.unshift({
          subscription_id: person.subscription,
          component_id: 7_700 + place,
          timestamp: `${new Date(now - (changes - change) * 11 * DAY + pick(HOUR)).toISOString().slice(0, 19)}Z`,
          ordinal: 0,
          quantity,
          previous_quantity: change === 5 ? before + 1 : before,
          memo: pick(2) === 0 ? `${before < quantity ? 'Added' : 'Removed'} by the account owner` : null,
          proration_upgrade_scheme: 'prorate-delay-capture',
          proration_downgrade_scheme: 'no-prorate',
          chained: change === 0 ? null : change !== 5,
          extra: {},
          direction: quantity > before ? 'upgrade' : quantity < before ? 'downgrade' : 'none',
          webhook: null,
          transactions: [],
        });
      }
      histories.set(`${person.subscription}-${7_700 + place}`, history);
      components.push({
        subscription_id: person.subscription,
        component_id: 7_700 + place,
        component_name: component,
        customer_name: person.name,
        quantity,
        allocations: history.length,
        last_at: history[0]?.timestamp ?? null,
        state: pick(40) === 0 ? 'missing' : 'complete',
        source: 'webhook',
        synced_at: new Date(now - 14 * 60_000).toISOString(),
      });
    }
  }

  const subscriptions = people.map((person): SubscriptionRow => {
    const own = statements.filter((statement) => statement.subscription_id === person.subscription);
    const closed = own.filter((statement) => statement.closed_at !== null).at(-1);
    return {
      subscription_id: person.subscription,
      customer_name: person.name,
      customer_organization: person.firm,
      statements: own.length,
      unpaid: own.filter((statement) => statement.state === 'unpaid').length,
      balance_in_cents: closed?.ending_balance_in_cents ?? null,
      last_closed_at: closed?.closed_at ?? null,
    };
  });
  return { webhooks, statements, components, histories, subscriptions };
}
