import { BillingError } from '../../billing/index.ts';
import { contractError, type Inputs, type Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createWorkerPool, MAX_CONCURRENT_REQUESTS } from '../shared/worker-pool.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  changesOf,
  digestOf,
  type StoredDraft,
  saveChange,
  saveDraft,
} from '../store/allocations/allocation-draft.ts';
import { draftOf } from '../store/allocations/allocation-draft-list.ts';
import type { ComponentKey } from '../store/allocations/subscription-component.ts';
import { commit } from '../store/sqlite/connection.ts';
import { createRunTally } from '../sync/shared/run-tally.ts';
import type { AllocationContext } from './allocation-context.ts';
import { openAllocationHistories } from './allocation-histories.ts';
import { previewAllocationChanges, toWantedChange } from './change-preview.ts';
import { requireAllocationDraft } from './drafts.ts';

/**
 * Starts a job that reads the histories of a draft's components again and updates the draft's preview. Throws `conflict`
 * if the draft was already sent.
 */
export function recheckAllocationDraft(
  tools: AllocationContext,
  { site, draft: id }: Inputs['allocations']['recheck'],
): Job {
  const open = tools.stores.open(site);
  const draft = requireAllocationDraft(open, site, id);
  if (draft.state !== 'draft') {
    throw contractError({
      code: 'conflict',
      message: `“${draft.title}” is ${draft.state}; only a draft that has not been sent can be checked.`,
      hint: 'Create a new draft of the changes that were not applied, then check that one.',
      retryable: false,
    });
  }
  return tools.jobs.start({
    site,
    kind: 'allocations',
    noun: 'a draft check',
    books: open.books,
    run: (job) => runRecheck(tools, open, job, draft),
    ended: () => tools.changes.emit(site, 'allocations'),
  });
}

async function runRecheck(
  tools: AllocationContext,
  open: OpenSite,
  job: JobHandle,
  draft: StoredDraft,
): Promise<string> {
  const { now } = tools;
  const { books, cache } = open;
  const { signal } = job;
  const components = [
    ...new Map(
      changesOf(books, draft.id).flatMap((change): [string, ComponentKey][] => {
        const wanted = toWantedChange(change);
        return wanted === null ? [] : [[componentName(wanted), wanted]];
      }),
    ).values(),
  ];
  const client = createSiteConnection(tools, open, { signal });
  const source = draft.source === 'file' ? 'file' : 'user';
  const histories = openAllocationHistories({
    open,
    client,
    tally: createRunTally(),
    now,
    job: job.id,
    source,
    signal,
  });
  const missingTexts = new Map<string, string>();
  const began = now();
  const queue = components.values();
  let done = 0;
  let failed = 0;
  const ends = new AbortController();
  const show = () => job.progress('histories', { done, failed, total: components.length, current: null });

  async function read(component: ComponentKey): Promise<void> {
    const { is } = await histories.read(component);
    if (is === 'missing')
      missingTexts.set(componentName(component), await histories.explainMissing(component));
    if (is === 'unreadable') failed++;
    done++;
    show();
  }

  show();
  try {
    await createWorkerPool(
      MAX_CONCURRENT_REQUESTS,
      () => {
        const { value } = queue.next();
        return value === undefined || ends.signal.aborted || signal.aborted ? null : () => read(value);
      },
      () => ends.abort(),
    ).run();
  } finally {
    await client.close();
  }
  if (signal.aborted) throw new BillingError('canceled', 'The draft check was canceled.');
  commit(books, () => {
    const changes = previewAllocationChanges(cache, changesOf(books, draft.id), missingTexts);
    for (const change of changes) saveChange(books, change);
    saveDraft(books, { ...draft, checked_at: began, sha256: digestOf(changes, draft.together) });
  });
  return recheckSummary(open, job.site, draft.id);
}

const componentName = ({ subscription_id, component_id }: ComponentKey) =>
  `${subscription_id}/${component_id}`;

function recheckSummary({ books }: OpenSite, site: string, id: string): string {
  const draft = draftOf(books, site, id);
  if (draft === null) return '';
  const { ready, count, changed_since_drafted: changed } = draft;
  const first = `${ready} of ${count} can be sent`;
  if (changed === 0) return `${first}; no quantity has changed since the draft was created.`;
  return `${first}; ${formatCount(changed, 'quantity has', 'quantities have')} changed since the draft was created.`;
}
