import {
  type CrossSubscriptionGroup,
  checkAcrossSubscriptions,
  checkSubscription,
  type Finding,
  learnSiteHabits,
  type SiteHabits,
  type SubscriptionRecord,
} from '../../domain/checks/index.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  type CheckUnit,
  dueUnits,
  unitChecked,
  unitsBehind,
  unnamedIds,
} from '../store/check-queue/check-due.ts';
import {
  type AcrossKey,
  acrossGroup,
  gatewaysOf,
  sharedKeys,
  sharedStretch,
} from '../store/checks/check-across.ts';
import { someSubscriptions } from '../store/checks/check-ground.ts';
import { recordsOf } from '../store/checks/check-records.ts';
import { saveCheckState } from '../store/checks/check-state.ts';
import {
  liveAcross,
  liveOfSubscriptions,
  liveOfUnnamed,
  type StoredException,
} from '../store/checks/exception.ts';
import { commit, snapshot } from '../store/sqlite/connection.ts';
import {
  type CheckInputs,
  describeRulesInForce,
  disabledRules,
  isLogAndStatementsComplete,
  readCheckInputs,
} from './check-inputs.ts';
import { findLatestTime } from './latest-time.ts';
import { provesAbsence } from './proves-absence.ts';
import {
  type CheckCause,
  type CheckFinding,
  createExceptionChanges,
  type ExceptionChanges,
  reconcileExceptions,
} from './reconcile-exceptions.ts';

/** Input and callbacks of a check. */
export interface CheckTask {
  readonly site: Pick<OpenSite, 'cache' | 'books'>;
  readonly cause: Omit<CheckCause, 'at'>;
  readonly signal: AbortSignal;
  /** Returns the current time in UTC milliseconds, by the local clock. */
  now(): number;
  /** Called with the numbers of units checked and failed so far. */
  progress(done: number, failed: number): void;
  /**
   * Called for a unit that could not be checked. The check continues with the next unit, and a later check tries this one
   * again.
   */
  failed(unit: CheckUnit, error: unknown): void;
  /** Extracts the text of the units' PDFs before they are checked. */
  prepare(units: readonly CheckUnit[]): Promise<void>;
}

/** Result of a check, with the changes it made to the exceptions. */
export interface CheckOutcome extends ExceptionChanges {
  /** Number of units checked. */
  units: number;
  failed: number;
}

/**
 * Thrown if a rule is switched on or off during a check. The check must start over, because its findings so far are from
 * the previous rules.
 */
export class RulesSwitchedError extends Error {
  override readonly name = 'RulesSwitched';
}

/** Number of units read and checked per batch. Twice as many use 100 MB more memory and are not faster. */
const UNITS_PER_BATCH = 8;
/** Number of index rows scanned per batch. */
const INDEX_ROWS_PER_BATCH = 20_000;
/** Number of subscriptions from which a site's habits are learned. */
const MAX_SUBSCRIPTIONS_FOR_HABITS = 300;
/** Milliseconds after a subscription's latest record during which related events may still arrive. */
const SETTLING_TIME_MS = 65 * 60_000;

/** Checks the units that changed since the last check, or were too recent to be checked then. */
export async function checkChanged(task: CheckTask): Promise<CheckOutcome> {
  const inputs = readCheckInputs(task.site, task.now());
  const outcome = { ...createExceptionChanges(), units: 0, failed: 0 };
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const units = dueUnits(task.site.cache, inputs.horizon, after, UNITS_PER_BATCH);
    const last = units.at(-1);
    if (last === undefined) break;
    after = last;
    await checkBatch(task, inputs, units, outcome, true);
  }
  saveEndState(task, inputs, {});
  return outcome;
}

/** Checks all stored records, after learning the site's habits. */
export async function checkAll(task: CheckTask): Promise<CheckOutcome> {
  const { cache } = task.site;
  const first = readCheckInputs(task.site, task.now());
  const whole = isLogAndStatementsComplete(cache);
  const habits = learnHabits(task, first);
  const inputs: CheckInputs = { ...first, context: { ...first.context, habits } };
  const outcome = { ...createExceptionChanges(), units: 0, failed: 0 };
  for (let after: CheckUnit | null = null; ; ) {
    const units: CheckUnit[] = unitsBehind(cache, after, UNITS_PER_BATCH);
    after = units.at(-1) ?? null;
    if (after === null) break;
    await checkBatch(task, inputs, units, outcome, false);
  }
  await checkAllAcrossSubscriptions(task, inputs, outcome);
  const rules = describeRulesInForce(inputs.context.disabled);
  saveEndState(task, inputs, { full_at: task.now(), habits_since: [...habits], rules, whole });
  return outcome;
}

function saveEndState(
  { site: { cache }, now }: CheckTask,
  { state }: CheckInputs,
  learned: Partial<CheckInputs['state']>,
): void {
  commit(cache, () => saveCheckState(cache, { ...state, checked_at: now(), ...learned }));
}

function learnHabits({ site: { cache } }: CheckTask, { context, records }: CheckInputs): SiteHabits {
  const chosen = someSubscriptions(cache, MAX_SUBSCRIPTIONS_FOR_HABITS);
  function* chosenRecords(): Generator<SubscriptionRecord> {
    for (let from = 0; from < chosen.length; from += UNITS_PER_BATCH) {
      yield* recordsOf(cache, chosen.slice(from, from + UNITS_PER_BATCH), records);
    }
  }
  return commit(cache, () =>
    learnSiteHabits(chosenRecords(), { now: context.now, webhookLog: context.webhookLog }),
  );
}

/**
 * Checks a batch of units. Reading, checking and writing are in one transaction, so that no change made in between is
 * marked as checked. Throws RulesSwitchedError.
 */
