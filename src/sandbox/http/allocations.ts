import { allocationEntity, type Entity } from '../render/statement.ts';
import type { Service } from '../service.ts';
import type { Change } from '../world/billing.ts';
import { type Component, components } from '../world/catalog.ts';
import type { Schemes } from '../world/plan.ts';
import type { Ask } from './ask.ts';
import { invalid, missing, type Reply } from './reply.ts';

const PAGE = 50;
const MOST = 100_000;

const upgrades: readonly string[] = ['prorate-delay-capture', 'prorate-attempt-capture', 'no-prorate'];
const downgrades: readonly string[] = ['prorate', 'no-prorate'];

/** Section 4.3. */
export function listAllocations({ service, query, numbers, format }: Ask): Reply {
  const [subscription, component] = [subscriptionOf(service, numbers[0]), componentOf(numbers[1])];
  if (subscription < 0 || component < 0) return missing;
  const text = query.get('page') ?? '1';
  const page = Number(text);
  if (!Number.isSafeInteger(page) || page < 1) return invalid(`invalid page: ${text}`);
  const account = service.world.account(subscription);
  const newestFirst = account.allocations
    .filter((allocation) => allocation.component === component)
    .reverse();
  const values = newestFirst
    .slice((page - 1) * PAGE, page * PAGE)
    .map((allocation) => allocationEntity(service.site, account, allocation, format === 'json'));
  return { kind: 'list', status: 200, name: 'allocations', item: 'allocation', values, wrapped: true };
}

/** Section 4.4. */
export function createAllocation({ service, numbers, body }: Ask): Reply {
  const [subscription, component] = [subscriptionOf(service, numbers[0]), componentOf(numbers[1])];
  if (subscription < 0 || component < 0) return missing;
  const given = record(record(body)['allocation']);
  const { change, errors } = readChange(service, given, component);
  const { schemes, errors: refused } = readSchemes(service, given);
  if (!change || errors.length + refused.length > 0) return invalid(...errors, ...refused);
  const [made] = service.allocate({ subscription, changes: [change], schemes });
  const account = service.world.account(subscription);
  const value = made && allocationEntity(service.site, account, made);
  return { kind: 'entity', status: 201, name: 'allocation', value };
}

/** Section 4.5. */
export function createAllocations({ service, numbers, body }: Ask): Reply {
  const subscription = subscriptionOf(service, numbers[0]);
  if (subscription < 0) return missing;
  const request = record(body);
  const list = request['allocations'];
  if (!Array.isArray(list) || list.length === 0)
    return invalid('One or more allocation changes are required.');
  const places = list.map((item) => componentOf(wholeNumber(record(item)['component_id']) ?? undefined));
  if (places.some((place) => place < 0)) return missing;
  const read = list.map((item, i) => readChange(service, record(item), places[i] as number));
  const { schemes, errors: refused } = readSchemes(service, request);
  const errors = [...new Set([...read.flatMap((one) => one.errors), ...refused])];
  const changes = read.flatMap(({ change }) => change ?? []);
  if (errors.length > 0) return invalid(...errors);
  const made = service.allocate({ subscription, changes, schemes });
  const account = service.world.account(subscription);
  const values = made.map((allocation) => allocationEntity(service.site, account, allocation));
  return { kind: 'list', status: 201, name: 'allocations', item: 'allocation', values, wrapped: true };
}

export function subscriptionOf(service: Service, id: number | undefined): number {
  const index = id === undefined ? -1 : service.world.ids.subscription.row(id);
  return index < service.world.shape.subscriptions ? index : -1;
}

const componentOf = (id: number | undefined): number =>
  components.findIndex((component) => component.id === id);

/** A whole number given as a number or as text; undefined where absent or blank, null where it is something else. */
function wholeNumber(value: unknown): number | null | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^\s*-?\d+(\.0+)?\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

function readChange(
  { choices }: Service,
  given: Entity,
  place: number,
): { change: Change | null; errors: string[] } {
  const errors: string[] = [];
  const component = components[place] as Component;
  const quantity = wholeNumber(given['quantity']);
  const memo = given['memo'] ?? null;
  if (component.kind === 'metered_component')
    errors.push('Allocations can only be updated for quantity and on/off components.');
  if (quantity === undefined) errors.push('Quantity: cannot be blank.');
  else if (quantity === null) errors.push('Quantity: must be an integer.');
  else if (component.kind === 'on_off_component' && quantity !== 0 && quantity !== 1)
    errors.push('Quantity: must be 1 (on) or 0 (off).');
  else if (quantity < choices.minQuantity)
    errors.push(`Quantity: must be greater than or equal to ${choices.minQuantity}.`);
  else if (quantity > MOST) errors.push(`Quantity: must be less than or equal to ${MOST}.`);
  if (memo !== null && typeof memo !== 'string') errors.push('Memo: must be text.');
  const change =
    typeof quantity === 'number' ? { component: place, quantity, memo: memo as string | null } : null;
  return { change, errors };
}

function readSchemes({ choices }: Service, given: Entity): { schemes: Schemes; errors: string[] } {
  const upgrade = given['proration_upgrade_scheme'] ?? choices.upgradeScheme;
  const downgrade = given['proration_downgrade_scheme'] ?? choices.downgradeScheme;
  const errors: string[] = [];
  if (!upgrades.includes(upgrade as string)) {
    errors.push('Proration upgrade scheme: is not included in the list.');
  }
  if (!downgrades.includes(downgrade as string)) {
    errors.push('Proration downgrade scheme: is not included in the list.');
  }
  return { schemes: { upgrade, downgrade } as Schemes, errors };
}

const record = (value: unknown): Entity =>
  value !== null && typeof value === 'object' ? (value as Entity) : {};
