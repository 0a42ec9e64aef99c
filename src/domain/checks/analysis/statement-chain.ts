import type { Cents } from '../../ledger/index.ts';
import type { StatementFooting } from './statement-footing.ts';
import type { StatementRecord } from './subscription-record.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Two times at most this far apart count as simultaneous, because the service opens a statement slightly after it closes the
 * previous one.
 */
export const SAME_TIME_MS = 5 * MINUTE_MS;
/** A time at most this far ahead is not in the future, because the service's machines have different clocks. */
export const CLOCK_TOLERANCE_MS = DAY_MS;

/** The transition between two consecutive statements of a subscription. */
export interface StatementBoundary {
  readonly before: StatementFooting;
  readonly after: StatementFooting;
  /** `pause`: the subscription was inactive in between. `unknown`: dates are missing or wrong. */
  readonly transition: 'joined' | 'gap' | 'pause' | 'overlap' | 'unknown';
  /** Milliseconds from the close of the earlier to the opening of the later statement. */
  readonly gapMs: number | null;
  /** Opening balance of the later less closing balance of the earlier statement; null if either is missing. */
  readonly balanceStep: Cents | null;
  /**
   * The balance that causes the step: the closing or opening balance that alone does not follow from its transactions, or
   * neither if both statements foot.
   */
  readonly wrongBalance: 'closing' | 'opening' | 'neither' | null;
}

/** Orders statements by their periods. */
export function orderByPeriod(
  statements: readonly StatementRecord[],
  now: number,
): readonly StatementRecord[] {
  const byPeriod = (a: StatementRecord, b: StatementRecord): number =>
    sortTimeOf(a, now) - sortTimeOf(b, now) || (a.opened_at ?? 0) - (b.opened_at ?? 0) || a.id - b.id;
  for (let at = 1; at < statements.length; at++) {
    if (byPeriod(statements[at - 1] as StatementRecord, statements[at] as StatementRecord) > 0) {
      return statements.toSorted(byPeriod);
    }
  }
  return statements;
}

/**
 * Returns the time by which a statement is ordered: its closing, so that one opened too early is still in its place. A
 * statement that is open, or whose closing cannot be right, is ordered by its opening.
 */
function sortTimeOf({ opened_at, closed_at, created_at }: StatementRecord, now: number): number {
  const latest = now + CLOCK_TOLERANCE_MS;
  const opened = opened_at !== null && opened_at <= latest ? opened_at : null;
  const closed = closed_at !== null && closed_at <= latest ? closed_at : null;
  return opened === null ? (closed ?? created_at ?? 0) : Math.max(closed ?? opened, opened);
}

/**
 * Returns true if a statement's own dates contradict each other or are in the future. Nothing else is then concluded from them.
 */
export function hasWrongDates({ opened_at, closed_at, settled_at }: StatementRecord, now: number): boolean {
  const latest = Math.max(opened_at ?? 0, closed_at ?? 0, settled_at ?? 0);
  if (latest > now + CLOCK_TOLERANCE_MS) return true;
  if (opened_at === null) return false;
  return (closed_at !== null && closed_at < opened_at) || (settled_at !== null && settled_at < opened_at);
}

export function compareStatements(
  before: StatementFooting,
  after: StatementFooting,
  now: number,
): StatementBoundary {
  const [earlier, later] = [before.statement, after.statement];
  const gapMs =
    earlier.closed_at !== null && later.opened_at !== null ? later.opened_at - earlier.closed_at : null;
  const closing = earlier.closed_at === null ? null : earlier.ending_balance_in_cents;
  const opening = later.starting_balance_in_cents;
  const balanceStep = closing === null || opening === null ? null : opening - closing;
  const transition = classifyTransition(earlier, later, gapMs, now);
  return {
    before,
    after,
    gapMs,
    balanceStep,
    transition,
    wrongBalance: findWrongBalance(balanceStep, before, after),
  };
}

function findWrongBalance(
  step: Cents | null,
  before: StatementFooting,
  after: StatementFooting,
): StatementBoundary['wrongBalance'] {
  if (step === null || step === 0) return null;
  if (before.difference === -step) return 'closing';
  return after.difference === -step ? 'opening' : 'neither';
}

function classifyTransition(
  earlier: StatementRecord,
  later: StatementRecord,
  gapMs: number | null,
  now: number,
): StatementBoundary['transition'] {
  if (hasWrongDates(earlier, now) || hasWrongDates(later, now)) return 'unknown';
  if (gapMs === null) return isOpenDuring(earlier, later) ? 'overlap' : 'unknown';
  if (gapMs < -SAME_TIME_MS) return 'overlap';
  if (gapMs <= SAME_TIME_MS) return 'joined';
  return endsSubscription(earlier) || startsSubscription(later) ? 'pause' : 'gap';
}

/**
 * Returns true if the earlier statement is still open after the later one opened, and its copy is recent enough to show that.
 */
function isOpenDuring({ closed_at, read_at }: StatementRecord, { opened_at }: StatementRecord): boolean {
  return closed_at === null && opened_at !== null && (read_at === null || read_at > opened_at + SAME_TIME_MS);
}

const RUNNING_STATES = new Set(['active', 'trialing', 'assessing', 'past_due', 'soft_failure', 'pending']);

/** Returns true if the subscription became inactive by the close of the statement: canceled, expired or on hold. */
function endsSubscription({ events, transactions }: StatementRecord): boolean {
  if (transactions.some(({ kind }) => kind === 'cancelation')) return true;
  const changes = events.filter(({ key }) => key === 'subscription_state_change');
  const last = changes.reduce<(typeof changes)[number] | null>(
    (latest, each) => (latest === null || (each.created_at ?? 0) >= (latest.created_at ?? 0) ? each : latest),
    null,
  );
  if (last !== null) return last.new_state === null || !RUNNING_STATES.has(last.new_state);
  return events.some(({ key }) => key === 'subscription_deletion');
}

/** Returns true if the statement is the first after an inactive time. */
function startsSubscription({ events, transactions }: StatementRecord): boolean {
  return (
    transactions.some(({ kind }) => kind === 'reactivation') ||
    events.some(({ key }) => key.includes('reactivat') || key === 'signup_success')
  );
}