async function checkBatch(
  task: CheckTask,
  inputs: CheckInputs,
  units: readonly CheckUnit[],
  outcome: CheckOutcome,
  across: boolean,
): Promise<void> {
  const { site, cause, signal } = task;
  const { cache, books } = site;
  await task.prepare(units);
  await yieldToEventLoop();
  signal.throwIfAborted();
  commit(cache, () => {
    if (disabledRules(books).symmetricDifference(inputs.context.disabled).size > 0)
      throw new RulesSwitchedError();
    const checked = findInUnits(task, inputs, units);
    const checkedUnits = checked.map(({ unit }) => unit);
    const findings = checked.flatMap(({ findings }) =>
      findings.map((finding): CheckFinding => ({ finding, across: false })),
    );
    const live = listLiveExceptions(books, checkedUnits);
    if (across) {
      const records = checked.map(({ record }) => record);
      const concerned = liveAcross(
        books,
        checkedUnits.filter((unit) => unit >= 0),
      );
      live.push(...concerned);
      findings.push(...findAcrossSubscriptions(task, inputs, listSharedKeys(task, records, concerned)));
    }
    const isGone = (stored: StoredException) => provesAbsence(cache, inputs, stored);
    addChanges(outcome, reconcileExceptions(site, findings, live, isGone, { ...cause, at: task.now() }));
    for (const { unit, record } of checked) {
      const until = findLatestTime(record) + SETTLING_TIME_MS;
      unitChecked(cache, unit, until > inputs.horizon ? until : null);
    }
    outcome.units += checked.length;
    outcome.failed += units.length - checked.length;
  });
  task.progress(outcome.units, outcome.failed);
}

interface CheckedUnit {
  readonly unit: CheckUnit;
  readonly record: SubscriptionRecord;
  readonly findings: readonly Finding[];
}

/** Returns the findings of each unit. A unit remains pending if a rule fails on it. */
function findInUnits(
  task: CheckTask,
  { context, records }: CheckInputs,
  units: readonly CheckUnit[],
): CheckedUnit[] {
  const { cache } = task.site;
  return recordsOf(cache, units, records).flatMap((record, at): CheckedUnit[] => {
    const unit = units[at] as CheckUnit;
    try {
      return [{ unit, record, findings: checkSubscription(record, context) }];
    } catch (error) {
      task.failed(unit, error);
      unitChecked(cache, unit, 1);
      return [];
    }
  });
}

function listLiveExceptions(books: OpenSite['books'], units: readonly CheckUnit[]): StoredException[] {
  return [
    ...liveOfSubscriptions(
      books,
      units.filter((unit) => unit >= 0),
    ),
    ...units.filter((unit) => unit < 0).flatMap((unit) => liveOfUnnamed(books, unnamedIds(unit))),
  ];
}

/**
 * Returns the keys by which these subscriptions' transactions may be shared with other subscriptions, now or when an
 * exception was recorded.
 */
function listSharedKeys(
  { site: { cache } }: CheckTask,
  records: readonly SubscriptionRecord[],
  concerned: readonly StoredException[],
): AcrossKey[] {
  const ids: number[] = concerned.flatMap(({ rows }) => listTransactionIds(rows));
  const gateways: string[] = gatewaysOf(cache, ids);
  for (const { statements } of records) {
    for (const { transactions } of statements) {
      for (const { id, gateway_transaction_id: gateway } of transactions) {
        ids.push(id);
        if (gateway !== null && gateway !== '') gateways.push(gateway);
      }
    }
  }
  return ids.length === 0 ? [] : sharedKeys(cache, ids, gateways);
}

function listTransactionIds(rows: string): number[] {
  return (JSON.parse(rows) as { kind: string; id: number }[]).flatMap(({ kind, id }) =>
    kind === 'transaction' ? [id] : [],
  );
}

function findAcrossSubscriptions(
  { site: { cache } }: CheckTask,
  { context }: CheckInputs,
  keys: readonly AcrossKey[],
): CheckFinding[] {
  function* groups(): Generator<CrossSubscriptionGroup> {
    for (const key of keys) {
      const group = acrossGroup(cache, key);
      if (group !== null) yield group;
    }
  }
  return [...checkAcrossSubscriptions(groups(), context)].map((finding) => ({ finding, across: true }));
}

/**
 * Finds rows shared by several subscriptions, using the indexes. Only after all of them are found is it known which
 * earlier findings have disappeared.
 */
async function checkAllAcrossSubscriptions(
  task: CheckTask,
  inputs: CheckInputs,
  outcome: CheckOutcome,
): Promise<void> {
  const { site, cause, signal } = task;
  const seen = new Set<string>();
  for (const by of ['transaction_id', 'gateway_transaction_id'] as const) {
    for (let after: number | string | null = null; ; ) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      const { keys, end } = snapshot(site.cache, () =>
        sharedStretch(site.cache, by, after, INDEX_ROWS_PER_BATCH),
      );
      const findings = findAcrossSubscriptions(task, inputs, keys);
      for (const { finding } of findings) seen.add(finding.key);
      addChanges(
        outcome,
        reconcileExceptions(site, findings, [], () => false, { ...cause, at: task.now() }),
      );
      if (end === null) break;
      after = end;
    }
  }
  const missing = liveAcross(site.books, null).filter(({ key }) => !seen.has(key));
  const isGone = (stored: StoredException) => provesAbsence(site.cache, inputs, stored);
  addChanges(outcome, reconcileExceptions(site, [], missing, isGone, { ...cause, at: task.now() }));
}

function addChanges(outcome: CheckOutcome, changes: ExceptionChanges): void {
  outcome.found += changes.found;
  outcome.back += changes.back;
  outcome.changed += changes.changed;
  outcome.closed += changes.closed;
}
