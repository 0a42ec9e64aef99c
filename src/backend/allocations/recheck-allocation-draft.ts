import { BillingError } from '../../billing/index.ts';
import {
  type AllocationDraft,
  type ContractInputs,
  createNonRetryableError,
  type Job,
} from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { forEachConcurrently } from '../shared/worker-pool.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  hashAllocationChanges,
  listDraftChanges,
  type StoredAllocationDraft,
  saveAllocationChange,
  saveAllocationDraft,
} from '../store/allocations/allocation-draft.ts';
import type { ComponentKey } from '../store/allocations/subscription-component.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import {
  formatSubscriptionComponent,
  previewAllocationChanges,
  toRequestedQuantityChange,
} from './allocation-change-preview.ts';
import type { AllocationContext } from './allocation-context.ts';
import { openAllocationDraft, requireDisplayedDraft } from './allocation-drafts.ts';
import { AllocationHistories } from './allocation-histories.ts';

/**
 * Starts a job that reads the histories of a draft's components again and updates its preview. Throws `conflict` if the
 * draft was already sent.
 */
export function recheckAllocationDraft(
  context: AllocationContext,
  input: ContractInputs['allocations']['recheck'],
): Job {
  const { open, draft } = openAllocationDraft(context, input);
  if (draft.state !== 'draft') {
    throw createNonRetryableError(
      'conflict',
      `“${draft.title}” is ${draft.state}; only a draft that has not been sent can be checked.`,
      'Create a new draft of the changes that were not applied, then check that one.',
    );
  }
  const { site } = input;
  return context.jobs.start({
    site,
    kind: 'allocations',
    noun: 'a draft check',
    books: open.books,
    run: (job) => runRecheck(context, open, job, draft),
    ended: () => context.changes.emit(site, 'allocations'),
  });
}

async function runRecheck(
  context: AllocationContext,
  open: OpenSite,
  job: JobHandle,
  draft: StoredAllocationDraft,
): Promise<string> {
  const { now } = context;
  const { books, cache } = open;
  const { signal } = job;
  const components = new Map<string, ComponentKey>();
  for (const change of listDraftChanges(books, draft.id)) {
    const wanted = toRequestedQuantityChange(change);
    if (wanted !== null) components.set(formatSubscriptionComponent(wanted), wanted);
  }
  const client = createSiteConnection(context, open, { signal });
  const source = draft.source === 'file' ? 'file' : 'user';
  const histories = new AllocationHistories({ open, client, now, job: job.id, source, signal });
  const missingTexts = new Map<string, string>();
  const checked_at = now();
  let done = 0;
  let failed = 0;
  const publish = () => job.progress('histories', { done, failed, total: components.size, current: null });
  publish();
  try {
    await forEachConcurrently(components, signal, async ([text, component]) => {
      const { is } = await histories.read(component);
      if (is === 'missing') missingTexts.set(text, await histories.explainMissing(component));
      if (is === 'unreadable') failed++;
      done++;
      publish();
    });
  } finally {
    await client.close();
  }
  if (signal.aborted) throw new BillingError('canceled', 'The draft check was canceled.');
  runInTransaction(books, () => {
    const changes = previewAllocationChanges(cache, listDraftChanges(books, draft.id), missingTexts);
    for (const change of changes) saveAllocationChange(books, change);
    saveAllocationDraft(books, {
      ...draft,
      checked_at,
      sha256: hashAllocationChanges(changes, draft.together),
    });
  });
  return summarizeRecheck(requireDisplayedDraft(open, draft.id));
}

function summarizeRecheck({ ready, count, changed_since_drafted: changed }: AllocationDraft): string {
  const quantities =
    changed === 0 ? 'no quantity has' : formatCount(changed, 'quantity has', 'quantities have');
  return `${ready} of ${count} can be sent; ${quantities} changed since the draft was created.`;
}
