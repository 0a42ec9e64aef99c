import { createHash } from 'node:crypto';
import type { MatchingResult, MatchStatus } from '../../domain/matching/index.ts';
import type { MatchRunFigures } from '../store/matching/match-run.ts';
import { matchingPasses } from './matching-passes.ts';
import type { MatchToStore } from './write-matches.ts';

/** Counts the matches that a run or a dry run finds. */
export class RunTally {
  readonly #counts = new Map(
    matchingPasses.map(({ rule }) => [rule, { confirmed: 0, suggested: 0, ambiguous: 0 }]),
  );
  readonly #hash = createHash('sha256');
  /** Lines and payments of matches that become only suggestions because a person undid them before. */
  readonly #refused = { lines: 0, payments: 0 };

  addMatch({ group, key, status }: MatchToStore): void {
    this.#hash.update(`${key} ${group.rule} ${status}\n`);
    const counts = this.#counts.get(group.rule);
    if (counts !== undefined) counts[status]++;
    if (status === group.status) return;
    this.#refused.lines += group.lines.length;
    this.#refused.payments += group.payments.length;
  }

  /** Returns the totals. The digests of a dry run and of the next run are equal if nothing has changed in between. */
  figures(
    matching: Pick<MatchingResult, 'unmatched_lines' | 'unmatched_payments'>,
  ): Omit<MatchRunFigures, 'durations'> {
    return {
      passes: matchingPasses.map(({ rule, title }) => ({ rule, title, ...this.#counts.get(rule)! })),
      confirmed: this.#sum('confirmed'),
      suggested: this.#sum('suggested'),
      ambiguous: this.#sum('ambiguous'),
      unmatched_lines: matching.unmatched_lines + this.#refused.lines,
      unmatched_payments: matching.unmatched_payments + this.#refused.payments,
      digest: this.#hash.digest('hex'),
    };
  }

  #sum(status: MatchStatus): number {
    return [...this.#counts.values()].reduce((total, counts) => total + counts[status], 0);
  }
}
