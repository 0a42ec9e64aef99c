import type { Cents } from '../ledger/index.ts';
import type { Footing } from './footing.ts';
import type { StatementRecord } from './record.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The service closes a statement and opens the next a moment later. Anything up to this counts as at once. */
export const AT_ONCE = 5 * MINUTE;
/** Clocks of the service’s machines differ; up to this a moment is not in the future. */
export const CLOCK_SLACK = DAY;

/** Where two statements of a subscription meet. */
export interface Boundary {
  readonly before: Footing;
  readonly after: Footing;
  /** `pause`: time between them in which the subscription was not running; `unknown`: dates are missing or wrong. */
  readonly meeting: 'joined' | 'gap' | 'pause' | 'overlap' | 'unknown';
  /** ms from the close of the one to the opening of the other. */
  readonly apart: number | null;
  /** Opening balance of the later less closing balance of the earlier; null where either is missing. */
  readonly step: Cents | null;
  /**
   * Which figure a step is laid to: the closing balance of the earlier, which alone does not follow from its transactions; the
   * opening balance of the later, likewise; or neither, as both statements foot and the money is lost between them.
   */
  readonly blame: 'closing' | 'opening' | 'neither' | null;
}

/** Statements in the order of their periods. */
export function inChainOrder(
  statements: readonly StatementRecord[],
  now: number,
): readonly StatementRecord[] {
  const byPeriod = (a: StatementRecord, b: StatementRecord): number =>
    endOf(a, now) - endOf(b, now) || (a.opened_at ?? 0) - (b.opened_at ?? 0) || a.id - b.id;
  for (let at = 1; at < statements.length; at++) {
    if (byPeriod(statements[at - 1] as StatementRecord, statements[at] as StatementRecord) > 0) {
      return statements.toSorted(byPeriod);
    }
  }
  return statements;
}

/**
 * What a statement is put in order by: when it closed, so that one opened too early still stands in its place. One that is still
 * open, or whose closing cannot be right, stands where it opened: right behind the one that closed then.
 */
function endOf({ opened_at, closed_at, created_at }: StatementRecord, now: number): number {
  const latest = now + CLOCK_SLACK;
  const opened = opened_at !== null && opened_at <= latest ? opened_at : null;
  const closed = closed_at !== null && closed_at <= latest ? closed_at : null;
  return opened === null ? (closed ?? created_at ?? 0) : Math.max(closed ?? opened, opened);
}

/** Whether a statement’s own dates contradict each other or lie in the future; then nothing else is concluded from them. */
export function hasWrongDates({ opened_at, closed_at, settled_at }: StatementRecord, now: number): boolean {
  const latest = Math.max(opened_at ?? 0, closed_at ?? 0, settled_at ?? 0);
  if (latest > now + CLOCK_SLACK) return true;
  if (opened_at === null) return false;
  return (closed_at !== null && closed_at < opened_at) || (settled_at !== null && settled_at < opened_at);
}

export function boundaryOf(before: Footing, after: Footing, now: number): Boundary {
  const [earlier, later] = [before.statement, after.statement];
  const apart =
    earlier.closed_at !== null && later.opened_at !== null ? later.opened_at - earlier.closed_at : null;
  const closing = earlier.closed_at === null ? null : earlier.ending_balance_in_cents;
  const opening = later.starting_balance_in_cents;
  const step = closing === null || opening === null ? null : opening - closing;
  const meeting = meetingOf(earlier, later, apart, now);
  return { before, after, apart, step, meeting, blame: blameFor(step, before, after) };
}

function blameFor(step: Cents | null, before: Footing, after: Footing): Boundary['blame'] {
  if (step === null || step === 0) return null;
  if (before.difference === -step) return 'closing';
  return after.difference === -step ? 'opening' : 'neither';
}

function meetingOf(
  earlier: StatementRecord,
  later: StatementRecord,
  apart: number | null,
  now: number,
): Boundary['meeting'] {
  if (hasWrongDates(earlier, now) || hasWrongDates(later, now)) return 'unknown';
  if (apart === null) return isOpenBeside(earlier, later) ? 'overlap' : 'unknown';
  if (apart < -AT_ONCE) return 'overlap';
  if (apart <= AT_ONCE) return 'joined';
  return ended(earlier) || begins(later) ? 'pause' : 'gap';
}

/** Still open although the later one has begun, and not merely because our copy of it is older. */
function isOpenBeside({ closed_at, read_at }: StatementRecord, { opened_at }: StatementRecord): boolean {
  return closed_at === null && opened_at !== null && (read_at === null || read_at > opened_at + AT_ONCE);
}

const running = new Set(['active', 'trialing', 'assessing', 'past_due', 'soft_failure', 'pending']);

/** Whether the subscription stood still when the statement closed: it was cancelled, expired, put on hold. */
function ended({ events, transactions }: StatementRecord): boolean {
  if (transactions.some(({ kind }) => kind === 'cancelation')) return true;
  const changes = events.filter(({ key }) => key === 'subscription_state_change');
  const last = changes.reduce<(typeof changes)[number] | null>(
    (latest, each) => (latest === null || (each.created_at ?? 0) >= (latest.created_at ?? 0) ? each : latest),
    null,
  );
  if (last !== null) return last.new_state === null || !running.has(last.new_state);
  return events.some(({ key }) => key === 'subscription_deletion');
}

/** Whether the statement is the first after the subscription stood still. */
function begins({ events, transactions }: StatementRecord): boolean {
  return (
    transactions.some(({ kind }) => kind === 'reactivation') ||
    events.some(({ key }) => key.includes('reactivat') || key === 'signup_success')
  );
}
