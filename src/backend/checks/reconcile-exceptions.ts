import { hash } from 'node:crypto';
import type { Finding } from '../../domain/checks/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import {
  addException,
  addExceptionEntry,
  type ExceptionContent,
  type ExceptionLinks,
  findExceptionByKey,
  findingSeverities,
  type StoredException,
  setExceptionStatus,
  updateException,
} from '../store/checks/exception.ts';
import { findFindingDate, findStatementSubscriptions } from '../store/checks/finding-dates.ts';
import { type ReadableDb, runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';

/** Finding of a check. `across` is true if records of several subscriptions cause it. */
export interface CheckFinding {
  readonly finding: Finding;
  readonly across: boolean;
}

/** Numbers of exceptions that a check has changed. */
export interface ExceptionChanges {
  /** Number of exceptions that are new or were found again. */
  found: number;
  /** Number of accepted exceptions that were reopened because their rows have changed. */
  back: number;
  /** Number of open exceptions whose rows have changed. */
  changed: number;
  closed: number;
}

/** Creates the counts of a check that has changed nothing yet. */
export const createExceptionChanges = (): ExceptionChanges => ({ found: 0, back: 0, changed: 0, closed: 0 });

/** The sync or check that changed an exception, as named in the exception's history. */
export interface ExceptionChangeCause {
  readonly job: string | null;
  /** Name shown in the history, for example `the sync of 2026-11-21 14:45 UTC`. */
  readonly name: string;
  /** Time of the check in UTC milliseconds, by the local clock. */
  readonly at: number;
}

/** Kind of update that a finding causes. `change` means changed rows, `renew` means only changed wording. */
type ExceptionUpdateKind = 'add' | 'again' | 'back' | 'change' | 'renew';

interface ExceptionUpdate {
  readonly checked: CheckFinding;
  readonly evidence: string;
  readonly stored: StoredException | null;
  readonly kind: ExceptionUpdateKind;
}

/** Returns the update that a finding requires for its stored exception, or null if nothing has changed. */
function decideUpdate(
  stored: StoredException | null,
  { message, severity, subject }: Finding,
  evidence: string,
): ExceptionUpdateKind | null {
  if (stored === null) return 'add';
  if (stored.status === 'closed') return 'again';
  if (stored.evidence !== evidence) return stored.status === 'accepted' ? 'back' : 'change';
  const isSame =
    stored.message === message &&
    findingSeverities[stored.severity] === severity &&
    stored.subscription_id === subject.subscription_id;
  return isSame ? null : 'renew';
}

/** Findings of the checked units, to be compared with their stored exceptions. */
export interface FindingsOfCheckedUnits {
  readonly findings: readonly CheckFinding[];
  /** The units' stored exceptions that are not closed. */
  readonly live: readonly StoredException[];
  /** Returns true if an exception without a finding must be closed. */
  isGone(stored: StoredException): boolean;
  readonly cause: ExceptionChangeCause;
}

/** Updates the stored exceptions of the checked units. */
export function reconcileExceptions(
  site: { cache: ReadableDb; books: WritableDb },
  { findings, live, isGone, cause }: FindingsOfCheckedUnits,
): ExceptionChanges {
  const { books } = site;
  const changes = createExceptionChanges();
  const liveByKey = new Map(live.map((stored) => [stored.key, stored]));
  const keys = new Set<string>();
  const updates: ExceptionUpdate[] = [];
  for (const checked of findings) {
    const { finding } = checked;
    if (keys.has(finding.key)) continue;
    keys.add(finding.key);
    const stored = liveByKey.get(finding.key) ?? findExceptionByKey(books, finding.key);
    const evidence = hash('sha256', finding.evidence, 'hex');
    const kind = decideUpdate(stored, finding, evidence);
    if (kind !== null) updates.push({ checked, evidence, stored, kind });
  }
  const groups = new Map(
    findings.flatMap(({ finding }) => finding.members.map(({ key }) => [key, finding] as const)),
  );
  const gone = live.filter((stored) => !keys.has(stored.key) && (groups.has(stored.key) || isGone(stored)));
  if (updates.length + gone.length === 0) return changes;
  runInTransaction(books, () => {
    for (const update of updates) {
      const count = writeUpdate(site, update, cause);
      if (count !== null) changes[count]++;
    }
    for (const stored of gone) {
      setExceptionStatus(books, stored, { status: 'closed', accepted_evidence: null }, cause.at);
      const group = groups.get(stored.key);
      const text =
        group === undefined
          ? `Resolved: no longer found by ${cause.name}.`
          : `Combined by ${cause.name} with other findings of one cause: ${group.message}`;
      addEntry(books, stored.id, cause, ['closed', text]);
      changes.closed++;
    }
  });
  return changes;
}

/** Writes an update to the books. Returns the name of the count to increase, or null. */
function writeUpdate(
  { cache, books }: { cache: ReadableDb; books: WritableDb },
  { checked, evidence, stored, kind }: ExceptionUpdate,
  cause: ExceptionChangeCause,
): keyof ExceptionChanges | null {
  const { at, name } = cause;
  const found = toFoundException(cache, checked, evidence);
  if (stored === null) {
    addEntry(books, addException(books, found, at), cause, ['found', `Found by ${name}.`]);
    return 'found';
  }
  const { id, status, accepted_evidence } = stored;
  if (kind === 'renew') {
    updateException(books, id, found, { status, accepted_evidence, changed_at: null });
    return null;
  }
  const changed_at = kind === 'change' ? null : at;
  updateException(books, id, found, { status: 'open', accepted_evidence: null, changed_at });
  if (kind === 'again') {
    addEntry(books, id, cause, ['found', `Found again by ${name}.`]);
    return 'found';
  }
  const difference = describeDifferenceChange(stored, found);
  if (kind === 'back') {
    const text = `Its supporting records differ from those it was accepted with, because of ${name}.${difference}`;
    addEntry(books, id, cause, ['reopened', text]);
    return 'back';
  }
  addEntry(books, id, cause, ['changed', `Its supporting records changed because of ${name}.${difference}`]);
  return 'changed';
}

function addEntry(
  books: WritableDb,
  id: number,
  { at, job }: ExceptionChangeCause,
  [action, text]: [action: 'found' | 'reopened' | 'changed' | 'closed', text: string],
): void {
  addExceptionEntry(books, id, { at, job, user: null, action, text });
}

function describeDifferenceChange(stored: StoredException, found: ExceptionContent): string {
  const [before, after] = [stored.difference_in_cents, found.difference_in_cents];
  if (before === after || before === null || after === null) return '';
  return ` The difference was ${formatMoney(before)} and is now ${formatMoney(after)}.`;
}

function toFoundException(
  cache: ReadableDb,
  { finding, across }: CheckFinding,
  evidence: string,
): ExceptionContent {
  return {
    ...finding,
    across,
    ...findFindingDate(cache, finding.subject, finding.rows),
    links: findLinks(cache, finding),
    evidence,
  };
}

function findLinks(cache: ReadableDb, { subject, rows }: Finding): ExceptionLinks {
  const statement = new Set<number>();
  const webhook = new Set<number>();
  if (subject.statement_id !== undefined) statement.add(subject.statement_id);
  if (subject.webhook_id !== undefined) webhook.add(subject.webhook_id);
  for (const row of rows) {
    if (row.kind === 'statement') statement.add(row.id);
    else if (row.kind === 'webhook') webhook.add(row.id);
    else if (row.kind !== 'allocation') statement.add(row.statement_id);
  }
  const subscription = new Set(findStatementSubscriptions(cache, statement).values());
  if (subject.subscription_id !== null) subscription.add(subject.subscription_id);
  return { subscription, statement, webhook };
}
