import type { Outputs, PartStatus } from '../../contract/index.ts';
import { formatLocalDay } from '../texts/moments.ts';
import { syncTexts } from '../texts/sync.ts';

type SyncState = Pick<Outputs['sync']['status'], 'parts' | 'complete' | 'set_aside'>;
type Gap = NonNullable<PartStatus['gaps']>[number];

const text = syncTexts.lacks;
/** Stretches that are named; more of them are counted. */
const NAMED = 3;

/** What of a site is not held, in a sentence; null where nothing is known to be missing. PDFs are fetched when they are asked for. */
export function formatMissingData({ parts, complete }: SyncState): string | null {
  const all = complete ? [] : parts.filter(({ part }) => part !== 'pdf').flatMap(missingOf);
  return all.length === 0 ? null : text.sentence(all.join('; '));
}

function missingOf({ part, stored, expected, complete, synced_at, gaps = [] }: PartStatus): string[] {
  if (complete) return [];
  if (part === 'webhooks' && stored > 0) return gaps.length === 0 ? [] : [stretches(gaps)];
  // What there should be is told by other parts; until those were read it is not known.
  if (synced_at === null && (expected === null || (part === 'allocations' && stored === 0)))
    return [text.all(part)];
  const lacking = (expected ?? 0) - stored;
  return lacking > 0 ? [text.some(lacking, expected ?? 0, part)] : [];
}

function stretches(gaps: readonly Gap[]): string {
  return text.webhooks(gaps.slice(0, NAMED).map(stretch).join(', '), Math.max(0, gaps.length - NAMED));
}

function stretch({ from, to }: Gap): string {
  const [first, last] = [from, to].map((at) => (at === null ? null : formatLocalDay(at)));
  if (!first) return last ? text.upTo(last) : text.everyDay;
  if (!last) return text.fromOn(first);
  return first === last ? text.on(first) : text.fromTo(first, last);
}

/** What else is to be known of what is held: of what is gone at the service, and of a copy that was damaged. */
export function formatDataNotes({ parts, set_aside }: SyncState): string[] {
  return [
    ...(set_aside ? [text.setAside(formatLocalDay(set_aside))] : []),
    ...parts.flatMap(({ gone = 0, kept_from_before: before }) => [
      ...(gone > 0 ? [text.gone(gone)] : []),
      ...(before ? [text.keptFromBefore(formatLocalDay(before))] : []),
    ]),
  ];
}
