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
import { createTally } from '../sync/shared/tally.ts';
import { requireDraft } from './draft.ts';
import { openAllocationHistories } from './histories.ts';
import { previewChanges, requestedChange } from './preview.ts';
import type { AllocationContext } from './tools.ts';

/**
 * Reads the histories of a draft's changes again as a job and renews its preview. Throws `conflict` if the draft was
 * sent.
 */
export function recheckDraft(
  tools: AllocationContext,
  { site, draft: id }: Inputs['allocations']['recheck'],
): Job {
  const open = tools.stores.open(site);
  const draft = requireDraft(open, site, id);
  if (draft.state !== 'draft') {
    throw contractError({
      code: 'conflict',
      message: `“${draft.title}” is ${draft.state}; only a draft that waits is checked.`,
      hint: 'Draft what was not applied anew to check it.',
      retryable: false,
    });
  }
  return tools.jobs.start({
    site,
    kind: 'allocations',
    what: 'a check of a draft',
    books: open.books,
    run: (job) => recheck(tools, open, job, draft),
    ended: () => tools.changes.tell(site, 'allocations'),
  });
}

async function recheck(
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
        const wanted = requestedChange(change);
        return wanted === null ? [] : [[nameOf(wanted), wanted]];
      }),
    ).values(),
  ];
  const client = createSiteConnection(tools, open, { signal });
  const source = draft.source === 'file' ? 'file' : 'user';
  const histories = openAllocationHistories({
    open,
    client,
    tally: createTally(),
    now,
    job: job.id,
    source,
    signal,
  });
  const told = new Map<string, string>();
  const began = now();
  const queue = components.values();
  let done = 0;
  let failed = 0;
  const ends = new AbortController();
  const show = () => job.progress('histories', { done, failed, total: components.length, current: null });

  async function read(component: ComponentKey): Promise<void> {
    const { is } = await histories.read(component);
    if (is === 'missing') told.set(nameOf(component), await histories.whichIsMissing(component));
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
  if (signal.aborted) throw new BillingError('canceled', 'Stopped: checking a draft.');
  commit(books, () => {
    const changes = previewChanges(cache, changesOf(books, draft.id), told);
    for (const change of changes) saveChange(books, change);
    saveDraft(books, { ...draft, checked_at: began, sha256: digestOf(changes, draft.together) });
  });
  return summaryOf(open, job.site, draft.id);
}

const nameOf = ({ subscription_id, component_id }: ComponentKey) => `${subscription_id}/${component_id}`;

function summaryOf({ books }: OpenSite, site: string, id: string): string {
  const draft = draftOf(books, site, id);
  if (draft === null) return '';
  const { ready, count, changed_since_drafted: changed } = draft;
  const first = `${ready} of ${count} can be sent`;
  if (changed === 0) return `${first}; nothing has changed since it was drafted.`;
  return `${first}; ${formatCount(changed, 'quantity has', 'quantities have')} changed since it was drafted.`;
}
