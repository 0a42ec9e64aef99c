import {
  checkSubscription,
  checkSubscriptionGroups,
  type Finding,
  learnSiteHabits,
  listCrossSubscriptionPaymentIds,
  type SiteHabits,
  type SubscriptionRecord,
} from '../../domain/checks/index.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  type CheckQueueUnit,
  completeCheckUnit,
  getCheckUnitWebhookIds,
  listCheckUnitsAfter,
  listDueCheckUnits,
} from '../store/check-queue/check-queue.ts';
import { sampleSubscriptionIds } from '../store/checks/check-coverage.ts';
import { saveCheckState } from '../store/checks/check-state.ts';
import {
  findCrossSubscriptionGroup,
  findSharedKeysOfTransactions,
  listGatewayIds,
  readSharedKeys,
  type SharedRowKey,
} from '../store/checks/cross-subscription-keys.ts';
import {
  listActiveCrossSubscriptionExceptions,
  listActiveExceptionsForSubscriptions,
  listActiveExceptionsForWebhooks,
  type StoredException,
} from '../store/checks/exception.ts';
import { readCheckRecords } from '../store/checks/read-check-records.ts';
import { runInTransaction, withReadSnapshot } from '../store/sqlite/connection.ts';
import { isAbsenceProven } from './absence-proof.ts';
import {
  areWebhooksAndStatementsComplete,
  type CheckInputs,
  describeRulesInForce,
  listDisabledRules,
  readCheckInputs,
} from './check-inputs.ts';
import { findLatestRecordTime } from './latest-record-time.ts';
import {
  type CheckFinding,
  createExceptionChanges,
  type ExceptionChangeCause,
  type ExceptionChanges,
  type FindingsOfCheckedUnits,
  reconcileExceptions,
} from './reconcile-exceptions.ts';

export interface SiteCheckInput {
  readonly site: Pick<OpenSite, 'cache' | 'books'>;
  readonly cause: Omit<ExceptionChangeCause, 'at'>;
  readonly signal: AbortSignal;
  /** Returns the current time in UTC milliseconds, by the local clock. */
  now(): number;
  /** Called with the numbers of checked and failed check units so far. */
  progress(done: number, failed: number): void;
  /** Called for a unit that could not be checked. A later check tries it again. */
  failed(unit: CheckQueueUnit, error: unknown): void;
  /** Extracts the text of the units' PDFs before they are checked. */
  prepare(units: readonly CheckQueueUnit[]): Promise<void>;
}

/** Result of a check, with the changes it made to the exceptions. */
export interface CheckOutcome extends ExceptionChanges {
  /** Number of units checked. */
  units: number;
  failed: number;
}

/** Thrown if a rule is switched on or off during a check. The check must start over with the current rules. */
export class CheckRulesChangedError extends Error {
  override readonly name = 'RulesSwitched';
}

/** Number of units read and checked per batch. Measured: twice as many use 100 MB more memory and are not faster. */
const UNITS_PER_BATCH = 8;
/** Number of index rows scanned per batch. */
const INDEX_ROWS_PER_BATCH = 20_000;
/** Number of subscriptions from which a site's habits are learned. */
const MAX_SUBSCRIPTIONS_FOR_HABITS = 300;
/** Milliseconds after a subscription's latest record during which related events may still arrive. */
const SETTLING_TIME_MS = 65 * 60_000;

/** State of a running check. */
interface CheckRun {
  readonly task: SiteCheckInput;
  readonly inputs: CheckInputs;
  readonly outcome: CheckOutcome;
}

const createCheckOutcome = (): CheckOutcome => ({ ...createExceptionChanges(), units: 0, failed: 0 });

/** Checks the units that have changed since the last check, and units that were too recent then. */
export async function checkChangedSubscriptions(task: SiteCheckInput): Promise<CheckOutcome> {
  const inputs = readCheckInputs(task.site, task.now());
  const outcome = createCheckOutcome();
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const units = listDueCheckUnits(task.site.cache, inputs.horizon, after, UNITS_PER_BATCH);
    const last = units.at(-1);
    if (last === undefined) break;
    after = last;
    await checkBatch({ task, inputs, outcome }, units, true);
  }
  saveEndState(task, inputs, {});
  return outcome;
}

