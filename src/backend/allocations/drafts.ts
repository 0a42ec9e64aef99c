import { randomBytes } from 'node:crypto';
import {
  type AllocationDraft,
  contractError,
  type ErrorValue,
  type Inputs,
  type WantedChange,
} from '../../contract/index.ts';
import {
  type ChangeFileRow,
  InvalidChangeFileError,
  readChangeFile,
} from '../../domain/allocations/index.ts';
import { parseQuantity } from '../../domain/ledger/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  addChanges,
  changesOf,
  digestOf,
  type StoredChange,
  type StoredDraft,
  saveChange,
  saveDraft,
  storedDraft,
} from '../store/allocations/allocation-draft.ts';
import { draftOf } from '../store/allocations/allocation-draft-list.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { commit } from '../store/sqlite/connection.ts';
import type { AllocationContext } from './allocation-context.ts';
import { previewAllocationChanges } from './change-preview.ts';

type DraftContext = Pick<AllocationContext, 'stores' | 'changes' | 'user' | 'now'>;

/** Maximum number of changes per draft. Chosen by judgment. Larger files must be split. */
const MAX_CHANGES = 100_000;

/** Saves changes as a draft and previews them from stored data. Throws `validation` if the file cannot be read. */
export function createAllocationDraft(
  tools: DraftContext,
  input: Inputs['allocations']['draft'],
): AllocationDraft {
  const { site, from, together = false } = input;
  const open = tools.stores.open(site);
  if ('csv' in from) {
    const rows = readChangeRows(from.csv, from.name);
    const title = input.title ?? from.name;
    return storeDraft(tools, open, site, { source: 'file', title, together, rows });
  }
  const rows = from.changes.map((change) => ({
    line: null,
    raw: null,
    change: normalizeQuantity(change),
    reason: null,
  }));
  const title = input.title ?? draftTitle(from.changes);
  return storeDraft(tools, open, site, { source: 'form', title, together, rows });
}

/**
 * Creates a draft of those changes of an earlier draft that were certainly not applied. Throws `conflict` if there are
 * none.
 */
export function draftUnappliedChanges(
  tools: DraftContext,
  { site, draft }: Inputs['allocations']['redraft'],
): AllocationDraft {
  const open = tools.stores.open(site);
  const before = requireAllocationDraft(open, site, draft);
  const over = ['stopped', 'interrupted', 'canceled', 'done'].includes(before.state);
  const again = !over
    ? []
    : changesOf(open.books, draft).filter(
        ({ problem, outcome }) =>
          problem === null && ['refused', 'moved', 'not_applied', 'waiting'].includes(outcome),
      );
  if (again.length === 0) throw contractError(noUnappliedChangesError(before));
  return commit(open.books, () => {
    // Close the changes that wait in the old draft, so that they cannot be sent from both drafts.
    saveDraft(open.books, {
      ...before,
      state: 'done',
      reason: 'The changes that were not applied are in a new draft.',
    });
    for (const change of again) {
      if (change.outcome === 'waiting') closeWaiting(open, change, tools.now());
    }
    return storeDraft(tools, open, site, {
      source: 'again',
      title: `${before.title} (retry)`,
      together: before.together === 1,
      rows: again.map((change) => ({
        line: change.line,
        raw: change.raw,
        change: toRequestedChange(change),
        reason: null,
      })),
    });
  });
}

/** Discards a draft. Throws `conflict` if the draft was already sent. */
export function discardAllocationDraft(
  tools: DraftContext,
  { site, draft }: Inputs['allocations']['discard'],
): AllocationDraft {
  const open = tools.stores.open(site);
  const before = requireAllocationDraft(open, site, draft);
  if (before.state !== 'draft') throw contractError(notDiscardableError(before));
  commit(open.books, () => {
    saveDraft(open.books, { ...before, state: 'discarded', ended_at: tools.now() });
    auditAllocationDraft(tools, open, 'allocations.discard', draft, { title: before.title });
  });
  tools.changes.emit(site, 'allocations', 'audit');
  return draftOf(open.books, site, draft) as AllocationDraft;
}

/** Returns a stored draft. Throws `not_found` if it does not exist. */
export function requireAllocationDraft({ books }: OpenSite, site: string, draft: string): StoredDraft {
  const found = storedDraft(books, draft);
  if (found !== null) return found;
  throw contractError({
    code: 'not_found',
    message: `${site} has no draft ${draft}.`,
    hint: 'See the list of drafts.',
    retryable: false,
  });
}

/** Adds an entry about a draft or one of its changes to the audit log. */
export function auditAllocationDraft(
  { user, now }: Pick<AllocationContext, 'user' | 'now'>,
  { books }: OpenSite,
  action: string,
  subject: string,
  detail: Record<string, unknown>,
  why?: string,
): void {
  addAudit(books, {
    at: now(),
    user: user,
    action,
    subject,
    detail,
    ...(why === undefined ? {} : { reason: why }),
  });
}

interface NewDraft {
  source: AllocationDraft['source'];
  title: string;
  together: boolean;
  rows: readonly (Omit<ChangeFileRow, 'line' | 'raw'> & { line: number | null; raw: string | null })[];
}

