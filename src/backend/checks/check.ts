import { setImmediate as breathe } from 'node:timers/promises';
import {
  type AcrossGroup,
  checkAcross,
  checkSubscription,
  type Finding,
  type Habits,
  habitsOf,
  type SubscriptionRecord,
} from '../../domain/tieout/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import {
  type AcrossKey,
  acrossGroup,
  gatewaysOf,
  sharedKeys,
  sharedStretch,
} from '../store/checks/check-across.ts';
import { type CheckUnit, dueUnits, unitChecked, unitsBehind, unnamedIds } from '../store/checks/check-due.ts';
import { someSubscriptions } from '../store/checks/check-ground.ts';
import { recordsOf } from '../store/checks/check-records.ts';
import { saveCheckState } from '../store/checks/check-state.ts';
import {
  type HeldException,
  liveAcross,
  liveOfSubscriptions,
  liveOfUnnamed,
} from '../store/checks/exception.ts';
import { commit, snapshot } from '../store/database.ts';
import { type Ground, groundOf, isWhole, offNow, rulesInForce } from './ground.ts';
import { latestOf } from './latest.ts';
import { type Cause, type Changes, type Made, noChanges, reconcile } from './reconcile.ts';
import { proves } from './sight.ts';

/** What a check works with. */
export interface CheckTask {
  readonly site: Pick<OpenSite, 'cache' | 'books'>;
  readonly cause: Omit<Cause, 'at'>;
  readonly signal: AbortSignal;
  /** Our clock, ms UTC. */
  now(): number;
  /** Hears how far it is, by units. */
  progress(done: number, failed: number): void;
  /** Hears of a unit that could not be checked; the others are, and it is tried again the next time. */
  failed(unit: CheckUnit, error: unknown): void;
  /** Makes ready what the records of these units need and SQL cannot give. */
  prepare(units: readonly CheckUnit[]): Promise<void>;
}

/** What a check did. */
export interface CheckOutcome extends Changes {
  /** Units that were checked, and that could not be. */
  units: number;
  failed: number;
}

/** A rule was switched while a check ran: what it found so far was found by other rules, so it is to begin again. */
export class RulesSwitched extends Error {
  override readonly name = 'RulesSwitched';
}

/** Units read and checked together: all that is held of the records at a time. Twice as many take 100 MB more, and no less time. */
const CHUNK = 8;
/** Rows of an index that are looked through together. */
const STRETCH = 20_000;
/** Subscriptions that a site’s habits are learned from. */
const LEARNED_FROM = 300;
/** What happens up to so long after the last row of a subscription may still belong to it. */
const STILL = 65 * 60_000;

