import type { Outputs } from '../../contract/index.ts';
import { formatDateTime } from '../texts/moments.ts';
import { syncWords } from '../texts/sync.ts';

/** What another Tieout on this computer does with the site, a sentence each; none where there is none. */
export function othersText({
  elsewhere,
  scheduled,
}: Pick<Outputs['sync']['status'], 'elsewhere' | 'scheduled'>): string[] {
  return [
    ...(elsewhere
      ? [syncWords.elsewhere(elsewhere.what, formatDateTime(elsewhere.started_at), elsewhere.pid)]
      : []),
    ...(scheduled
      ? [
          syncWords.scheduled(
            scheduled.every_minutes,
            scheduled.next_at === null ? null : formatDateTime(scheduled.next_at),
            scheduled.pid,
          ),
        ]
      : []),
  ];
}
