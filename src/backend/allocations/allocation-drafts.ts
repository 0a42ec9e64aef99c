import { randomBytes } from 'node:crypto';
import { type AllocationDraft, type ContractInputs, createNonRetryableError } from '../../contract/index.ts';
import {
  type ChangeFileRow,
  InvalidChangeFileError,
  readAllocationChangeFile,
} from '../../domain/allocations/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { requireRecord } from '../shared/require-record.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  addAllocationChanges,
  findAllocationDraft,
  hashAllocationChanges,
  listDraftChanges,
  type StoredAllocationChange,
  type StoredAllocationDraft,
  saveAllocationChange,
  saveAllocationDraft,
} from '../store/allocations/allocation-draft.ts';
import { getAllocationDraft } from '../store/allocations/allocation-draft-list.ts';
import type { ComponentKey } from '../store/allocations/subscription-component.ts';
import { addAuditEntry, type NewAuditEntry } from '../store/audit-log/audit-log.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { previewAllocationChanges } from './allocation-change-preview.ts';

/** Maximum number of changes per draft. Chosen by judgment. Larger files must be split. */
const MAX_CHANGES = 100_000;

/** Saves changes as a draft and previews them from stored data. Throws `validation` if the file cannot be read. */
export function createAllocationDraft(
  context: CommandContext,
  { site, from, title, together = false }: ContractInputs['allocations']['draft'],
): AllocationDraft {
  const open = context.stores.open(site);
  if ('csv' in from) {
    const rows = readChangeRows(from.csv, from.name);
    return storeDraft(context, open, { source: 'file', title: title ?? from.name, together, rows });
  }
  const rows = from.changes.map((change) => ({
    line: null,
    raw: null,
    change,
    reason: null,
  }));
  return storeDraft(context, open, {
    source: 'form',
    title: title ?? createDraftTitle(from.changes),
    together,
    rows,
  });
}

/** Creates a draft of an earlier draft's changes that were certainly not applied. Throws `conflict` if there are none. */
export function createDraftOfUnappliedChanges(
  context: CommandContext,
  input: ContractInputs['allocations']['redraft'],
): AllocationDraft {
  const { open, draft } = openAllocationDraft(context, input);
  const isOver = ['stopped', 'interrupted', 'canceled', 'done'].includes(draft.state);
  const unapplied = !isOver ? [] : listDraftChanges(open.books, draft.id).filter(isUnapplied);
  if (unapplied.length === 0) throw noUnappliedChangesError(draft);
  return runInTransaction(open.books, () => {
    // Closes the waiting changes of the old draft, so that they cannot be sent from both drafts.
    const reason = 'The changes that were not applied are in a new draft.';
    saveAllocationDraft(open.books, { ...draft, state: 'done', reason });
    for (const change of unapplied)
      if (change.outcome === 'waiting') closeWaitingChange(open, change, context.now());
    return storeDraft(context, open, {
      source: 'again',
      title: `${draft.title} (retry)`,
      together: draft.together === 1,
      rows: unapplied.map((change) => ({ line: change.line, raw: change.raw, change, reason: null })),
    });
  });
}

const isUnapplied = ({ problem, outcome }: StoredAllocationChange) =>
  problem === null && ['refused', 'quantity_changed', 'not_applied', 'waiting'].includes(outcome);

/** Discards a draft. Throws `conflict` if the draft was already sent. */
export function discardAllocationDraft(
  context: CommandContext,
  input: ContractInputs['allocations']['discard'],
): AllocationDraft {
  const { open, draft } = openAllocationDraft(context, input);
  const { id, title, state } = draft;
  if (state !== 'draft') {
    throw createNonRetryableError(
      'conflict',
      `“${title}” is ${state}; only a draft that has not been sent can be discarded.`,
      'Drafts that were sent stay in the list with their outcomes.',
    );
  }
  runInTransaction(open.books, () => {
    saveAllocationDraft(open.books, { ...draft, state: 'discarded', ended_at: context.now() });
    addDraftAuditEntry(context, open, { action: 'allocations.discard', subject: id, detail: { title } });
  });
  context.changes.emit(input.site, 'allocations', 'audit');
  return requireDisplayedDraft(open, id);
}

/** Opens a site and its draft. Throws `not_found` if either does not exist. */
export function openAllocationDraft(
  { stores }: Pick<CommandContext, 'stores'>,
  { site, draft: id }: { site: string; draft: string },
): { open: OpenSite; draft: StoredAllocationDraft } {
  const open = stores.open(site);
  const draft = requireRecord(findAllocationDraft(open.books, id), `draft ${id}`, 'See the list of drafts.');
  return { open, draft };
}