/** Checks what changed since it was checked last, and what was too young then. */
export async function checkChanged(task: CheckTask): Promise<CheckOutcome> {
  const ground = groundOf(task.site, task.now());
  const outcome = { ...noChanges(), units: 0, failed: 0 };
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

/** Checks everything that is held, and learns the site’s habits first. */
export async function checkAll(task: CheckTask): Promise<CheckOutcome> {
  const { cache } = task.site;
  const first = groundOf(task.site, task.now());
  const whole = isWhole(cache);
  const habits = learnHabits(task, first);
  const ground: Ground = { ...first, context: { ...first.context, habits } };
  const outcome = { ...noChanges(), units: 0, failed: 0 };
  for (let after: CheckUnit | null = null; ; ) {
    const units: CheckUnit[] = unitsBehind(cache, after, CHUNK);
    after = units.at(-1) ?? null;
    if (after === null) break;
    await checkChunk(task, ground, units, outcome, false);
  }
  await checkAllAcross(task, ground, outcome);
  const rules = rulesInForce(ground.context.disabled);
  finish(task, ground, { full_at: task.now(), habits_since: [...habits], rules, whole });
  return outcome;
}

function finish(
  { site: { cache }, now }: CheckTask,
  { state }: Ground,
  learned: Partial<Ground['state']>,
): void {
  commit(cache, () => saveCheckState(cache, { ...state, checked_at: now(), ...learned }));
}

function learnHabits({ site: { cache } }: CheckTask, { context, records }: Ground): Habits {
  const chosen = someSubscriptions(cache, LEARNED_FROM);
  function* some(): Generator<SubscriptionRecord> {
    for (let from = 0; from < chosen.length; from += CHUNK) {
      yield* recordsOf(cache, chosen.slice(from, from + CHUNK), records);
    }
  }
  return commit(cache, () => habitsOf(some(), { now: context.now, log: context.log }));
}

/**
 * Checks a few units. What is read, what is found and what is written down belong together: nothing else is written to the
 * cache in between, so that no change is taken for checked. Throws RulesSwitched.
 */
async function checkChunk(
  task: CheckTask,
  ground: Ground,
  units: readonly CheckUnit[],
  outcome: CheckOutcome,
  across: boolean,
): Promise<void> {
  const { site, cause, signal } = task;
  const { cache, books } = site;
  await task.prepare(units);
  await breathe();
  signal.throwIfAborted();
  commit(cache, () => {
    if (offNow(books).symmetricDifference(ground.context.disabled).size > 0) throw new RulesSwitched();
    const checked = findingsOf(task, ground, units);
    const sound = checked.map(({ unit }) => unit);
    const made = checked.flatMap(({ findings }) =>
      findings.map((finding): Made => ({ finding, across: false })),
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
    const isGone = (held: HeldException) => proves(cache, ground, held);
    add(outcome, reconcile(site, made, live, isGone, { ...cause, at: task.now() }));
    for (const { unit, record } of checked) {
      const until = latestOf(record) + STILL;
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

/** What is found of each unit. One whose rows a rule cannot cope with stays to be checked. */
function findingsOf(task: CheckTask, { context, records }: Ground, units: readonly CheckUnit[]): Checked[] {
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

function liveOf(books: OpenSite['books'], units: readonly CheckUnit[]): HeldException[] {
  return [
    ...liveOfSubscriptions(
      books,
      units.filter((unit) => unit >= 0),
    ),
    ...units.filter((unit) => unit < 0).flatMap((unit) => liveOfUnnamed(books, unnamedIds(unit))),
  ];
}

/** What these subscriptions’ transactions may have in common with others, and what they had when an exception was made of it. */
function keysOf(
  { site: { cache } }: CheckTask,
  records: readonly SubscriptionRecord[],
  concerned: readonly HeldException[],
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

function madeAcross({ site: { cache } }: CheckTask, { context }: Ground, keys: readonly AcrossKey[]): Made[] {
  function* groups(): Generator<AcrossGroup> {
    for (const key of keys) {
      const group = acrossGroup(cache, key);
      if (group !== null) yield group;
    }
  }
  return [...checkAcross(groups(), context)].map((finding) => ({ finding, across: true }));
}

/** Looks for rows that different subscriptions share, by their indexes; then what is not found any more can be told. */
async function checkAllAcross(task: CheckTask, ground: Ground, outcome: CheckOutcome): Promise<void> {
  const { site, cause, signal } = task;
  const seen = new Set<string>();
  for (const by of ['transaction_id', 'gateway_transaction_id'] as const) {
    for (let after: number | string | null = null; ; ) {
      await breathe();
      signal.throwIfAborted();
      const { keys, end } = snapshot(site.cache, () => sharedStretch(site.cache, by, after, STRETCH));
      const made = madeAcross(task, ground, keys);
      for (const { finding } of made) seen.add(finding.key);
      add(
        outcome,
        reconcile(site, made, [], () => false, { ...cause, at: task.now() }),
      );
      if (end === null) break;
      after = end;
    }
  }
  const missing = liveAcross(site.books, null).filter(({ key }) => !seen.has(key));
  const isGone = (held: HeldException) => proves(site.cache, ground, held);
  add(outcome, reconcile(site, [], missing, isGone, { ...cause, at: task.now() }));
}

function add(outcome: CheckOutcome, changes: Changes): void {
  outcome.found += changes.found;
  outcome.back += changes.back;
  outcome.changed += changes.changed;
  outcome.closed += changes.closed;
}
