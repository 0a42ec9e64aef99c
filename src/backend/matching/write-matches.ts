import type { MatchGroup, MatchStatus } from '../../domain/matching/index.ts';
import { formatRanges } from '../shared/number-ranges.ts';
import { createTimeSlices, type TimeSlices } from '../shared/time-slices.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import {
  type GroundPayout,
  groupOfKey,
  type KeyedGroup,
  openToRuns,
  type Scope,
} from '../store/matching/match-ground.ts';
import { addGroup, dropProposal, itemsOf, refreshGroup } from '../store/matching/match-group.ts';
import { commit, type WritableDb, withPages } from '../store/sqlite/connection.ts';
import { toStoredMatchKey } from './matching-inputs.ts';
import { PASSES_VERSION } from './matching-passes.ts';
import { releaseMatch } from './release-match.ts';

/**
 * Maximum duration of a transaction in milliseconds. Between transactions, other work can run and a cancellation takes
 * effect.
 */
const TIME_SLICE_MS = 150;
/** Size of the page cache in KiB. Matches are written in date order, but their amounts are spread over the index. */
const PAGE_CACHE_KIB = 12_288;
/** Number of earlier matches inspected per batch. */
const MATCHES_PER_BATCH = 1000;

/** Match to be written, with its stored key. A match that a person undid before is only suggested. */
export interface FoundMatch {
  readonly group: MatchGroup;
  readonly key: string;
  readonly status: MatchStatus;
}

export function* toFoundMatches(
  groups: Iterable<MatchGroup>,
  refused: ReadonlySet<string>,
): Generator<FoundMatch> {
  for (const group of groups) {
    const key = toStoredMatchKey(group);
    const isRefused = group.status === 'confirmed' && refused.has(key);
    yield { group, key, status: isRefused ? 'suggested' : group.status };
  }
}

export interface WriteMatchesOptions {
  readonly books: WritableDb;
  readonly scope: Scope;
  readonly run: number;
  /** Time of the run in UTC milliseconds. */
  readonly at: number;
  /** The user who started the run. */
  readonly user: string;
  readonly payouts: readonly GroundPayout[];
  readonly signal: AbortSignal;
  /** Total number of matches found. */
  readonly total: number;
  /** Yields the matches found, starting over on each call. */
  found(): Iterable<FoundMatch>;
  /** Called once for each match, in order. */
  onMatch(found: FoundMatch): void;
  progress(done: number): void;
}

/**
 * Writes the matches of a run. Earlier matches that are found again keep their ids. Matches not found again are removed
 * before new ones are added, so that no amount is allocated twice. After a cancellation, all stored matches are complete,
 * and the next run continues. Returns the matches that are no longer confirmed.
 */
export async function writeMatches(options: WriteMatchesOptions): Promise<number[]> {
  const { books, signal, progress, payouts, total } = options;
  return withPages(books, PAGE_CACHE_KIB, async () => {
    const timeSlices = createTimeSlices(signal, TIME_SLICE_MS);
    const isFirst = openToRuns(books, options.scope, 0, 1).length === 0;
    const foundAgain = new Uint8Array(isFirst ? 0 : total);
    const undone = isFirst
      ? []
      : await removeMatchesNotFound(
          options,
          await findUnchangedMatches(options, foundAgain, timeSlices),
          timeSlices,
        );
    const payoutIds = new Map(
      payouts.map(({ id, account_id, payout_id, currency }) => [
        `${account_id} ${currency} ${payout_id}`,
        id,
      ]),
    );
    let done = 0;
    await forEachMatchInTransactions(
      options,
      timeSlices,
      (found) => {
        if (foundAgain[done++] !== 1) writeMatch(options, found, payoutIds, isFirst);
        options.onMatch(found);
      },
      () => progress(done),
    );
    return undone;
  });
}

