import { type ActivityKind, activityKindSchema, type ContractOutputs } from '../../../contract/index.ts';
import { COMPONENT_NAME_SQL } from '../allocations/subscription-component.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { findSubscription } from '../statements/subscription-list.ts';

type Figures = NonNullable<ContractOutputs['subscriptions']['activity']['figures']>;

/** Maximum number of points in an activity plot. */
const MAX_PLOT_POINTS = 5000;

/** Returns the summary of a subscription's activity, or null if nothing is known about the subscription. */
export function readActivityFigures(
  cache: ReadableDb,
  books: ReadableDb,
  subscription_id: number,
  count: (kind: ActivityKind) => number,
): Figures | null {
  const row = findSubscription(cache, subscription_id);
  if (row === null) return null;
  const counts = Object.fromEntries(
    activityKindSchema.options.map((kind) => [kind, count(kind)]),
  ) as Figures['counts'];
  const notAcceptedSql =
    'SELECT count(*) FROM webhook INDEXED BY webhook_subscription WHERE subscription_id = ? AND delivery <> 0';
  const not_accepted = prepareSql<number>(cache, notAcceptedSql).pluck().get(subscription_id);
  const openSql = `SELECT count(*) FROM exception_link JOIN exception ON exception.id = exception_id
     WHERE exception_link.kind = 'subscription' AND exception_link.id = ? AND status = 'open'`;
  const open = prepareSql<number>(books, openSql).pluck().get(subscription_id);
  return {
    subscription: row,
    counts,
    open_exceptions: open ?? 0,
    not_accepted: not_accepted ?? 0,
    balance: readBalancePoints(cache, subscription_id),
    components: readQuantitySteps(cache, subscription_id),
  };
}

const openings = `SELECT opened_at AS ms, 0 AS rank, 0 AS position, opened_at_text AS at, starting_balance_in_cents AS balance_in_cents,
    id AS statement_id FROM statement INDEXED BY statement_subscription
  WHERE subscription_id = ? AND vanished_at IS NULL AND opened_at > 0`;
const movements = `SELECT txn.created_at AS ms, 1 AS rank, txn.row AS position, txn.created_at_text AS at,
    txn.ending_balance_in_cents AS balance_in_cents, statement.id AS statement_id
  FROM statement INDEXED BY statement_subscription CROSS JOIN txn ON txn.statement_id = statement.id
  WHERE statement.subscription_id = ? AND vanished_at IS NULL AND txn.ending_balance_in_cents IS NOT NULL AND txn.created_at > 0`;
const closings = `SELECT closed_at AS ms, 2 AS rank, 0 AS position, closed_at_text AS at, ending_balance_in_cents AS balance_in_cents,
    id AS statement_id FROM statement INDEXED BY statement_subscription
  WHERE subscription_id = ? AND vanished_at IS NULL AND closed_at IS NOT NULL`;

/** Returns the balance at each opening and closing. Includes each transaction if all points fit in the plot. */
function readBalancePoints(cache: ReadableDb, subscription_id: number): Figures['balance'] {
  const points = (...parts: string[]) =>
    select.rows<Figures['balance'][number]>(
      cache,
      `SELECT at, balance_in_cents, statement_id FROM (${parts.map((part) => `SELECT * FROM (${part})`).join(' UNION ALL ')})
       ORDER BY ms, rank, position LIMIT ?`,
      ...parts.map(() => subscription_id),
      MAX_PLOT_POINTS + 1,
    );
  const all = points(openings, movements, closings);
  return all.length <= MAX_PLOT_POINTS ? all : points(openings, closings).slice(0, MAX_PLOT_POINTS);
}

function readQuantitySteps(cache: ReadableDb, subscription_id: number): Figures['components'] {
  const componentsSql = `SELECT component_id, ${COMPONENT_NAME_SQL} AS component_name FROM subscription_component
     WHERE subscription_id = ? ORDER BY component_id`;
  const components = select.rows<{ component_id: number; component_name: string | null }>(
    cache,
    componentsSql,
    subscription_id,
  );
  return components.flatMap((component) => {
    const stepsSql = `SELECT timestamp AS at, quantity, previous_quantity FROM allocation
       WHERE subscription_id = ? AND component_id = ? ORDER BY timestamp_ms DESC, ordinal DESC LIMIT ?`;
    const steps = select
      .rows<{ at: string; quantity: number | string; previous_quantity: number | string }>(
        cache,
        stepsSql,
        subscription_id,
        component.component_id,
        MAX_PLOT_POINTS,
      )
      .reverse();
    if (steps.length === 0) return [];
    const before = steps[0]?.previous_quantity ?? null;
    return [{ ...component, before, steps: steps.map(({ at, quantity }) => ({ at, quantity })) }];
  });
}
