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
} from './ground.ts';
import { latestInstant } from './latest.ts';
import {
  type CheckCause,
  type CheckFinding,
  type ExceptionChanges,
  noExceptionChanges,
  reconcileExceptions,
} from './reconcile.ts';
import { provesAbsence } from './sight.ts';

/** Input and callbacks of a check. */
export interface CheckTask {
  readonly site: Pick<OpenSite, 'cache' | 'books'>;
  readonly cause: Omit<CheckCause, 'at'>;
  readonly signal: AbortSignal;
  /** Local clock, UTC milliseconds. */
  now(): number;
  /** Receives the progress in units. */
  progress(done: number, failed: number): void;
  /** Receives a unit that could not be checked. The others continue, and it is tried again next time. */
  failed(unit: CheckUnit, error: unknown): void;
  /** Prepares data of these units that SQL cannot provide. */
  prepare(units: readonly CheckUnit[]): Promise<void>;
}

/** Result of a check. */
export interface CheckOutcome extends ExceptionChanges {
  /** Number of units checked, and of units that failed. */
  units: number;
  failed: number;
}

/**
 * Thrown if a rule is switched during a check. The check then starts again, because its findings so far are of other
 * rules.
 */
export class RulesSwitchedError extends Error {
  override readonly name = 'RulesSwitched';
}

/** Number of units read and checked together. Twice as many take 100 MB more memory and no less time. */
const CHUNK = 8;
/** Number of index rows scanned per batch. */
const STRETCH = 20_000;
/** Number of subscriptions from which a site's usual behavior is learned. */
const LEARNED_FROM = 300;
/** Milliseconds after the last row of a subscription during which events may still belong to it. */
const STILL = 65 * 60_000;

/** Checks what has changed since the last check, and what was too recent then. */
export async function checkChanged(task: CheckTask): Promise<CheckOutcome> {
  const ground = readCheckInputs(task.site, task.now());
  const outcome = { ...noExceptionChanges(), units: 0, failed: 0 };
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const units = dueUnits(task.site.cache, ground.horizon, after, CHUNK);
    const last = units.at(-1);
    if (last === undefined) break;
    after = last;
    await checkChunk(task, ground, units, outcome, true);
  }
  finish(task, ground, {});
  return outcome;
}

/** Checks all stored records, after learning the site's usual behavior. */
export async function checkAll(task: CheckTask): Promise<CheckOutcome> {
  const { cache } = task.site;
  const first = readCheckInputs(task.site, task.now());
  const whole = isLogAndStatementsComplete(cache);
  const habits = learnHabits(task, first);
  const ground: CheckInputs = { ...first, context: { ...first.context, habits } };
  const outcome = { ...noExceptionChanges(), units: 0, failed: 0 };
  for (let after: CheckUnit | null = null; ; ) {
    const units: CheckUnit[] = unitsBehind(cache, after, CHUNK);
    after = units.at(-1) ?? null;
    if (after === null) break;
    await checkChunk(task, ground, units, outcome, false);
  }
  await checkAllAcross(task, ground, outcome);
  const rules = describeRulesInForce(ground.context.disabled);
  finish(task, ground, { full_at: task.now(), habits_since: [...habits], rules, whole });
  return outcome;
}

function finish(
  { site: { cache }, now }: CheckTask,
  { state }: CheckInputs,
  learned: Partial<CheckInputs['state']>,
): void {
  commit(cache, () => saveCheckState(cache, { ...state, checked_at: now(), ...learned }));
}

function learnHabits({ site: { cache } }: CheckTask, { context, records }: CheckInputs): SiteHabits {
  const chosen = someSubscriptions(cache, LEARNED_FROM);
  function* some(): Generator<SubscriptionRecord> {
    for (let from = 0; from < chosen.length; from += CHUNK) {
      yield* recordsOf(cache, chosen.slice(from, from + CHUNK), records);
    }
  }
  return commit(cache, () => learnSiteHabits(some(), { now: context.now, webhookLog: context.webhookLog }));
}

/**
 * Checks a few units. Reading, checking and writing belong together: nothing else writes to the cache in between, so that
 * no change is mistaken for checked. Throws RulesSwitched.
 */
