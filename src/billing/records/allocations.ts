import { BillingError } from '../errors/billing-error.ts';
import { toExactQuantity } from '../formats/decimal.ts';
import type { JsonObject } from '../formats/json-value.ts';
import type { Allocation, Quantity } from './entities.ts';
import {
  type RecordShape,
  readDatetime,
  readExtraFields,
  readRequiredId,
  readRequiredQuantity,
  readRequiredText,
  readText,
} from './record-reader.ts';

const allocationFields = new Set([
  'component_id',
  'subscription_id',
  'quantity',
  'previous_quantity',
  'memo',
  'timestamp',
  'proration_upgrade_scheme',
  'proration_downgrade_scheme',
]);

export const allocationRecordShape: RecordShape<Allocation> = {
  wrapperKeys: ['allocation'],
  knownFields: allocationFields,
  read: (row, sent) => {
    const timestamp = readRequiredText('timestamp', sent['timestamp']);
    readDatetime(row, 'timestamp', timestamp);
    return {
      component_id: readRequiredId(row, 'component_id', sent['component_id']),
      subscription_id: readRequiredId(row, 'subscription_id', sent['subscription_id']),
      quantity: readRequiredQuantity(row, 'quantity', sent['quantity']),
      previous_quantity: readRequiredQuantity(row, 'previous_quantity', sent['previous_quantity']),
      memo: readText(row, 'memo', sent['memo']),
      timestamp,
      proration_upgrade_scheme: readText(row, 'proration_upgrade_scheme', sent['proration_upgrade_scheme']),
      proration_downgrade_scheme: readText(
        row,
        'proration_downgrade_scheme',
        sent['proration_downgrade_scheme'],
      ),
      extra: readExtraFields(row, allocationFields),
    };
  },
};

/**
 * Input for a new allocation (interface 4.4). Proration schemes are sent as given, because the service may accept more
 * than the interface lists.
 */
export interface NewAllocation {
  quantity: Quantity;
  memo?: string;
  proration_upgrade_scheme?: string;
  proration_downgrade_scheme?: string;
}

/** Input for several new allocations in one request (interface 4.5). */
export interface NewAllocations {
  allocations: { component_id: number; quantity: Quantity; memo?: string }[];
  proration_upgrade_scheme?: string;
  proration_downgrade_scheme?: string;
}

function toSentQuantity(quantity: Quantity): Quantity {
  const isParseable = typeof quantity === 'string' || Number.isSafeInteger(quantity);
  const exact = isParseable ? toExactQuantity(String(quantity)) : null;
  if (exact !== null) return exact;
  throw new BillingError('validation', `The quantity ${quantity} is not an exact number.`, {
    hint: 'Enter a whole number, or a decimal number as text.',
  });
}

/**
 * Returns the request body for a new allocation (interface 4.4), with fields in the order of the interface and without
 * undefined ones.
 */
export function toAllocationBody(input: NewAllocation): JsonObject {
  return { allocation: { ...definedFields(input), quantity: toSentQuantity(input.quantity) } };
}

/** Returns the request body for several new allocations (interface 4.5). */
export function toAllocationsBody(input: NewAllocations): JsonObject {
  if (input.allocations.length === 0) {
    throw new BillingError('validation', 'No allocations to create.', {
      hint: 'Enter at least one component and its quantity.',
    });
  }
  const { allocations, ...schemes } = input;
  return {
    ...definedFields(schemes),
    allocations: allocations.map((each) => ({
      ...definedFields(each),
      quantity: toSentQuantity(each.quantity),
    })),
  };
}

function definedFields(fields: object): JsonObject {
  const object: JsonObject = {};
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) object[field] = value;
  return object;
}
