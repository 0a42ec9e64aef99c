import type { MatchGroup, MatchStatus } from '../../domain/matching/index.ts';
import { formatNumberRanges } from '../shared/number-ranges.ts';
import { createTimeSlices, type TimeSlices } from '../shared/time-slices.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addMatch,
  discardMatchProposal,
  listMatchItems,
  updateMatchProposal,
} from '../store/matching/match-group.ts';
import {
  findMatchByKey,
  listReplaceableMatches,
  type MatchablePayout,
  type MatchRunAccounts,
  type MatchWithKey,
} from '../store/matching/matching-input.ts';
import { runInTransaction, type WritableDb, withPageCacheSize } from '../store/sqlite/connection.ts';
import { toStoredMatchKey } from './matching-inputs.ts';
import { MATCHING_PASSES_VERSION } from './matching-passes.ts';
import { releaseMatch } from './release-match.ts';

/** Maximum milliseconds per transaction. Other work and cancellations wait for its end. Chosen by judgment. */
const TIME_SLICE_MS = 150;
/** Size of the page cache in KiB. Matches are written in date order, but spread over the index of amounts. */
const PAGE_CACHE_KIB = 12_288;
/** Number of earlier matches inspected per batch. */
const MATCHES_PER_BATCH = 1000;

/** Match to be written, with its stored key. A match that a person undid before is only suggested. */
export interface MatchToStore {
  readonly group: MatchGroup;
  readonly key: string;
  readonly status: MatchStatus;
}

/** Yields the matches to write. A match with a key that a person refused before becomes a suggestion. */
export function* toMatchesToStore(
  groups: Iterable<MatchGroup>,
  refused: ReadonlySet<string>,
): Generator<MatchToStore> {
  for (const group of groups) {
    const key = toStoredMatchKey(group);
    const isRefused = group.status === 'confirmed' && refused.has(key);
    yield { group, key, status: isRefused ? 'suggested' : group.status };
  }
}

export interface WriteMatchesOptions {
  readonly books: WritableDb;
  readonly accounts: MatchRunAccounts;
  readonly run: number;
  /** Time of the run in UTC milliseconds. */
  readonly at: number;
  /** The user who started the run. */
  readonly user: string;
  readonly payouts: readonly MatchablePayout[];
  readonly signal: AbortSignal;
  /** Total number of matches found. */
  readonly total: number;
  /** Yields the found matches. Each call starts over. */
  found(): Iterable<MatchToStore>;
  /** Called once for each match, in order. */
  onMatch(found: MatchToStore): void;
  progress(done: number): void;
}

/**
 * Writes the matches of a run. Earlier matches that the run found again keep their ids. Other earlier matches are
 * removed before new matches are added, so that no amount is allocated twice. After a cancellation, all stored matches
 * are complete, and the next run continues. Returns the ids of matches that are no longer confirmed.
 */
export async function writeMatches(options: WriteMatchesOptions): Promise<number[]> {
  const { books, signal, progress, payouts, total } = options;
  return withPageCacheSize(books, PAGE_CACHE_KIB, async () => {
    const timeSlices = createTimeSlices(signal, TIME_SLICE_MS);
    const isFirstRun = listReplaceableMatches(books, options.accounts, 0, 1).length === 0;
    const foundAgain = new Uint8Array(isFirstRun ? 0 : total);
    let undone: number[] = [];
    if (!isFirstRun) {
      const unchanged = await findUnchangedMatches(options, foundAgain, timeSlices);
      undone = await removeMatchesNotFound(options, unchanged, timeSlices);
    }
    const payoutIds = new Map(payouts.map((payout) => [toPayoutKey(payout), payout.id]));
    let done = 0;
    const writeNext = (found: MatchToStore) => {
      if (foundAgain[done++] !== 1) writeMatch(options, found, payoutIds, isFirstRun);
      options.onMatch(found);
    };
    await forEachMatchInTransactions(options, timeSlices, writeNext, () => progress(done));
    return undone;
  });
}

/** Calls `work` for each match. Each transaction contains as many matches as fit into a time slice. */
async function forEachMatchInTransactions(
  { books, found }: WriteMatchesOptions,
  timeSlices: TimeSlices,
  work: (found: MatchToStore) => void,
  onTransactionEnd: () => void,
): Promise<void> {
  const remainingMatches = found()[Symbol.iterator]();
  for (let more = true; more; ) {
    await timeSlices.next();
    more = runInTransaction(books, () => {
      while (!timeSlices.isOver()) {
        const next = remainingMatches.next();
        if (next.done) return false;
        work(next.value);
      }
      return true;
    });
    onTransactionEnd();
  }
}

/** Returns the ids of earlier matches that the run found again unchanged, and sets their positions in `marks`. */
async function findUnchangedMatches(
  options: WriteMatchesOptions,
  marks: Uint8Array,
  timeSlices: TimeSlices,
): Promise<Set<number>> {
  const { books } = options;
  const foundAgain = new Set<number>();
  let nextIndex = 0;
  const inspect = (found: MatchToStore) => {
    const index = nextIndex++;
    const stored = findMatchByKey(books, found.key);
    if (stored === null || !isUnchanged(books, stored, found)) return;
    foundAgain.add(stored.id);
    marks[index] = 1;
    updateEvidence(books, stored, found);
  };
  await forEachMatchInTransactions(options, timeSlices, inspect, () => options.progress(0));
  return foundAgain;
}

