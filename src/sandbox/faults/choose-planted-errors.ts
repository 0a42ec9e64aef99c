import type { PlantedErrorKind, PlantedErrorPosition } from '../simulation/planted-error-kinds.ts';
import { hashNumbers, randomTopics } from '../simulation/seeded-random.ts';
import type { SiteParameters } from '../simulation/site-parameters.ts';
import type { SubscriptionAccount } from '../simulation/subscription-account.ts';
import type { Statement } from '../simulation/subscription-ledger.ts';

/** Returns true if a statement can contain the error without causing other errors. */
function canContainError(
  kind: PlantedErrorKind,
  account: SubscriptionAccount,
  statement: Statement,
): boolean {
  const changes = () => listQuantityChanges(account, statement);
  switch (kind) {
    case 'running_balance':
      return isPaidRenewal(account, statement) && statement.transactions.length >= 3;
    case 'gap':
      return isPaidRenewal(account, statement) && hasNoEarlyTransactions(statement);
    case 'allocation_chain':
      return changes().some(
        ({ quantity, previous, component }) => component < 2 && quantity > previous && previous > 0,
      );
    case 'missing_proration':
      return changes().some(({ payment }) => payment?.success === true);
    default:
      return isPaidRenewal(account, statement);
  }
}

/** Returns true for a renewal that was paid immediately by a single payment, in a subscription that continues. */
function isPaidRenewal({ state, ledger }: SubscriptionAccount, statement: Statement): boolean {
  if (statement.index === 0 || state !== 'active') return false;
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

const hasNoEarlyTransactions = ({ openedAt, transactions }: Statement): boolean =>
  transactions.every(({ at }) => at - openedAt > 2 * 86_400);

function listQuantityChanges({ allocations, state }: SubscriptionAccount, { openedAt, closedAt }: Statement) {
  if (state !== 'active') return [];
  return allocations.filter(
    ({ at, schemes }) => schemes !== null && at > openedAt && (closedAt === 0 || at < closedAt),
  );
}

/** Chooses a statement for each requested error. Throws RangeError if the site has too few suitable statements. */
export function choosePlantedErrors(
  requested: Partial<Record<PlantedErrorKind, number>>,
  { seed, subscriptions }: Pick<SiteParameters, 'seed' | 'subscriptions'>,
  account: (subscription: number) => SubscriptionAccount,
  month: readonly [from: number, to: number],
): PlantedErrorPosition[] {
  const remainingCounts = new Map(
    Object.entries(requested).filter(([, count]) => count > 0) as [PlantedErrorKind, number][],
  );
  const plants: PlantedErrorPosition[] = [];
  const start = hashNumbers(seed, 3, randomTopics.fault) % subscriptions;
  for (let i = 0; i < subscriptions && remainingCounts.size > 0; i++) {
    const subscription = (start + i) % subscriptions;
    const plant = findPosition(account(subscription), remainingCounts, seed, month);
    if (!plant) continue;
    plants.push(plant);
    const remaining = (remainingCounts.get(plant.kind) as number) - 1;
    if (remaining > 0) remainingCounts.set(plant.kind, remaining);
    else remainingCounts.delete(plant.kind);
  }
  if (remainingCounts.size === 0) return plants;
  const missing = [...remainingCounts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  throw new RangeError(`the site is too small to plant ${missing}: request more subscriptions`);
}

function findPosition(
  account: SubscriptionAccount,
  remainingCounts: ReadonlyMap<PlantedErrorKind, number>,
  seed: number,
  [from, to]: readonly [number, number],
): PlantedErrorPosition | null {
  const subscription = account.subscriber.index;
  for (const statement of account.ledger.statements) {
    if (statement.closedAt < from || statement.closedAt >= to) continue;
    const kind = [...remainingCounts.keys()].find((each) => canContainError(each, account, statement));
    if (kind === undefined) continue;
    const cents = 100 + (hashNumbers(seed, subscription, randomTopics.fault, 9) % 900);
    return { kind, subscription, statement: statement.index, cents };
  }
  return null;
}
