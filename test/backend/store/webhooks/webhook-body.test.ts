import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toStoredWebhookBody } from '../../../../src/backend/store/webhooks/webhook-body.ts';
import { parseWebhookBody } from '../../../../src/billing/records/webhook-body.ts';

const arbitraryField = fc.constantFrom(
  ...[
    'payload[subscription][id]',
    'payload[statement][id]',
    'subscription_id',
    'payload[subscription_id]',
    'id',
  ],
  ...[
    'payload[component][id]',
    'payload[component][name]',
    'component[name]',
    'component[id]',
    'event',
    'x[id]y',
  ],
  ...['=', '=', '=', '&', '&', '&', '17', '4', 'Seats', '_id', '[id]=', '%20', '%5Bid%5D', '', ' ', '{'],
);

test('a form-encoded body has the same hints whether or not its other fields are parsed', () => {
  fc.assert(
    fc.property(fc.array(arbitraryField, { maxLength: 24 }), (fields) => {
      const body = fields.join('');
      const { hints } = parseWebhookBody(body);
      expect(toStoredWebhookBody(body).hints).toMatchObject({
        subscription_id: hints.subscription_id ?? null,
        statement_id: hints.statement_id ?? null,
        component_id: hints.component_id ?? null,
      });
    }),
    { numRuns: 2000 },
  );
});

test('a field without an equals sign is ignored and does not hide a field with a value', () => {
  const body = 'payload[statement][id]&payload[statement][id]=4&subscription_id=&subscription_id=17';
  const hints = { subscription_id: 17, statement_id: 4 };
  expect(parseWebhookBody(body).hints).toEqual(hints);
  expect(toStoredWebhookBody(body).hints).toMatchObject(hints);
});

test('the ids of a webhook are found among its other fields', () => {
  const others = Array.from({ length: 40 }, (_, at) => `payload[product][field_${at}]=value%20${at}`).join(
    '&',
  );
  const body = `id=9&${others}&payload[subscription][id]=41&${others}&payload[component][id]=7&payload[component][name]=Seats`;
  expect(toStoredWebhookBody(body)).toEqual({
    text: body,
    form: 'form',
    hints: { subscription_id: 41, statement_id: null, component_id: 7, component_name: 'Seats' },
  });
});
