import { BillingError } from '../errors/billing-error.ts';
import { toExactQuantity } from '../formats/decimal.ts';
import type { JsonObject } from '../formats/json-value.ts';
import {
  defineRecordShape,
  type InferRecord,
  readDatetime,
  readRequiredId,
  readRequiredQuantity,
  readRequiredText,
  readText,
} from './record-reader.ts';
import type { Quantity } from './record-types.ts';

export const allocationRecordShape = defineRecordShape(['allocation'], {
  timestamp(...field: Parameters<typeof readText>) {
    const timestamp = readRequiredText(...field);
    readDatetime(...field);
    return timestamp;
  },
  component_id: readRequiredId,
  subscription_id: readRequiredId,
  quantity: readRequiredQuantity,
  previous_quantity: readRequiredQuantity,
  memo: readText,
  /** Null if the change was not mid-period, or if the list was sent as XML, which omits proration schemes. */
  proration_upgrade_scheme: readText,
  proration_downgrade_scheme: readText,
});

/** A change of a component's quantity (interface 2.2). */
export type Allocation = InferRecord<typeof allocationRecordShape>;

/** Input for a new allocation (interface 4.4). Proration schemes are sent unchecked. The service may accept more. */
export interface NewAllocation {
  quantity: Quantity;
  memo?: string;
  proration_upgrade_scheme?: string;
  proration_downgrade_scheme?: string;
}

/** Input for several new allocations in one request (interface 4.5). */
export interface NewAllocationBatch {
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

/** Returns the request body for a new allocation (interface 4.4), without undefined fields. */
export function toAllocationBody(input: NewAllocation): JsonObject {
  return { allocation: { ...omitUndefined(input), quantity: toSentQuantity(input.quantity) } };
}

/** Returns the request body for several new allocations (interface 4.5). */
export function toAllocationBatchBody(input: NewAllocationBatch): JsonObject {
  if (input.allocations.length === 0) {
    throw new BillingError('validation', 'No allocations to create.', {
      hint: 'Enter at least one component and its quantity.',
    });
  }
  const { allocations, ...schemes } = input;
  return {
    ...omitUndefined(schemes),
    allocations: allocations.map((each) => ({
      ...omitUndefined(each),
      quantity: toSentQuantity(each.quantity),
    })),
  };
}

const omitUndefined = (fields: object): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