async function checkChunk(
  task: CheckTask,
  ground: CheckInputs,
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
    if (disabledRules(books).symmetricDifference(ground.context.disabled).size > 0)
      throw new RulesSwitchedError();
    const checked = findingsOf(task, ground, units);
    const sound = checked.map(({ unit }) => unit);
    const made = checked.flatMap(({ findings }) =>
      findings.map((finding): CheckFinding => ({ finding, across: false })),
    );
    const live = liveOf(books, sound);
    if (across) {
      const records = checked.map(({ record }) => record);
      const concerned = liveAcross(
        books,
        sound.filter((unit) => unit >= 0),
      );
      live.push(...concerned);
      made.push(...madeAcross(task, ground, keysOf(task, records, concerned)));
    }
    const isGone = (stored: StoredException) => provesAbsence(cache, ground, stored);
    add(outcome, reconcileExceptions(site, made, live, isGone, { ...cause, at: task.now() }));
    for (const { unit, record } of checked) {
      const until = latestInstant(record) + STILL;
      unitChecked(cache, unit, until > ground.horizon ? until : null);
    }
    outcome.units += checked.length;
    outcome.failed += units.length - checked.length;
  });
  task.progress(outcome.units, outcome.failed);
}

interface Checked {
  readonly unit: CheckUnit;
  readonly record: SubscriptionRecord;
  readonly findings: readonly Finding[];
}

/** Returns the findings of each unit. A unit on which a rule fails stays due for checking. */
function findingsOf(
  task: CheckTask,
  { context, records }: CheckInputs,
  units: readonly CheckUnit[],
): Checked[] {
  const { cache } = task.site;
  return recordsOf(cache, units, records).flatMap((record, at): Checked[] => {
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

function liveOf(books: OpenSite['books'], units: readonly CheckUnit[]): StoredException[] {
  return [
    ...liveOfSubscriptions(
      books,
      units.filter((unit) => unit >= 0),
    ),
    ...units.filter((unit) => unit < 0).flatMap((unit) => liveOfUnnamed(books, unnamedIds(unit))),
  ];
}

/**
 * Returns what these subscriptions' transactions may have in common with others, now and when an exception was recorded.
 */
function keysOf(
  { site: { cache } }: CheckTask,
  records: readonly SubscriptionRecord[],
  concerned: readonly StoredException[],
): AcrossKey[] {
  const ids: number[] = concerned.flatMap(({ rows }) => transactionsIn(rows));
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

function transactionsIn(rows: string): number[] {
  return (JSON.parse(rows) as { kind: string; id: number }[]).flatMap(({ kind, id }) =>
    kind === 'transaction' ? [id] : [],
  );
}

function madeAcross(
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
 * Finds rows shared by different subscriptions through the indexes. Only then is it known which such findings have
 * disappeared.
 */
async function checkAllAcross(task: CheckTask, ground: CheckInputs, outcome: CheckOutcome): Promise<void> {
  const { site, cause, signal } = task;
  const seen = new Set<string>();
  for (const by of ['transaction_id', 'gateway_transaction_id'] as const) {
    for (let after: number | string | null = null; ; ) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      const { keys, end } = snapshot(site.cache, () => sharedStretch(site.cache, by, after, STRETCH));
      const made = madeAcross(task, ground, keys);
      for (const { finding } of made) seen.add(finding.key);
      add(
        outcome,
        reconcileExceptions(site, made, [], () => false, { ...cause, at: task.now() }),
      );
      if (end === null) break;
      after = end;
    }
  }
  const missing = liveAcross(site.books, null).filter(({ key }) => !seen.has(key));
  const isGone = (stored: StoredException) => provesAbsence(site.cache, ground, stored);
  add(outcome, reconcileExceptions(site, [], missing, isGone, { ...cause, at: task.now() }));
}

function add(outcome: CheckOutcome, changes: ExceptionChanges): void {
  outcome.found += changes.found;
  outcome.back += changes.back;
  outcome.changed += changes.changed;
  outcome.closed += changes.closed;
}
