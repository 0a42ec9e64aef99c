import { createHash } from 'node:crypto';
import type { Matching, MatchStatus } from '../../domain/matching/index.ts';
import type { RunFigures } from '../store/matching/match-run.ts';
import { passes } from './passes.ts';
import type { Found } from './write.ts';

/** Counts what a run found as it is written, or as it would be. */
export function createTally() {
  const counts = new Map(passes.map(({ rule }) => [rule, { confirmed: 0, suggested: 0, ambiguous: 0 }]));
  const hash = createHash('sha256');
  /** Lines and payments of matches that a person took back before, and that are no more than suggested for it. */
  const refused = { lines: 0, payments: 0 };

  const sum = (status: MatchStatus): number =>
    [...counts.values()].reduce((all, each) => all + each[status], 0);

  return {
    hear({ group, key, status }: Found): void {
      hash.update(`${key} ${group.rule} ${status}\n`);
      const pass = counts.get(group.rule);
      if (pass !== undefined) pass[status]++;
      if (status === group.status) return;
      refused.lines += group.lines.length;
      refused.payments += group.payments.length;
    },
    /** What it came to. The digest of a dry run and of the run after it agree where nothing changed between them. */
    figures(matching: Pick<Matching, 'unmatched_lines' | 'unmatched_payments'>): Omit<RunFigures, 'took'> {
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
