import {
  DAY,
  findPayment,
  LATE_PAID_STATEMENT,
  ORDINARY_STATEMENT,
  type PlantedError,
  statementAt,
} from './plant.ts';

/** Errors in webhook logs and allocation histories. */
export const webhookAndAllocationErrors: readonly PlantedError[] = [
  {
    name: 'webhook of a payment lost',
    rule: 'payment-without-webhook',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const { id } = findPayment(statement);
      draft.webhooks = draft.webhooks.filter(({ facts }) => facts.transaction_id !== id);
      return statement.id;
    },
  },
  {
    name: 'webhook of a closing lost',
    rule: 'statement-without-webhook',
    plant: (draft) => {
      const { id } = statementAt(draft, ORDINARY_STATEMENT);
      draft.webhooks = draft.webhooks.filter(({ facts }) => facts.statement?.id !== id);
      return id;
    },
  },
  {
    name: 'webhook of a late settlement lost',
    rule: 'statement-without-webhook',
    plant: (draft) => {
      const { id } = statementAt(draft, LATE_PAID_STATEMENT);
      draft.webhooks = draft.webhooks.filter(
        ({ facts, event }) => event !== 'statement_settled' || facts.statement?.id !== id,
      );
      return id;
    },
  },
  {
    name: 'webhook of a payment refused by the endpoint',
    rule: 'webhook-not-accepted',
    plant: (draft) => {
      const { id } = findPayment(statementAt(draft, ORDINARY_STATEMENT));
      const webhook = draft.webhooks.find(({ facts }) => facts.transaction_id === id);
      if (webhook)
        Object.assign(webhook, {
          successful: false,
          accepted_at: null,
          last_error: '503 Service Unavailable',
        });
      return statementAt(draft, ORDINARY_STATEMENT).id;
    },
  },
  {
    name: 'webhook with a signature that does not fit',
    rule: 'webhook-signature',
    plant: (draft) => {
      const [webhook] = draft.webhooks;
      if (webhook) webhook.signature = 'forged';
      return null;
    },
  },
  {
    name: 'webhook with another amount than the statement',
    rule: 'webhook-disagrees',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const { id, amount_in_cents } = findPayment(statement);
      const webhook = draft.webhooks.find(({ facts }) => facts.transaction_id === id);
      const told = webhook?.facts.transactions[0];
      if (webhook && told) {
        const transactions = [{ ...told, amount_in_cents: amount_in_cents + 1 }];
        webhook.facts = { ...webhook.facts, transactions };
      }
      return statement.id;
    },
  },
  {
    name: 'webhook with another closing balance than the statement',
    rule: 'webhook-disagrees',
    plant: (draft) => {
      const { id } = statementAt(draft, LATE_PAID_STATEMENT);
      const webhook = draft.webhooks.find(({ facts }) => facts.statement?.id === id);
      const told = webhook?.facts.statement;
      if (webhook && told)
        webhook.facts = { ...webhook.facts, statement: { ...told, ending_balance_in_cents: 1 } };
      return id;
    },
  },
  {
    name: 'payment told under two numbers',
    rule: 'duplicate-webhook',
    plant: (draft) => {
      const { id } = findPayment(statementAt(draft, ORDINARY_STATEMENT));
      const webhook = draft.webhooks.find(({ facts }) => facts.transaction_id === id);
      if (webhook) draft.webhooks.push({ ...webhook, id: webhook.id + 50_000 });
      return null;
    },
  },
  {
    name: 'quantity changed without a record',
    rule: 'allocation-chain',
    plant: (draft) => {
      const last = draft.components[0]?.allocations.at(-1);
      if (last) last.previous_quantity = Number(last.previous_quantity) - 1;
      return null;
    },
  },
  {
    name: 'prorating change without a charge',
    rule: 'allocation-without-proration',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const component = draft.components[0];
      const timestamp = (statement.opened_at ?? 0) + 5 * DAY;
      const place = component?.allocations.findIndex((each) => each.timestamp > timestamp) ?? -1;
      const next = component?.allocations[place];
      const last = component?.allocations.at(place < 0 ? -1 : place - 1);
      const quantity = Number(last?.quantity) + 1;
      component?.allocations.splice(place < 0 ? component.allocations.length : place, 0, {
        timestamp,
        ordinal: 0,
        previous_quantity: quantity - 1,
        quantity,
        proration_upgrade_scheme: 'prorate-delay-capture',
        proration_downgrade_scheme: 'no-prorate',
      });
      if (next) next.previous_quantity = quantity;
      return statement.id;
    },
  },
  {
    name: 'webhook accepted before it was made',
    rule: 'dates-in-order',
    plant: (draft) => {
      const [webhook] = draft.webhooks;
      if (webhook) webhook.accepted_at = (webhook.created_at ?? 0) - DAY;
      return null;
    },
  },
  {
    name: 'allocation dated in the future',
    rule: 'dates-in-order',
    plant: (draft) => {
      const last = draft.components[0]?.allocations.at(-1);
      if (last)
        Object.assign(last, { timestamp: last.timestamp + 4000 * DAY, proration_upgrade_scheme: null });
      return null;
    },
  },
];
