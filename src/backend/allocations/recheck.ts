import { BillingError } from '../../billing/index.ts';
import { contractError, type Inputs, type Job } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite } from '../sites/stores.ts';
import {
  changesOf,
  digestOf,
  type StoredDraft,
  saveChange,
  saveDraft,
} from '../store/allocations/allocation-draft.ts';
import { draftOf } from '../store/allocations/allocation-draft-list.ts';
import type { PairKey } from '../store/allocations/pair.ts';
import { commit } from '../store/database.ts';
import { createTally } from '../sync/tally.ts';
import { AT_ONCE, createWorkers } from '../sync/workers.ts';
import { wantedDraft } from './draft.ts';
import { openHistories } from './histories.ts';
import { preview, wantedOf } from './preview.ts';
import type { AllocationTools } from './tools.ts';

/** Reads the histories of a draft's changes anew, as a job, and previews it again. Throws `conflict` where it was sent. */
export function recheckDraft(
  tools: AllocationTools,
  { site, draft: id }: Inputs['allocations']['recheck'],
): Job {
  const open = tools.stores.open(site);
  const draft = wantedDraft(open, site, id);
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
  tools: AllocationTools,
  open: OpenSite,
  job: JobHandle,
  draft: StoredDraft,
): Promise<string> {
  const { now } = tools;
  const { books, cache } = open;
  const { signal } = job;
  const pairs = [
    ...new Map(
      changesOf(books, draft.id).flatMap((change): [string, PairKey][] => {
        const wanted = wantedOf(change);
        return wanted === null ? [] : [[nameOf(wanted), wanted]];
      }),
    ).values(),
  ];
  const client = connectSite(tools, open, { signal });
  const source = draft.source === 'file' ? 'file' : 'user';
  const histories = openHistories({ open, client, tally: createTally(), now, job: job.id, source, signal });
  const told = new Map<string, string>();
  const began = now();
  const queue = pairs.values();
  let done = 0;
  let failed = 0;
  const ends = new AbortController();
  const show = () => job.progress('histories', { done, failed, total: pairs.length, current: null });

  async function read(pair: PairKey): Promise<void> {
    const { is } = await histories.read(pair);
    if (is === 'missing') told.set(nameOf(pair), await histories.whichIsMissing(pair));
    if (is === 'unreadable') failed++;
    done++;
    show();
  }

  show();
  try {
    await createWorkers(
      AT_ONCE,
      () => {
        const { value } = queue.next();
        return value === undefined || ends.signal.aborted || signal.aborted ? null : () => read(value);
      },
      () => ends.abort(),
    ).run();
  } finally {
    await client.close();
  }
  if (signal.aborted) throw new BillingError('cancelled', 'Stopped: checking a draft.');
  commit(books, () => {
    const changes = preview(cache, changesOf(books, draft.id), told);
    for (const change of changes) saveChange(books, change);
    saveDraft(books, { ...draft, checked_at: began, sha256: digestOf(changes, draft.together) });
  });
  return summaryOf(open, job.site, draft.id);
}

const nameOf = ({ subscription_id, component_id }: PairKey) => `${subscription_id}/${component_id}`;

function summaryOf({ books }: OpenSite, site: string, id: string): string {
  const draft = draftOf(books, site, id);
  if (draft === null) return '';
  const { ready, count, changed_meanwhile: changed } = draft;
  const first = `${ready} of ${count} can be sent`;
  if (changed === 0) return `${first}; nothing has changed since it was drafted.`;
  return `${first}; ${counted(changed, 'quantity has', 'quantities have')} changed since it was drafted.`;
}
