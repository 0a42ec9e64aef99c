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
import { storedMatchKey } from './ground.ts';
import { PASSES_VERSION } from './passes.ts';
import { releaseMatch } from './release.ts';

/** Maximum milliseconds of a transaction, after which other work gets its turn and a cancel takes effect. */
const TIME_SLICE_MS = 150;
/** Size of the page cache in KiB: matches are written in order of date, but their amounts are spread over the index. */
const PAGES = 12_288;
/** Number of matches inspected together. */
const BATCH = 1000;

/** A match to be written. One that a person undid before is only suggested. */
export interface FoundMatch {
  readonly group: MatchGroup;
  readonly key: string;
  readonly status: MatchStatus;
}

export function* foundMatches(
  groups: Iterable<MatchGroup>,
  refused: ReadonlySet<string>,
): Generator<FoundMatch> {
  for (const group of groups) {
    const key = storedMatchKey(group);
    const isRefused = group.status === 'confirmed' && refused.has(key);
    yield { group, key, status: isRefused ? 'suggested' : group.status };
  }
}

export interface MatchWriting {
  readonly books: WritableDb;
  readonly scope: Scope;
  readonly run: number;
  /** UTC milliseconds. */
  readonly at: number;
  /** The user who started the run. */
  readonly user: string;
  readonly payouts: readonly GroundPayout[];
  readonly signal: AbortSignal;
  /** Number of matches found. */
  readonly total: number;
  /** Yields the matches found, from the first on each call. */
  found(): Iterable<FoundMatch>;
  /** Receives each match once, in order. */
  hear(found: FoundMatch): void;
  progress(done: number): void;
}

/**
 * Updates the books to what a run found. Matches of an earlier run that are found again stay under their ids. Those not
 * found again are removed first, so that no cent is claimed twice on the way, then new ones are added. A canceled run
 * leaves only complete matches, and the next run continues. Returns the matches that are no longer confirmed.
 */
export async function writeMatches(writing: MatchWriting): Promise<number[]> {
  const { books, signal, progress, payouts, total } = writing;
  return withPages(books, PAGES, async () => {
    const turns = createTimeSlices(signal, TIME_SLICE_MS);
    const isFirst = openToRuns(books, writing.scope, 0, 1).length === 0;
    const still = new Uint8Array(isFirst ? 0 : total);
    const undone = isFirst ? [] : await sweep(writing, await stillThere(writing, still, turns), turns);
    const payoutIds = new Map(
      payouts.map(({ id, account_id, payout_id, currency }) => [
        `${account_id} ${currency} ${payout_id}`,
        id,
      ]),
    );
    let done = 0;
    await inTransactions(
      writing,
      turns,
      (found) => {
        if (still[done++] !== 1) put(writing, found, payoutIds, isFirst);
        writing.hear(found);
      },
      () => progress(done),
    );
    return undone;
  });
}

/** Handles each match found, as many per transaction as fit into a time slice. */
async function inTransactions(
  { books, found }: MatchWriting,
  turns: TimeSlices,
  work: (found: FoundMatch) => void,
  told: () => void,
): Promise<void> {
  const rest = found()[Symbol.iterator]();
  for (let more = true; more; ) {
    await turns.next();
    more = commit(books, () => {
      while (!turns.over()) {
        const next = rest.next();
        if (next.done) return false;
        work(next.value);
      }
      return true;
    });
    told();
  }
}

/** Returns the ids of earlier matches that are found again unchanged. Marks them by their position among those found. */
async function stillThere(writing: MatchWriting, marks: Uint8Array, turns: TimeSlices): Promise<Set<number>> {
  const { books } = writing;
  const still = new Set<number>();
  let place = 0;
  await inTransactions(
    writing,
    turns,
    (found) => {
      const at = place++;
      const stored = groupOfKey(books, found.key);
      if (stored === null || !isSame(books, stored, found)) return;
      still.add(stored.id);
      marks[at] = 1;
      refresh(books, stored, found);
    },
    () => writing.progress(0),
  );
  return still;
}

function isSame(books: WritableDb, stored: KeyedGroup, { group, status }: FoundMatch): boolean {
  if (stored.changed_by !== null || stored.status !== status || stored.rule !== group.rule) return false;
  if (stored.user_rule !== group.user_rule) return false;
  const wanted = [
    ...group.lines.map(({ id, allocated_in_cents }) => `line ${id} ${allocated_in_cents}`),
    ...group.payments.map(({ id, allocated_in_cents }) => `payment ${id} ${allocated_in_cents}`),
    ...group.adjustments.map(({ category, amount_in_cents }) => `${category} ${amount_in_cents}`),
  ];
  const items = itemsOf(books, stored.id);
  if (items.length !== wanted.length) return false;
  const there = new Set(
    items.map(({ line_id, transaction_id, category, allocated_in_cents }) =>
      line_id !== null
        ? `line ${line_id} ${allocated_in_cents}`
        : transaction_id !== null
          ? `payment ${transaction_id} ${allocated_in_cents}`
          : `${category} ${allocated_in_cents}`,
    ),
  );
  return wanted.every((item) => there.has(item));
}

/** Removes earlier matches that the run did not find again. */
async function sweep(
  { books, scope, run, at, user }: MatchWriting,
  still: ReadonlySet<number>,
  turns: TimeSlices,
): Promise<number[]> {
  const undone: number[] = [];
  const reason = `Run ${run} did not find it again: the lines, the payments or the rules are others now.`;
  for (let after = 0; ; ) {
    await turns.next();
    const groups = openToRuns(books, scope, after, BATCH);
    const last = groups.at(-1);
    if (last === undefined) return undone;
    after = last.id;
    commit(books, () => {
      const confirmed: number[] = [];
      for (const { id, status } of groups) {
        if (still.has(id)) continue;
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

function put(
  { books, run, at }: MatchWriting,
  found: FoundMatch,
  payouts: ReadonlyMap<string, number>,
  isFirst: boolean,
): void {
  const { group, key, status } = found;
  // A person's decision about some of the same rows may have the same key.
  if (!isFirst && groupOfKey(books, key) !== null) return;
  const { payout } = group;
  addGroup(books, {
    ...judgmentOf(found),
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
function refresh(books: WritableDb, stored: KeyedGroup, found: FoundMatch): void {
  const known = judgmentOf(found);
  if (stored.locked === 0 && isOtherwiseJudged(stored, known)) refreshGroup(books, stored.id, known);
}

function judgmentOf(found: FoundMatch) {
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

function isOtherwiseJudged(
  stored: KeyedGroup,
  known: Pick<MatchGroup, 'score' | 'alternatives' | 'reasons' | 'user_rule'>,
): boolean {
  return (
    stored.score !== known.score ||
    stored.alternatives !== known.alternatives ||
    stored.user_rule !== known.user_rule ||
    stored.rule_version !== PASSES_VERSION ||
    stored.reasons !== JSON.stringify(known.reasons)
  );
}
