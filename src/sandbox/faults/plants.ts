import type { Account } from '../world/account.ts';
import type { Statement } from '../world/ledger.ts';
import type { Plant, PlantKind } from '../world/plant.ts';
import { hash, topic } from '../world/random.ts';

/** Whether a statement of a clean subscription can bear the error, so that nothing else becomes wrong with it. */
const bears: Record<PlantKind, (account: Account, statement: Statement) => boolean> = {
  arithmetic: isOrdinary,
  running_balance: (account, statement) =>
    isOrdinary(account, statement) && statement.transactions.length >= 3,
  continuity: isOrdinary,
  gap: (account, statement) => isOrdinary(account, statement) && opensQuietly(statement),
  overlap: isOrdinary,
  missing_statement: isOrdinary,
  duplicate_payment: isOrdinary,
  failed_counts: isOrdinary,
  settled_unpaid: isOrdinary,
  allocation_chain: (account, statement) =>
    changesIn(account, statement).some(
      ({ quantity, previous, component }) => component < 2 && quantity > previous && previous > 0,
    ),
  missing_proration: (account, statement) =>
    changesIn(account, statement).some(({ payment }) => payment?.success === true),
  lost_webhook: isOrdinary,
  unsent_webhook: isOrdinary,
  duplicate_webhook: isOrdinary,
};

/** A renewal paid at once by one payment, in a subscription that goes on. */
function isOrdinary({ state, ledger }: Account, statement: Statement | undefined): boolean {
  if (!statement || statement.index === 0 || state !== 'active') return false;
  const payments = statement.transactions.filter(({ type }) => type === 'payment');
  const renewals = payments.filter(({ subject, success }) => subject === 'renewal' && success);
  return (
    statement.settledAt === statement.closedAt &&
    statement.closedAt > 0 &&
    renewals.length === 1 &&
    payments.length === renewals.length &&
    statement.starting === 0 &&
    ledger.statements.length > statement.index + 1
  );
}

const opensQuietly = ({ openedAt, transactions }: Statement): boolean =>
  transactions.every(({ at }) => at - openedAt > 2 * 86_400);

function changesIn({ allocations, state }: Account, { openedAt, closedAt }: Statement) {
  if (state !== 'active') return [];
  return allocations.filter(
    ({ at, schemes }) => schemes !== null && at > openedAt && (closedAt === 0 || at < closedAt),
  );
}

/** Finds a place for each error asked for. Errors: a RangeError where the site is too small for them. */
export function choosePlants(
  wanted: Partial<Record<PlantKind, number>>,
  seed: number,
  subscriptions: number,
  account: (subscription: number) => Account,
  month: readonly [from: number, to: number],
): Plant[] {
  const left = new Map(Object.entries(wanted).filter(([, count]) => count > 0) as [PlantKind, number][]);
  const plants: Plant[] = [];
  const start = hash(seed, 3, topic.fault) % subscriptions;
  for (let i = 0; i < subscriptions && left.size > 0; i++) {
    const subscription = (start + i) % subscriptions;
    const plant = place(account(subscription), left, seed, month);
    if (!plant) continue;
    plants.push(plant);
    const more = (left.get(plant.kind) as number) - 1;
    if (more > 0) left.set(plant.kind, more);
    else left.delete(plant.kind);
  }
  if (left.size === 0) return plants;
  const missing = [...left].map(([kind, count]) => `${count} ${kind}`).join(', ');
  throw new RangeError(`no place to plant ${missing}: ask for more subscriptions`);
}

function place(
  account: Account,
  left: ReadonlyMap<PlantKind, number>,
  seed: number,
  [from, to]: readonly [number, number],
): Plant | null {
  const subscription = account.subscriber.index;
  for (const statement of account.ledger.statements) {
    if (statement.closedAt < from || statement.closedAt >= to) continue;
    for (const kind of left.keys()) {
      const cents = 100 + (hash(seed, subscription, topic.fault, 9) % 900);
      if (bears[kind](account, statement)) return { kind, subscription, statement: statement.index, cents };
    }
  }
  return null;
}