/** Checks all stored records, after learning the site's habits. */
export async function checkAllSubscriptions(task: SiteCheckInput): Promise<CheckOutcome> {
  const { cache } = task.site;
  const initial = readCheckInputs(task.site, task.now());
  const whole = areWebhooksAndStatementsComplete(cache);
  const habits = learnHabits(task, initial);
  const inputs: CheckInputs = { ...initial, context: { ...initial.context, habits } };
  const run = { task, inputs, outcome: createCheckOutcome() };
  for (let after: CheckQueueUnit | null = null; ; ) {
    const units: CheckQueueUnit[] = listCheckUnitsAfter(cache, after, UNITS_PER_BATCH);
    after = units.at(-1) ?? null;
    if (after === null) break;
    await checkBatch(run, units, false);
  }
  await checkAllAcrossSubscriptions(run);
  const rules = describeRulesInForce(inputs.context.disabled);
  saveEndState(task, inputs, { full_at: task.now(), habits_since: [...habits], rules, whole });
  return run.outcome;
}

function saveEndState(
  { site: { cache }, now }: SiteCheckInput,
  { state }: CheckInputs,
  learned: Partial<CheckInputs['state']>,
): void {
  runInTransaction(cache, () => saveCheckState(cache, { ...state, checked_at: now(), ...learned }));
}

function learnHabits({ site: { cache } }: SiteCheckInput, { context, records }: CheckInputs): SiteHabits {
  const sample = sampleSubscriptionIds(cache, MAX_SUBSCRIPTIONS_FOR_HABITS);
  function* readSample(): Generator<SubscriptionRecord> {
    for (let from = 0; from < sample.length; from += UNITS_PER_BATCH)
      yield* readCheckRecords(cache, sample.slice(from, from + UNITS_PER_BATCH), records);
  }
  const { now, webhookLog } = context;
  return runInTransaction(cache, () => learnSiteHabits(readSample(), { now, webhookLog }));
}

/**
 * Checks a batch of units. Reading, checking and writing are in one transaction, so that no change made in between is
 * marked as checked. Throws CheckRulesChangedError.
 */
async function checkBatch(run: CheckRun, units: readonly CheckQueueUnit[], across: boolean): Promise<void> {
  const { task, inputs, outcome } = run;
  const { cache, books } = task.site;
  await task.prepare(units);
  await yieldToEventLoop();
  task.signal.throwIfAborted();
  runInTransaction(cache, () => {
    if (listDisabledRules(books).symmetricDifference(inputs.context.disabled).size > 0)
      throw new CheckRulesChangedError();
    const checked = findInUnits(run, units);
    const findings = checked.flatMap(({ findings }) =>
      findings.map((finding): CheckFinding => ({ finding, across: false })),
    );
    const webhookUnits = checked.filter(({ unit }) => unit < 0);
    const subscriptions = checked.flatMap(({ unit }) => (unit < 0 ? [] : [unit]));
    const live = [
      ...listActiveExceptionsForSubscriptions(books, subscriptions),
      ...webhookUnits.flatMap(({ unit }) =>
        listActiveExceptionsForWebhooks(books, getCheckUnitWebhookIds(unit)),
      ),
    ];
    if (across) {
      const crossExceptions = listActiveCrossSubscriptionExceptions(books, subscriptions);
      live.push(...crossExceptions);
      findings.push(...findAcrossSubscriptions(run, listSharedKeys(cache, checked, crossExceptions)));
    }
    reconcile(run, { findings, live, isGone: (stored) => isAbsenceProven(cache, inputs, stored) });
    for (const { unit, record } of checked) {
      completeCheckUnit(cache, unit, findNextCheckTime(record, inputs.horizon));
    }
    outcome.units += checked.length;
    outcome.failed += units.length - checked.length;
  });
  task.progress(outcome.units, outcome.failed);
}