/** Calls `work` for each match, with as many matches per transaction as fit into a time slice. */
async function forEachMatchInTransactions(
  { books, found }: WriteMatchesOptions,
  timeSlices: TimeSlices,
  work: (found: FoundMatch) => void,
  onTransactionEnd: () => void,
): Promise<void> {
  const remainingMatches = found()[Symbol.iterator]();
  for (let more = true; more; ) {
    await timeSlices.next();
    more = commit(books, () => {
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

/** Returns the ids of earlier matches that are found again unchanged. Marks their positions among the matches found. */
async function findUnchangedMatches(
  options: WriteMatchesOptions,
  marks: Uint8Array,
  timeSlices: TimeSlices,
): Promise<Set<number>> {
  const { books } = options;
  const foundAgain = new Set<number>();
  let nextIndex = 0;
  await forEachMatchInTransactions(
    options,
    timeSlices,
    (found) => {
      const at = nextIndex++;
      const stored = groupOfKey(books, found.key);
      if (stored === null || !isUnchanged(books, stored, found)) return;
      foundAgain.add(stored.id);
      marks[at] = 1;
      updateEvidence(books, stored, found);
    },
    () => options.progress(0),
  );
  return foundAgain;
}

function isUnchanged(books: WritableDb, stored: KeyedGroup, { group, status }: FoundMatch): boolean {
  if (stored.changed_by !== null || stored.status !== status || stored.rule !== group.rule) return false;
  if (stored.user_rule !== group.user_rule) return false;
  const expected = [
    ...group.lines.map(({ id, allocated_in_cents }) => `line ${id} ${allocated_in_cents}`),
    ...group.payments.map(({ id, allocated_in_cents }) => `payment ${id} ${allocated_in_cents}`),
    ...group.adjustments.map(({ category, amount_in_cents }) => `${category} ${amount_in_cents}`),
  ];
  const items = itemsOf(books, stored.id);
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

/** Removes earlier matches that the run did not find again. Returns those that were confirmed. */
async function removeMatchesNotFound(
  { books, scope, run, at, user }: WriteMatchesOptions,
  foundAgain: ReadonlySet<number>,
  timeSlices: TimeSlices,
): Promise<number[]> {
  const undone: number[] = [];
  const reason = `Run ${run} did not find it again: the lines, the payments or the rules are others now.`;
  for (let after = 0; ; ) {
    await timeSlices.next();
    const groups = openToRuns(books, scope, after, MATCHES_PER_BATCH);
    const last = groups.at(-1);
    if (last === undefined) return undone;
    after = last.id;
    commit(books, () => {
      const confirmed: number[] = [];
      for (const { id, status } of groups) {
        if (foundAgain.has(id)) continue;
        if (status === 'confirmed') {
          releaseMatch(books, id, { at, by: null, reason });
          confirmed.push(id);
        } else {
          dropProposal(books, id, { at, by: null, reason });
        }
      }
      if (confirmed.length === 0) return;
      const detail = { undone: formatRanges(confirmed) };
      addAudit(books, { at, user, action: 'match.not-found-again', subject: String(run), reason, detail });
      undone.push(...confirmed);
    });
  }
}

function writeMatch(
  { books, run, at }: WriteMatchesOptions,
  found: FoundMatch,
  payouts: ReadonlyMap<string, number>,
  isFirst: boolean,
): void {
  const { group, key, status } = found;
  // A match with the same key may exist, because a person decided on the same rows.
  if (!isFirst && groupOfKey(books, key) !== null) return;
  const { payout } = group;
  addGroup(books, {
    ...toEvidence(found),
    status,
    rule: group.rule,
    currency: group.currency,
    dated_on: group.dated_on,
    lines: group.lines,
    payments: group.payments,
    adjustments: group.adjustments,
    key,
    payout_id:
      payout === null
        ? null
        : (payouts.get(`${payout.account} ${group.currency} ${payout.payout_id}`) ?? null),
    reverses: group.reverses,
    run_id: run,
    at,
    by: null,
    reason: null,
  });
}

/** Updates the evidence of a match that was found again. */
function updateEvidence(books: WritableDb, stored: KeyedGroup, found: FoundMatch): void {
  const evidence = toEvidence(found);
  if (stored.locked === 0 && hasEvidenceChanged(stored, evidence)) refreshGroup(books, stored.id, evidence);
}

function toEvidence(found: FoundMatch) {
  const { score, alternatives, user_rule } = found.group;
  return { score, alternatives, user_rule, reasons: reasonsOf(found), rule_version: PASSES_VERSION };
}

function reasonsOf({ group, status }: FoundMatch): MatchGroup['reasons'] {
  if (status === group.status) return group.reasons;
  return [
    ...group.reasons,
    { field: 'decision', text: 'This match was taken back before, so it is not confirmed by itself.' },
  ];
}

function hasEvidenceChanged(
  stored: KeyedGroup,
  evidence: Pick<MatchGroup, 'score' | 'alternatives' | 'reasons' | 'user_rule'>,
): boolean {
  return (
    stored.score !== evidence.score ||
    stored.alternatives !== evidence.alternatives ||
    stored.user_rule !== evidence.user_rule ||
    stored.rule_version !== PASSES_VERSION ||
    stored.reasons !== JSON.stringify(evidence.reasons)
  );
}
