import type { PeriodProgress } from '../../contract/index.ts';
import { counted } from '../words/numbers.ts';
import { words } from '../words/words.ts';

const text = words.periods;

/** What is left to do in a period, in a few words. */
export function remainsText({ exceptions, proposals, unexplained }: PeriodProgress): string {
  const left = [
    exceptions.open > 0 ? counted(exceptions.open, 'exception') : null,
    proposals > 0 ? `${counted(proposals, 'match', 'matches')} to decide` : null,
    unexplained > 0 ? `${counted(unexplained, 'item')} unexplained` : null,
  ].filter((part) => part !== null);
  return left.length === 0 ? text.done : left.join(', ');
}
