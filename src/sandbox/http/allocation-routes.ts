import { type JsonRecord, toAllocationJson } from '../render/json-records.ts';
import type { BillingService } from '../service/billing-service.ts';
import { type CatalogComponent, catalogComponents } from '../simulation/catalog.ts';
import type { ProrationSchemes } from '../simulation/site-parameters.ts';
import type { QuantityChange } from '../simulation/subscription-billing.ts';
import type { ParsedRequest } from './parsed-request.ts';
import { createInvalidInputReply, notFoundReply, type ServiceReply } from './reply.ts';

const ALLOCATIONS_PER_PAGE = 50;
const MAX_QUANTITY = 100_000;

const UPGRADE_SCHEMES: readonly string[] = ['prorate-delay-capture', 'prorate-attempt-capture', 'no-prorate'];
const DOWNGRADE_SCHEMES: readonly string[] = ['prorate', 'no-prorate'];

/** Lists allocations (interface 4.3). */
export function listAllocations({ service, query, numbers, format }: ParsedRequest): ServiceReply {
  const subscription = findSubscriptionIndex(service, numbers[0]);
  const component = findComponentIndex(numbers[1]);
  if (subscription < 0 || component < 0) return notFoundReply;
  const text = query.get('page') ?? '1';
  const page = Number(text);
  if (!Number.isSafeInteger(page) || page < 1) return createInvalidInputReply(`invalid page: ${text}`);
  const account = service.simulation.account(subscription);
  const newestFirst = account.allocations
    .filter((allocation) => allocation.component === component)
    .reverse();
  const values = newestFirst
    .slice((page - 1) * ALLOCATIONS_PER_PAGE, page * ALLOCATIONS_PER_PAGE)
    .map((allocation) => toAllocationJson(service.site, account, allocation, format === 'json'));
  return { kind: 'list', status: 200, name: 'allocations', item: 'allocation', values, wrapped: true };
}

/** Creates an allocation (interface 4.4). */
export function createAllocation({ service, numbers, body }: ParsedRequest): ServiceReply {
  const subscription = findSubscriptionIndex(service, numbers[0]);
  const component = findComponentIndex(numbers[1]);
  if (subscription < 0 || component < 0) return notFoundReply;
  const input = toRecord(toRecord(body)['allocation']);
  const { change, errors } = readChange(service, input, component);
  const { schemes, errors: refused } = readSchemes(service, input);
  if (!change || errors.length + refused.length > 0) return createInvalidInputReply(...errors, ...refused);
  const [allocation] = service.allocate({ subscription, changes: [change], schemes });
  const account = service.simulation.account(subscription);
  const value = allocation && toAllocationJson(service.site, account, allocation);
  return { kind: 'entity', status: 201, name: 'allocation', value };
}

/** Creates several allocations (interface 4.5). */
export function createAllocations({ service, numbers, body }: ParsedRequest): ServiceReply {
  const subscription = findSubscriptionIndex(service, numbers[0]);
  if (subscription < 0) return notFoundReply;
  const request = toRecord(body);
  const list = request['allocations'];
  if (!Array.isArray(list) || list.length === 0)
    return createInvalidInputReply('One or more allocation changes are required.');
  const components = list.map((item) =>
    findComponentIndex(parseInteger(toRecord(item)['component_id']) ?? undefined),
  );
  if (components.some((index) => index < 0)) return notFoundReply;
  const read = list.map((item, i) => readChange(service, toRecord(item), components[i] as number));
  const { schemes, errors: refused } = readSchemes(service, request);
  const errors = [...new Set([...read.flatMap((one) => one.errors), ...refused])];
  const changes = read.flatMap(({ change }) => change ?? []);
  if (errors.length > 0) return createInvalidInputReply(...errors);
  const allocations = service.allocate({ subscription, changes, schemes });
  const account = service.simulation.account(subscription);
  const values = allocations.map((allocation) => toAllocationJson(service.site, account, allocation));
  return { kind: 'list', status: 201, name: 'allocations', item: 'allocation', values, wrapped: true };
}

/** Returns the index of a subscription, or -1 if the id is unknown. */
export function findSubscriptionIndex(service: BillingService, id: number | undefined): number {
  const index = id === undefined ? -1 : service.simulation.ids.subscription.row(id);
  return index < service.simulation.parameters.subscriptions ? index : -1;
}

const findComponentIndex = (id: number | undefined): number =>
  catalogComponents.findIndex((component) => component.id === id);

/** Reads an integer from a number or text. Returns undefined if it is absent or blank, and null if it is invalid. */
function parseInteger(value: unknown): number | null | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^\s*-?\d+(\.0+)?\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

function readChange(
  { settings }: BillingService,
  input: JsonRecord,
  component: number,
): { change: QuantityChange | null; errors: string[] } {
  const errors: string[] = [];
  const { kind } = catalogComponents[component] as CatalogComponent;
  const quantity = parseInteger(input['quantity']);
  const memo = input['memo'] ?? null;
  if (kind === 'metered_component')
    errors.push('Allocations can only be updated for quantity and on/off components.');
  if (quantity === undefined) errors.push('Quantity: cannot be blank.');
  else if (quantity === null) errors.push('Quantity: must be an integer.');
  else if (kind === 'on_off_component' && quantity !== 0 && quantity !== 1)
    errors.push('Quantity: must be 1 (on) or 0 (off).');
  else if (quantity < settings.minQuantity)
    errors.push(`Quantity: must be greater than or equal to ${settings.minQuantity}.`);
  else if (quantity > MAX_QUANTITY) errors.push(`Quantity: must be less than or equal to ${MAX_QUANTITY}.`);
  if (memo !== null && typeof memo !== 'string') errors.push('Memo: must be text.');
  const change = typeof quantity === 'number' ? { component, quantity, memo: memo as string | null } : null;
  return { change, errors };
}

function readSchemes(
  { settings }: BillingService,
  input: JsonRecord,
): { schemes: ProrationSchemes; errors: string[] } {
  const upgrade = input['proration_upgrade_scheme'] ?? settings.upgradeScheme;
  const downgrade = input['proration_downgrade_scheme'] ?? settings.downgradeScheme;
  const errors: string[] = [];
  if (!UPGRADE_SCHEMES.includes(upgrade as string))
    errors.push('Proration upgrade scheme: is not included in the list.');
  if (!DOWNGRADE_SCHEMES.includes(downgrade as string))
    errors.push('Proration downgrade scheme: is not included in the list.');
  return { schemes: { upgrade, downgrade } as ProrationSchemes, errors };
}

const toRecord = (value: unknown): JsonRecord =>
  value !== null && typeof value === 'object' ? (value as JsonRecord) : {};
