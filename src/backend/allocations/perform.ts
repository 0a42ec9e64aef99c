import type { BillingClient } from '../../billing/index.ts';
import type { AllocationDraft } from '../../contract/index.ts';
import { checkAfter } from '../checks/checks.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite } from '../sites/stores.ts';
import {
  type StoredChange,
  type StoredDraft,
  saveDraft,
  storedDraft,
} from '../store/allocations/allocation-draft.ts';
import { draftOf } from '../store/allocations/allocation-draft-list.ts';
import { createTally } from '../sync/tally.ts';
import { type Ending, runChanges, type World } from './engine.ts';
import { openHistories } from './histories.ts';
import { type Applied, openJournal } from './journal.ts';
import { refreshStatements } from './refresh.ts';
import type { AllocationTools } from './tools.ts';
import { hearWishes } from './wishes.ts';

/** How long a request that has left may go on when a job is to end: cut off, it would have to be looked up. */
const GRACE_MS = 600;
/** Most often that progress is shown. */
const SHOWN_MS = 100;

/** Sends a draft that stands in the books, then reads the statements it changed and checks them. */
export async function performChanges(
  tools: AllocationTools,
  open: OpenSite,
  job: JobHandle,
  draft: StoredDraft,
): Promise<Ending> {
  const { shell, now, pacing, changes: told } = tools;
  const tally = createTally();
  const lifeline = new AbortController();
  let posting = 0;
  const end = () => {
    if (posting === 0) lifeline.abort();
    else setTimeout(() => lifeline.abort(), GRACE_MS).unref();
  };
  job.signal.addEventListener('abort', end);
  const client = connectSite({ shell, pacing, now }, open, {
    signal: lifeline.signal,
    onRequest: (event) => tally.request(event),
  });
  const histories = openHistories({
    open,
    client,
    tally,
    now,
    job: job.id,
    source: draft.source === 'file' ? 'file' : 'user',
    signal: job.signal,
  });
  const touched = new Set<number>();
  const wishes = hearWishes(job);
  const world: World = {
    journal: openJournal({ open, draft, user: tools.user, now }),
    histories: {
      ...histories,
      changed(subscription) {
        touched.add(subscription);
        histories.changed(subscription);
        told.tell(job.site, 'allocations', 'audit');
      },
    },
    async post(changes) {
      posting++;
      try {
        return await post(client, changes);
      } finally {
        posting--;
        if (posting === 0 && job.signal.aborted) lifeline.abort();
      }
    },
    now,
    rest: (ms) => wishes.rest(ms),
    paused: () => wishes.paused,
    show: createShow(tools, open, job, draft.id, () => wishes.paused),
    signal: job.signal,
    waits: tools.waits,
    stopAfter: draft.stop_after ?? 1,
  };
  try {
    const ending = await runChanges(world);
    world.show(null, ending.state === 'stopped' ? ending.reason : null);
    if (touched.size > 0 && !job.signal.aborted) {
      const progress = (done: number, total: number) =>
        job.progress('statements', { done, total, failed: 0, current: null });
      const { signal } = job;
      const failed = await refreshStatements({ open, client, subscriptions: [...touched], signal, progress });
      job.progress('statements', { failed });
      told.tell(job.site, 'statements');
      await checkAfter(tools, open, job, 'the changes');
    }
    return ending;
  } finally {
    job.signal.removeEventListener('abort', end);
    await client.close();
  }
}

/** One change by 4.4, several of a subscription by 4.5. */
async function post(client: BillingClient, changes: readonly StoredChange[]): Promise<(Applied | null)[]> {
  const [first] = changes as [StoredChange];
  const subscription = first.subscription_id as number;
  if (changes.length === 1) {
    const { item } = await client.createAllocation(subscription, first.component_id as number, {
      ...wanted(first),
      ...schemes(first),
    });
    return [item];
  }
  const { items } = await client.createAllocations(subscription, {
    allocations: changes.map((change) => ({
      component_id: change.component_id as number,
      ...wanted(change),
    })),
    ...schemes(first),
  });
  return changes.map(({ component_id }) => items.find((item) => item.component_id === component_id) ?? null);
}

function wanted({ quantity, memo }: StoredChange) {
  return { quantity: quantity as number | string, ...(memo === null ? {} : { memo }) };
}

function schemes(change: StoredChange) {
  const { proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade } = change;
  return {
    ...(upgrade === null ? {} : { proration_upgrade_scheme: upgrade }),
    ...(downgrade === null ? {} : { proration_downgrade_scheme: downgrade }),
  };
}

/** Shows and writes down how it stands, now and then and whenever it pauses, goes on or has another reason. */
function createShow(
  { changes }: AllocationTools,
  { books }: OpenSite,
  job: JobHandle,
  id: string,
  isPaused: () => boolean,
): World['show'] {
  let shownAt = Number.NEGATIVE_INFINITY;
  let before: readonly [boolean, string | null] = [false, null];
  return (current, reason) => {
    const is = isPaused();
    const moved = is !== before[0] || reason !== before[1];
    if (!moved && current !== null && performance.now() - shownAt < SHOWN_MS) return;
    shownAt = performance.now();
    if (is !== before[0]) job.paused(is);
    before = [is, reason];
    const draft = storedDraft(books, id);
    const figures = draftOf(books, job.site, id);
    if (draft === null || figures === null) return;
    if (moved) saveDraft(books, { ...draft, state: is ? 'paused' : 'running', reason });
    job.progress('changes', { ...doneOf(figures), total: figures.ready, current });
    changes.tell(job.site, 'allocations');
  };
}

/** How many changes of a draft are done with, and how many of them were not applied. */
function doneOf({ outcomes }: AllocationDraft): { done: number; failed: number } {
  const failed = outcomes.refused + outcomes.moved + outcomes.undecided + outcomes.not_applied;
  return { done: outcomes.applied + failed, failed };
}
