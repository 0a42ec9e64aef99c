import { createHash } from 'node:crypto';
import type { MatchingResult, MatchStatus } from '../../domain/matching/index.ts';
import type { RunFigures } from '../store/matching/match-run.ts';
import { passes } from './matching-passes.ts';
import type { FoundMatch } from './write-matches.ts';

/** Counts the matches that a run finds, also in a dry run. */
export function createRunTally() {
  const counts = new Map(passes.map(({ rule }) => [rule, { confirmed: 0, suggested: 0, ambiguous: 0 }]));
  const hash = createHash('sha256');
  /** Numbers of lines and payments in matches that are only suggested, because a person undid them before. */
  const refused = { lines: 0, payments: 0 };

  const sum = (status: MatchStatus): number =>
    [...counts.values()].reduce((all, each) => all + each[status], 0);

  return {
    addMatch({ group, key, status }: FoundMatch): void {
      hash.update(`${key} ${group.rule} ${status}\n`);
      const pass = counts.get(group.rule);
      if (pass !== undefined) pass[status]++;
      if (status === group.status) return;
      refused.lines += group.lines.length;
      refused.payments += group.payments.length;
    },
    /** Returns the totals. A dry run and the next run have equal digests if nothing has changed between them. */
    figures(
      matching: Pick<MatchingResult, 'unmatched_lines' | 'unmatched_payments'>,
    ): Omit<RunFigures, 'took'> {
      return {
        passes: passes.map(({ rule, title }) => ({ rule, title, ...counts.get(rule)! })),
        confirmed: sum('confirmed'),
        suggested: sum('suggested'),
        ambiguous: sum('ambiguous'),
        unmatched_lines: matching.unmatched_lines + refused.lines,
        unmatched_payments: matching.unmatched_payments + refused.payments,
        digest: hash.digest('hex'),
      };
    },
  };
}
