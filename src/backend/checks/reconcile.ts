import { hash } from 'node:crypto';
import { money } from '../../domain/ledger/index.ts';
import type { Finding } from '../../domain/tieout/index.ts';
import { datedOf, ownersOf } from '../store/checks/check-dates.ts';
import {
  addEntry,
  addException,
  type ExceptionLinks,
  type FoundException,
  type HeldException,
  heldByKey,
  setStatus,
  severities,
  updateException,
} from '../store/checks/exception.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/database.ts';

/** A finding as a check makes it; `across` where rows of several subscriptions make it. */
export interface Made {
  readonly finding: Finding;
  readonly across: boolean;
}

/** What a check changed, by exceptions. */
export interface Changes {
  /** New, or found again. */
  found: number;
  /** Accepted ones that came back, because the rows behind them changed. */
  back: number;
  /** Open ones that are otherwise than before. */
  changed: number;
  closed: number;
}

export const noChanges = (): Changes => ({ found: 0, back: 0, changed: 0, closed: 0 });

/** Who compares: a sync or a check, named in what is written down. */
export interface Cause {
  readonly job: string | null;
  /** `the sync of 2026-11-21 14:45 UTC`. */
  readonly name: string;
  /** Our clock, ms UTC. */
  readonly at: number;
}

/** What is to be written of a finding, given what is held of it; null: nothing. */
export type Decision = 'add' | 'again' | 'back' | 'change' | 'renew' | null;

/** `change`: the rows behind it are others than before; `renew`: they are the same, and it is only put otherwise. */
function decide(held: HeldException | null, finding: Finding, evidence: string): Decision {
  if (held === null) return 'add';
  if (held.status === 'closed') return 'again';
  if (held.evidence !== evidence) return held.status === 'accepted' ? 'back' : 'change';
  const { message, severity, subject } = finding;
  const same =
    held.message === message &&
    severities[held.severity] === severity &&
    held.subscription_id === subject.subscription_id;
  return same ? null : 'renew';
}

const evidenceOf = (finding: Finding): string => hash('sha256', finding.evidence, 'hex');

/**
 * Brings the exceptions up to what a check found of a few units: `made` is all that is found of them now, `live` what is held of
 * them and not closed. One that is not found any more is closed where `isGone` says that its absence proves something.
 */
export function reconcile(
  { cache, books }: { cache: ReadableDb; books: WritableDb },
  made: readonly Made[],
  live: readonly HeldException[],
  isGone: (held: HeldException) => boolean,
  cause: Cause,
): Changes {
  const changes = noChanges();
  const known = new Map(live.map((held) => [held.key, held]));
  const keys = new Set<string>();
  const writes: (() => void)[] = [];
  for (const each of made) {
    const { finding } = each;
    if (keys.has(finding.key)) continue;
    keys.add(finding.key);
    const held = known.get(finding.key) ?? heldByKey(books, finding.key);
    const evidence = evidenceOf(finding);
    const decision = decide(held, finding, evidence);
    if (decision !== null)
      writes.push(() => write(cache, books, each, evidence, held, decision, cause, changes));
  }
  for (const held of live) {
    if (keys.has(held.key) || !isGone(held)) continue;
    writes.push(() => {
      setStatus(books, held, 'closed', null, cause.at);
      addEntry(books, held.id, {
        ...entry(cause),
        what: 'closed',
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

function write(
  cache: ReadableDb,
  books: WritableDb,
  made: Made,
  evidence: string,
  held: HeldException | null,
  decision: NonNullable<Decision>,
  cause: Cause,
  changes: Changes,
): void {
  const found = foundException(cache, made, evidence);
  const { at } = cause;
  if (held === null) {
    const id = addException(books, found, at);
    addEntry(books, id, { ...entry(cause), what: 'found', text: `Found by ${cause.name}.` });
    changes.found++;
    return;
  }
  const { id } = held;
  if (decision === 'renew') {
    const { status, accepted_evidence } = held;
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
    addEntry(books, id, { ...entry(cause), what: 'found', text: `Found again by ${cause.name}.` });
    changes.found++;
  } else if (decision === 'back') {
    const text = `The rows behind it are not those it was accepted with: ${cause.name} brought others.${moved(held, found)}`;
    addEntry(books, id, { ...entry(cause), what: 'reopened', text });
    changes.back++;
  } else {
    const text = `The rows behind it changed with ${cause.name}.${moved(held, found)}`;
    addEntry(books, id, { ...entry(cause), what: 'changed', text });
    changes.changed++;
  }
}

const entry = ({ at, job }: Cause) => ({ at, job, who: null });

function moved(held: HeldException, found: FoundException): string {
  const [before, after] = [held.difference_in_cents, found.difference_in_cents];
  if (before === after || before === null || after === null) return '';
  return ` The difference was ${money(before)} and is ${money(after)}.`;
}

function foundException(cache: ReadableDb, { finding, across }: Made, evidence: string): FoundException {
  const { key: _key, evidence: _text, ...rest } = finding;
  return {
    ...rest,
    key: finding.key,
    across,
    ...datedOf(cache, finding.subject, finding.rows),
    links: linksOf(cache, finding),
    evidence,
  };
}

function linksOf(cache: ReadableDb, { subject, rows }: Finding): ExceptionLinks {
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