function isUnchanged(books: WritableDb, stored: MatchWithKey, { group, status }: MatchToStore): boolean {
  if (stored.changed_by !== null || stored.status !== status || stored.rule !== group.rule) return false;
  if (stored.user_rule !== group.user_rule) return false;
  const expected = [
    ...group.lines.map(({ id, allocated_in_cents }) => `line ${id} ${allocated_in_cents}`),
    ...group.payments.map(({ id, allocated_in_cents }) => `payment ${id} ${allocated_in_cents}`),
    ...group.adjustments.map(({ category, amount_in_cents }) => `${category} ${amount_in_cents}`),
  ];
  const items = listMatchItems(books, stored.id);
  if (items.length !== expected.length) return false;
  const existing = new Set(
    items.map(({ line_id, transaction_id, category, allocated_in_cents }) =>
      line_id !== null
        ? `line ${line_id} ${allocated_in_cents}`
        : transaction_id !== null
          ? `payment ${transaction_id} ${allocated_in_cents}`
          : `${category} ${allocated_in_cents}`,
    ),
  );
  return expected.every((item) => existing.has(item));
}

/** Removes earlier matches that the run did not find again. Returns the ids of those that were confirmed. */
async function removeMatchesNotFound(
  { books, accounts, run, at, user }: WriteMatchesOptions,
  foundAgain: ReadonlySet<number>,
  timeSlices: TimeSlices,
): Promise<number[]> {
  const undone: number[] = [];
  const reason = `Run ${run} did not find it again, because lines, payments or rules have changed.`;
  for (let after = 0; ; ) {
    await timeSlices.next();
    const groups = listReplaceableMatches(books, accounts, after, MATCHES_PER_BATCH);
    const last = groups.at(-1);
    if (last === undefined) return undone;
    after = last.id;
    runInTransaction(books, () => {
      const confirmed: number[] = [];
      for (const { id, status } of groups) {
        if (foundAgain.has(id)) continue;
        if (status === 'confirmed') {
          releaseMatch(books, id, { at, by: null, reason });
          confirmed.push(id);
        } else discardMatchProposal(books, id, { at, by: null, reason });
      }
      if (confirmed.length === 0) return;
      const entry = { at, user, action: 'match.not-found-again', subject: String(run), reason };
      addAuditEntry(books, { ...entry, detail: { undone: formatNumberRanges(confirmed) } });
      undone.push(...confirmed);
    });
  }
}

function writeMatch(
  { books, run, at }: WriteMatchesOptions,
  found: MatchToStore,
  payouts: ReadonlyMap<string, number>,
  isFirstRun: boolean,
): void {
  const { group, key, status } = found;
  // A person may have decided on a match of the same rows, which then has the same key.
  if (!isFirstRun && findMatchByKey(books, key) !== null) return;
  const { payout, rule, currency, dated_on, lines, payments, adjustments, reverses } = group;
  const payoutKey = payout && toPayoutKey({ ...payout, account_id: payout.account, currency });
  addMatch(books, {
    ...toEvidence(found),
    ...{ status, rule, currency, dated_on, lines, payments, adjustments, key, reverses },
    payout_id: payoutKey === null ? null : (payouts.get(payoutKey) ?? null),
    run_id: run,
    at,
    by: null,
    reason: null,
  });
}

const toPayoutKey = (payout: Pick<MatchablePayout, 'account_id' | 'currency' | 'payout_id'>): string =>
  `${payout.account_id} ${payout.currency} ${payout.payout_id}`;

/** Updates the evidence of a match that the run found again. */
function updateEvidence(books: WritableDb, stored: MatchWithKey, found: MatchToStore): void {
  const evidence = toEvidence(found);
  if (stored.locked === 0 && hasEvidenceChanged(stored, evidence))
    updateMatchProposal(books, stored.id, evidence);
}

function toEvidence(found: MatchToStore) {
  const { score, alternatives, user_rule } = found.group;
  return {
    score,
    alternatives,
    user_rule,
    reasons: listReasons(found),
    rule_version: MATCHING_PASSES_VERSION,
  };
}

function listReasons({ group, status }: MatchToStore): MatchGroup['reasons'] {
  if (status === group.status) return group.reasons;
  return [
    ...group.reasons,
    {
      field: 'decision',
      text: 'This match was undone before, so it is not confirmed automatically.',
      against: true,
    },
  ];
}

function hasEvidenceChanged(
  stored: MatchWithKey,
  evidence: Pick<MatchGroup, 'score' | 'alternatives' | 'reasons' | 'user_rule'>,
): boolean {
  return (
    stored.score !== evidence.score ||
    stored.alternatives !== evidence.alternatives ||
    stored.user_rule !== evidence.user_rule ||
    stored.rule_version !== MATCHING_PASSES_VERSION ||
    stored.reasons !== JSON.stringify(evidence.reasons)
  );
}
