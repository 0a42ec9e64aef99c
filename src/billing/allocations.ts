import { exactQuantity } from './decimal.ts';
import type { Allocation, Quantity } from './entities.ts';
import { BillingError } from './errors.ts';
import { datetime, extra, requiredId, requiredQuantity, requiredText, type Shape, text } from './reading.ts';
import type { JsonObject } from './value.ts';

const known = new Set([
  'component_id',
  'subscription_id',
  'quantity',
  'previous_quantity',
  'memo',
  'timestamp',
  'proration_upgrade_scheme',
  'proration_downgrade_scheme',
]);

/** An allocation (interface 2.2). */
export const allocationShape: Shape<Allocation> = {
  wrappers: ['allocation'],
  known,
  read: (row, sent) => {
    const timestamp = requiredText('timestamp', sent['timestamp']);
    datetime(row, 'timestamp', timestamp);
    return {
      component_id: requiredId(row, 'component_id', sent['component_id']),
      subscription_id: requiredId(row, 'subscription_id', sent['subscription_id']),
      quantity: requiredQuantity(row, 'quantity', sent['quantity']),
      previous_quantity: requiredQuantity(row, 'previous_quantity', sent['previous_quantity']),
      memo: text(row, 'memo', sent['memo']),
      timestamp,
      proration_upgrade_scheme: text(row, 'proration_upgrade_scheme', sent['proration_upgrade_scheme']),
      proration_downgrade_scheme: text(row, 'proration_downgrade_scheme', sent['proration_downgrade_scheme']),
      extra: extra(row, known),
    };
  },
};

/** A new allocation (interface 4.4). Schemes are sent as given: the service knows more than the interface lists. */
export interface NewAllocation {
  quantity: Quantity;
  memo?: string;
  proration_upgrade_scheme?: string;
  proration_downgrade_scheme?: string;
}

/** Several new allocations in one request (interface 4.5). */
export interface NewAllocations {
  allocations: { component_id: number; quantity: Quantity; memo?: string }[];
  proration_upgrade_scheme?: string;
  proration_downgrade_scheme?: string;
}

function quantityToSend(quantity: Quantity): Quantity {
  const whole = typeof quantity === 'string' || Number.isSafeInteger(quantity);
  const exact = whole ? exactQuantity(String(quantity)) : null;
  if (exact !== null) return exact;
  throw new BillingError('validation', `The quantity ${quantity} is not an exact number.`, {
    hint: 'Give a whole number, or a decimal number as text.',
  });
}

/** The body of 4.4, in the order of the interface; what is not given is not sent. */
export function newAllocationBody(input: NewAllocation): JsonObject {
  return { allocation: { ...given(input), quantity: quantityToSend(input.quantity) } };
}

/** The body of 4.5. */
export function newAllocationsBody(input: NewAllocations): JsonObject {
  if (input.allocations.length === 0) {
    throw new BillingError('validation', 'No allocations were given to create.', {
      hint: 'Give at least one component and its quantity.',
    });
  }
  const { allocations, ...schemes } = input;
  return {
    ...given(schemes),
    allocations: allocations.map((each) => ({ ...given(each), quantity: quantityToSend(each.quantity) })),
  };
}

function given(fields: object): JsonObject {
  const object: JsonObject = {};
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) object[field] = value;
  return object;
}
