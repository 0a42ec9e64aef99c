import type { Cents } from '../../ledger/index.ts';
import type { StatementFooting } from './statement-footing.ts';
import type { StatementRecord } from './subscription-record.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Tolerance for simultaneous times. The service opens a statement shortly after it closes the previous one. */
export const SAME_TIME_TOLERANCE_MS = 5 * MINUTE_MS;
/** Tolerance for future times, because the service's machines have different clocks. */
export const CLOCK_TOLERANCE_MS = DAY_MS;

/** The transition from one statement of a subscription to the next. */
export interface StatementBoundary {
  readonly before: StatementFooting;
  readonly after: StatementFooting;
  /** Kind of transition. `pause`: the subscription was inactive in between. `unknown`: dates are missing or wrong. */
  readonly transition: 'joined' | 'gap' | 'pause' | 'overlap' | 'unknown';
  /** Milliseconds from the earlier statement's close to the later statement's opening. */
  readonly gapMs: number | null;
  /** Opening balance of the later statement minus closing balance of the earlier one; null if either is missing. */
  readonly balanceStep: Cents | null;
  /** The balance that disagrees with its statement's transactions, or `neither` if both statements foot. */
  readonly wrongBalance: 'closing' | 'opening' | 'neither' | null;
}

export function sortStatementsByPeriod(
  statements: readonly StatementRecord[],
  now: number,
): readonly StatementRecord[] {
  const comparePeriods = (a: StatementRecord, b: StatementRecord): number =>
    getSortTime(a, now) - getSortTime(b, now) || (a.opened_at ?? 0) - (b.opened_at ?? 0) || a.id - b.id;
  for (let at = 1; at < statements.length; at++)
    if (comparePeriods(statements[at - 1] as StatementRecord, statements[at] as StatementRecord) > 0)
      return statements.toSorted(comparePeriods);
  return statements;
}

/**
 * Returns the time for sorting: the closing time, because a wrong opening time may be too early, or the opening time.
 */
function getSortTime({ opened_at, closed_at, created_at }: StatementRecord, now: number): number {
  const latest = now + CLOCK_TOLERANCE_MS;
  const opened = opened_at !== null && opened_at <= latest ? opened_at : null;
  const closed = closed_at !== null && closed_at <= latest ? closed_at : null;
  return opened === null ? (closed ?? created_at ?? 0) : Math.max(closed ?? opened, opened);
}

/** Returns true if a statement's dates contradict each other or are in the future. */
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

function findWrongBalance(step: Cents | null, before: StatementFooting, after: StatementFooting) {
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
  if (gapMs < -SAME_TIME_TOLERANCE_MS) return 'overlap';
  if (gapMs <= SAME_TIME_TOLERANCE_MS) return 'joined';
  return endsSubscription(earlier) || startsSubscription(later) ? 'pause' : 'gap';
}

/** Returns true if a sufficiently recent copy shows the earlier statement open after the later one opened. */
function isOpenDuring({ closed_at, read_at }: StatementRecord, { opened_at }: StatementRecord): boolean {
  return (
    closed_at === null &&
    opened_at !== null &&
    (read_at === null || read_at > opened_at + SAME_TIME_TOLERANCE_MS)
  );
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

/** Returns true if the statement is the first one after an inactive period of the subscription. */
function startsSubscription({ events, transactions }: StatementRecord): boolean {
  return (
    transactions.some(({ kind }) => kind === 'reactivation') ||
    events.some(({ key }) => key.includes('reactivat') || key === 'signup_success')
  );
}
