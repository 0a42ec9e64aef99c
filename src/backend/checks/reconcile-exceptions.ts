import { hash } from 'node:crypto';
import type { Finding } from '../../domain/checks/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { datedOf, ownersOf } from '../store/checks/check-dates.ts';
import {
  addEntry,
  addException,
  type ExceptionLinks,
  type FoundException,
  type StoredException,
  setStatus,
  severities,
  storedByKey,
  updateException,
} from '../store/checks/exception.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/sqlite/connection.ts';

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

export const createExceptionChanges = (): ExceptionChanges => ({ found: 0, back: 0, changed: 0, closed: 0 });

/** The sync or check that made a change, as named in the exceptions' history. */
export interface CheckCause {
  readonly job: string | null;
  /** Name for the history, for example `the sync of 2026-11-21 14:45 UTC`. */
  readonly name: string;
  /** Time of the check in UTC milliseconds, by the local clock. */
  readonly at: number;
}

/** Kind of update that a finding causes. Null if nothing needs to be written. */
export type ExceptionUpdate = 'add' | 'again' | 'back' | 'change' | 'renew' | null;

/**
 * Returns how to update the stored exception of a finding. `change` means that the rows behind it have changed, `renew`
 * that only the wording has.
 */
function decideUpdate(stored: StoredException | null, finding: Finding, evidence: string): ExceptionUpdate {
  if (stored === null) return 'add';
  if (stored.status === 'closed') return 'again';
  if (stored.evidence !== evidence) return stored.status === 'accepted' ? 'back' : 'change';
  const { message, severity, subject } = finding;
  const same =
    stored.message === message &&
    severities[stored.severity] === severity &&
    stored.subscription_id === subject.subscription_id;
  return same ? null : 'renew';
}

const hashEvidence = (finding: Finding): string => hash('sha256', finding.evidence, 'hex');

/**
 * Updates the exceptions of some units after a check. `findings` are all findings of the units, and `live` their stored
 * exceptions that are not closed. An exception without a finding is closed if `isGone` returns true.
 */
export function reconcileExceptions(
  { cache, books }: { cache: ReadableDb; books: WritableDb },
  findings: readonly CheckFinding[],
  live: readonly StoredException[],
  isGone: (stored: StoredException) => boolean,
  cause: CheckCause,
): ExceptionChanges {
  const changes = createExceptionChanges();
  const liveByKey = new Map(live.map((stored) => [stored.key, stored]));
  const keys = new Set<string>();
  const writes: (() => void)[] = [];
  for (const each of findings) {
    const { finding } = each;
    if (keys.has(finding.key)) continue;
    keys.add(finding.key);
    const stored = liveByKey.get(finding.key) ?? storedByKey(books, finding.key);
    const evidence = hashEvidence(finding);
    const decision = decideUpdate(stored, finding, evidence);
    if (decision !== null)
      writes.push(() => writeUpdate(cache, books, each, evidence, stored, decision, cause, changes));
  }
  for (const stored of live) {
    if (keys.has(stored.key) || !isGone(stored)) continue;
    writes.push(() => {
      setStatus(books, stored, 'closed', null, cause.at);
      addEntry(books, stored.id, {
        ...historyEntry(cause),
        action: 'closed',
        text: `Mended: not found any more by ${cause.name}.`,
      });
      changes.closed++;
    });
  }
  if (writes.length === 0) return changes;
  commit(books, () => {
    for (const each of writes) each();
  });
  return changes;
}

function writeUpdate(
  cache: ReadableDb,
  books: WritableDb,
  findings: CheckFinding,
  evidence: string,
  stored: StoredException | null,
  decision: NonNullable<ExceptionUpdate>,
  cause: CheckCause,
  changes: ExceptionChanges,
): void {
  const found = toFoundException(cache, findings, evidence);
  const { at } = cause;
  if (stored === null) {
    const id = addException(books, found, at);
    addEntry(books, id, { ...historyEntry(cause), action: 'found', text: `Found by ${cause.name}.` });
    changes.found++;
    return;
  }
  const { id } = stored;
  if (decision === 'renew') {
    const { status, accepted_evidence } = stored;
    updateException(books, id, found, { status, accepted_evidence, changed_at: null });
    return;
  }
  const opened = decision !== 'change';
  updateException(books, id, found, {
    status: 'open',
    accepted_evidence: null,
    changed_at: opened ? at : null,
  });
  if (decision === 'again') {
    addEntry(books, id, { ...historyEntry(cause), action: 'found', text: `Found again by ${cause.name}.` });
    changes.found++;
  } else if (decision === 'back') {
    const text = `The rows behind it are not those it was accepted with: ${cause.name} brought others.${describeDifferenceChange(stored, found)}`;
    addEntry(books, id, { ...historyEntry(cause), action: 'reopened', text });
    changes.back++;
  } else {
    const text = `The rows behind it changed with ${cause.name}.${describeDifferenceChange(stored, found)}`;
    addEntry(books, id, { ...historyEntry(cause), action: 'changed', text });
    changes.changed++;
  }
}

const historyEntry = ({ at, job }: CheckCause) => ({ at, job, user: null });

function describeDifferenceChange(stored: StoredException, found: FoundException): string {
  const [before, after] = [stored.difference_in_cents, found.difference_in_cents];
  if (before === after || before === null || after === null) return '';
  return ` The difference was ${formatMoney(before)} and is ${formatMoney(after)}.`;
}

function toFoundException(
  cache: ReadableDb,
  { finding, across }: CheckFinding,
  evidence: string,
): FoundException {
  const { key: _key, evidence: _text, ...rest } = finding;
  return {
    ...rest,
    key: finding.key,
    across,
    ...datedOf(cache, finding.subject, finding.rows),
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
  const subscription = new Set(ownersOf(cache, statement).values());
  if (subject.subscription_id !== null) subscription.add(subject.subscription_id);
  return { subscription, statement, webhook };
}
