import type { Outputs } from '../../contract/contract.ts';
import type { PartStatus } from '../../contract/sync.ts';
import { count, counted, day, minute } from '../output/figures.ts';

type Status = Pick<Outputs['sync']['status'], 'parts' | 'complete' | 'set_aside'>;

/** Stretches that are named; more of them are counted. */
const NAMED = 3;

/** What of a site is not held, in a line; null where nothing is known to be missing. PDFs are fetched when they are asked for. */
export function missing({ parts, complete }: Status): string | null {
  const all = complete ? [] : parts.filter(({ part }) => part !== 'pdf').flatMap(missingOf);
  return all.length === 0 ? null : `Missing: ${all.join('; ')}.`;
}

function missingOf({ part, held, expected, complete, synced_at, gaps = [] }: PartStatus): string[] {
  if (complete) return [];
  if (part === 'webhooks' && held > 0) return gaps.length === 0 ? [] : [stretches(gaps)];
  // What there should be is told by other parts; until those were read it is not known.
  if (synced_at === null && (expected === null || (part === 'allocations' && held === 0)))
    return [`all ${part}`];
  const lacking = (expected ?? 0) - held;
  if (lacking <= 0) return [];
  const of = part === 'allocations' ? 'allocation histories' : part;
  return [`${count(lacking)} of ${count(expected ?? 0)} ${of}`];
}

function stretches(gaps: NonNullable<PartStatus['gaps']>): string {
  const named = gaps.slice(0, NAMED).map(({ from, to }) => {
    if (from === null) return to === null ? 'of all days' : `up to ${day(to)}`;
    if (to === null) return `from ${day(from)} on`;
    return day(from) === day(to) ? `of ${day(from)}` : `from ${day(from)} to ${day(to)}`;
  });
  const more = gaps.length - named.length;
  return `webhooks ${named.join(', ')}${more > 0 ? ` and ${counted(more, 'more stretch', 'more stretches')}` : ''}`;
}

/** What else is to be known of what is held. */
export function remarks({ parts, set_aside }: Status): string[] {
  const lines: string[] = [];
  if (set_aside) {
    lines.push(
      `The copy held before was damaged. It was set aside on ${minute(set_aside)} UTC, and what it held is fetched again.`,
    );
  }
  for (const { part, gone = 0, kept_from_before } of parts) {
    if (gone > 0) {
      const [are, they] = gone === 1 ? ['is', 'it is'] : ['are', 'they are'];
      lines.push(`${counted(gone, part.slice(0, -1))} ${are} no longer at the service; ${they} kept here.`);
    }
    if (kept_from_before) {
      const from = day(kept_from_before);
      lines.push(`Webhooks from before ${from} are no longer at the service; those held are kept here.`);
    }
  }
  return lines;
}
