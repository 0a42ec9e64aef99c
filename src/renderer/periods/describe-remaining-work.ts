import type { PeriodProgress } from '../../contract/index.ts';
import { formatCountWithNoun } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.periods;

/** Summarizes the remaining work of a period, for example `2 exceptions, 1 match to decide`. */
export function describeRemainingWork({ exceptions, proposals, unexplained }: PeriodProgress): string {
  const left = [
    exceptions.open > 0 ? formatCountWithNoun(exceptions.open, 'exception') : null,
    proposals > 0 ? `${formatCountWithNoun(proposals, 'match', 'matches')} to decide` : null,
    unexplained > 0 ? formatCountWithNoun(unexplained, 'unexplained item') : null,
  ].filter((part) => part !== null);
  return left.length === 0 ? text.noRemainingWork : left.join(', ');
}