function storeDraft(
  tools: DraftContext,
  open: OpenSite,
  site: string,
  { source, title, together, rows }: NewDraft,
): AllocationDraft {
  const { now, user, changes: changeEvents } = tools;
  const id = `${now().toString(36)}-${randomBytes(3).toString('hex')}`;
  const changes = previewAllocationChanges(
    open.cache,
    rows.map((row, ordinal) => newChange(id, ordinal, row)),
  ).map((change) => ({ ...change, drafted_quantity: change.current_quantity }));
  const draft: StoredDraft = {
    id,
    created_at: now(),
    user: user,
    title,
    source,
    together: Number(together),
    state: 'draft',
    reason: null,
    checked_at: null,
    sha256: digestOf(changes, Number(together)),
    stop_after: null,
    sent_at: null,
    ended_at: null,
    job: null,
  };
  commit(open.books, () => {
    saveDraft(open.books, draft);
    addChanges(open.books, changes);
    auditAllocationDraft(tools, open, 'allocations.draft', id, { title, changes: changes.length });
  });
  changeEvents.emit(site, 'allocations', 'audit');
  return draftOf(open.books, site, id) as AllocationDraft;
}

function newChange(
  draft: string,
  ordinal: number,
  { line, raw, change, reason }: NewDraft['rows'][number],
): StoredChange {
  return {
    draft,
    ordinal,
    line,
    raw,
    subscription_id: change?.subscription_id ?? null,
    component_id: change?.component_id ?? null,
    quantity: change?.quantity ?? null,
    memo: change?.memo || null,
    proration_upgrade_scheme: change?.proration_upgrade_scheme || null,
    proration_downgrade_scheme: change?.proration_downgrade_scheme || null,
    drafted_quantity: null,
    current_quantity: null,
    direction: null,
    problem: change === null ? 'unreadable' : null,
    problem_text: reason,
    outcome: 'waiting',
    resolved_by: null,
    request: null,
    resolved_at: null,
    applied: null,
    error: null,
    evidence: null,
  };
}

function toRequestedChange(change: StoredChange): WantedChange {
  const { subscription_id, component_id, quantity, memo } = change;
  const { proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade } = change;
  return {
    subscription_id: subscription_id as number,
    component_id: component_id as number,
    quantity: quantity as number | string,
    ...(memo === null ? {} : { memo }),
    ...(upgrade === null ? {} : { proration_upgrade_scheme: upgrade }),
    ...(downgrade === null ? {} : { proration_downgrade_scheme: downgrade }),
  };
}

function closeWaiting({ books }: OpenSite, change: StoredChange, now: number): void {
  const error: ErrorValue = {
    code: 'canceled',
    message: 'Not sent. The change is in a new draft.',
    retryable: false,
  };
  saveChange(books, { ...change, outcome: 'not_applied', error, resolved_at: now });
}

function readChangeRows(csv: string, name: string): ChangeFileRow[] {
  const rows: ChangeFileRow[] = [];
  try {
    for (const row of readChangeFile(csv)) {
      if (rows.length === MAX_CHANGES)
        throw new InvalidChangeFileError(
          `The file has more than ${MAX_CHANGES} rows. Split it into smaller files.`,
        );
      rows.push(row);
    }
    if (rows.length === 0) throw new InvalidChangeFileError('The file has a header but no rows.');
  } catch (error) {
    if (!(error instanceof InvalidChangeFileError)) throw error;
    throw contractError({
      code: 'validation',
      message: `${name} cannot be read as a change file. ${error.message}`,
      hint: 'The first line must name the columns: subscription_id,component_id,quantity and optionally memo,proration_upgrade_scheme,proration_downgrade_scheme.',
      retryable: false,
    });
  }
  return rows;
}

/** Normalizes the quantity, so that 2 and "2.0" are stored as the same value. */
function normalizeQuantity(change: WantedChange): WantedChange {
  return { ...change, quantity: parseQuantity(String(change.quantity)) ?? change.quantity };
}

function draftTitle(changes: readonly WantedChange[]): string {
  const [first] = changes as [WantedChange];
  const same = changes.every(({ subscription_id }) => subscription_id === first.subscription_id);
  if (changes.length === 1) return `Component ${first.component_id} on subscription ${first.subscription_id}`;
  return same
    ? `${changes.length} components on subscription ${first.subscription_id}`
    : `${changes.length} changes`;
}

function noUnappliedChangesError({ state, title }: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message:
      state === 'draft' || state === 'running' || state === 'paused'
        ? `“${title}” ${state === 'draft' ? 'has not been sent yet' : `is still ${state}`}.`
        : `Every change in “${title}” was either applied or is still undecided.`,
    hint: 'Only changes that were certainly not applied can be drafted again.',
    retryable: false,
  };
}

function notDiscardableError({ state, title }: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: `“${title}” is ${state}; only a draft that has not been sent can be discarded.`,
    hint: 'Drafts that were sent stay in the list with their outcomes.',
    retryable: false,
  };
}