/** Returns a draft as the contract shows it. The draft must exist. */
export function requireDisplayedDraft({ file, books }: OpenSite, id: string): AllocationDraft {
  return getAllocationDraft(books, file.site, id) as AllocationDraft;
}

/** Adds an entry about a draft to the audit log. */
export function addDraftAuditEntry(
  { user, now }: Pick<CommandContext, 'user' | 'now'>,
  { books }: OpenSite,
  entry: Pick<NewAuditEntry, 'action' | 'subject' | 'detail'>,
): void {
  addAuditEntry(books, { at: now(), user, ...entry });
}

/** Quantity change of a new draft, from the form, a file or an earlier draft. */
type RequestedChange = Pick<StoredAllocationChange, 'subscription_id' | 'component_id' | 'quantity'> & {
  [Field in 'memo' | 'proration_upgrade_scheme' | 'proration_downgrade_scheme']?: string | null | undefined;
};

type DraftRow = Pick<StoredAllocationChange, 'line' | 'raw'> & {
  change: RequestedChange | null;
  reason: string | null;
};

interface NewDraft {
  source: AllocationDraft['source'];
  title: string;
  together: boolean;
  rows: readonly DraftRow[];
}

function storeDraft(context: CommandContext, open: OpenSite, newDraft: NewDraft): AllocationDraft {
  const { now, user, changes: changeEvents } = context;
  const { source, title, rows } = newDraft;
  const together = Number(newDraft.together);
  const id = `${now().toString(36)}-${randomBytes(3).toString('hex')}`;
  const changes = previewAllocationChanges(
    open.cache,
    rows.map((row, ordinal) => newChange(id, ordinal, row)),
  ).map((change) => ({ ...change, drafted_quantity: change.current_quantity }));
  runInTransaction(open.books, () => {
    saveAllocationDraft(open.books, {
      id,
      created_at: now(),
      user,
      title,
      source,
      together,
      state: 'draft',
      reason: null,
      checked_at: null,
      sha256: hashAllocationChanges(changes, together),
      stop_after: null,
      sent_at: null,
      ended_at: null,
      job: null,
    });
    addAllocationChanges(open.books, changes);
    const detail = { title, changes: changes.length };
    addDraftAuditEntry(context, open, { action: 'allocations.draft', subject: id, detail });
  });
  changeEvents.emit(open.file.site, 'allocations', 'audit');
  return requireDisplayedDraft(open, id);
}

function newChange(
  draft: string,
  ordinal: number,
  { line, raw, change, reason }: DraftRow,
): StoredAllocationChange {
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

function closeWaitingChange({ books }: OpenSite, change: StoredAllocationChange, now: number): void {
  const message = 'Not sent. The change is in a new draft.';
  const error = { code: 'canceled', message, retryable: false } as const;
  saveAllocationChange(books, { ...change, outcome: 'not_applied', error, resolved_at: now });
}

function readChangeRows(csv: string, name: string): ChangeFileRow[] {
  const rows: ChangeFileRow[] = [];
  try {
    for (const row of readAllocationChangeFile(csv)) {
      if (rows.length === MAX_CHANGES)
        throw new InvalidChangeFileError(
          `The file has more than ${MAX_CHANGES} rows. Split it into smaller files.`,
        );
      rows.push(row);
    }
    if (rows.length === 0) throw new InvalidChangeFileError('The file has a header but no rows.');
  } catch (error) {
    if (!(error instanceof InvalidChangeFileError)) throw error;
    throw createNonRetryableError(
      'validation',
      `${name} cannot be read as a change file. ${error.message}`,
      'The first line must name the columns: subscription_id,component_id,quantity and optionally memo,proration_upgrade_scheme,proration_downgrade_scheme.',
    );
  }
  return rows;
}

function createDraftTitle(changes: readonly ComponentKey[]): string {
  const [{ subscription_id, component_id }] = changes as [ComponentKey];
  if (changes.length === 1) return `Component ${component_id} on subscription ${subscription_id}`;
  return changes.every((change) => change.subscription_id === subscription_id)
    ? `${changes.length} components on subscription ${subscription_id}`
    : `${changes.length} changes`;
}

function noUnappliedChangesError({ state, title }: StoredAllocationDraft): Error {
  const isOpen = state === 'draft' || state === 'running' || state === 'paused';
  return createNonRetryableError(
    'conflict',
    isOpen
      ? `“${title}” ${state === 'draft' ? 'has not been sent yet' : `is still ${state}`}.`
      : `Every change in “${title}” was either applied or is still undecided.`,
    'Only changes that were certainly not applied can be drafted again.',
  );
}