/** Returns the time in UTC milliseconds from which a checked unit is due again. Null if only a change makes it due. */
function findNextCheckTime(record: SubscriptionRecord, horizon: number): number | null {
  const settled = findLatestRecordTime(record) + SETTLING_TIME_MS;
  if (settled > horizon) return settled;
  // A change of another subscription's payment does not make this unit due, so each check includes the unit.
  return listCrossSubscriptionPaymentIds(record.statements).size > 0 ? 1 : null;
}

interface CheckedUnit {
  readonly unit: CheckQueueUnit;
  readonly record: SubscriptionRecord;
  readonly findings: readonly Finding[];
}

/** Returns the findings of each unit. If a rule fails on a unit, the unit remains pending. */
function findInUnits({ task, inputs }: CheckRun, units: readonly CheckQueueUnit[]): CheckedUnit[] {
  const { cache } = task.site;
  const { context, records } = inputs;
  return readCheckRecords(cache, units, records).flatMap((record, at): CheckedUnit[] => {
    const unit = units[at] as CheckQueueUnit;
    try {
      return [{ unit, record, findings: checkSubscription(record, context) }];
    } catch (error) {
      task.failed(unit, error);
      completeCheckUnit(cache, unit, 1);
      return [];
    }
  });
}

/** Returns the keys by which these subscriptions share transactions with others, now or at an earlier check. */
function listSharedKeys(
  cache: OpenSite['cache'],
  units: readonly CheckedUnit[],
  exceptions: readonly StoredException[],
): SharedRowKey[] {
  const ids = exceptions.flatMap(({ rows }) => listTransactionIds(rows));
  const gateways = listGatewayIds(cache, ids);
  for (const { id, gateway_transaction_id: gateway } of units.flatMap(listTransactions)) {
    ids.push(id);
    if (gateway !== null && gateway !== '') gateways.push(gateway);
  }
  return ids.length === 0 ? [] : findSharedKeysOfTransactions(cache, ids, gateways);
}

const listTransactions = ({ record }: CheckedUnit) =>
  record.statements.flatMap(({ transactions }) => transactions);

function listTransactionIds(rows: string): number[] {
  return (JSON.parse(rows) as { kind: string; id: number }[]).flatMap(({ kind, id }) =>
    kind === 'transaction' ? [id] : [],
  );
}

function findAcrossSubscriptions({ task, inputs }: CheckRun, keys: readonly SharedRowKey[]): CheckFinding[] {
  const groups = Iterator.from(keys)
    .map((key) => findCrossSubscriptionGroup(task.site.cache, key))
    .filter((group) => group !== null);
  return [...checkSubscriptionGroups(groups, inputs.context)].map((finding) => ({
    finding,
    across: true,
  }));
}

/**
 * Finds rows shared by several subscriptions, using the indexes. Reconciles exceptions at the end, because only the
 * complete search shows which earlier findings have disappeared.
 */
async function checkAllAcrossSubscriptions(run: CheckRun): Promise<void> {
  const { site, signal } = run.task;
  const foundKeys = new Set<string>();
  for (const by of ['transaction_id', 'gateway_transaction_id'] as const) {
    for (let after: number | string | null = null; ; ) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      const { keys, end } = withReadSnapshot(site.cache, () =>
        readSharedKeys(site.cache, by, after, INDEX_ROWS_PER_BATCH),
      );
      const findings = findAcrossSubscriptions(run, keys);
      for (const { finding } of findings) foundKeys.add(finding.key);
      reconcile(run, { findings, live: [], isGone: () => false });
      if (end === null) break;
      after = end;
    }
  }
  const live = listActiveCrossSubscriptionExceptions(site.books, null).filter(
    ({ key }) => !foundKeys.has(key),
  );
  reconcile(run, { findings: [], live, isGone: (stored) => isAbsenceProven(site.cache, run.inputs, stored) });
}

/** Updates the exceptions and adds the change counts to the check's outcome. */
function reconcile({ task, outcome }: CheckRun, checked: Omit<FindingsOfCheckedUnits, 'cause'>): void {
  const changes = reconcileExceptions(task.site, { ...checked, cause: { ...task.cause, at: task.now() } });
  for (const name of ['found', 'back', 'changed', 'closed'] as const) outcome[name] += changes[name];
}
