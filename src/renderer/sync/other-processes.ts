import type { ContractOutputs } from '../../contract/index.ts';
import { formatDateTime } from '../texts/date-times.ts';
import { syncTexts } from '../texts/sync.ts';

/** Returns one sentence per activity of other Tieout processes on this computer that concerns the site. */
export function describeOtherProcesses({
  other_process,
  scheduled,
}: Pick<ContractOutputs['sync']['status'], 'other_process' | 'scheduled'>): string[] {
  return [
    ...(other_process
      ? [
          syncTexts.otherProcess(
            other_process.activity,
            formatDateTime(other_process.started_at),
            other_process.pid,
          ),
        ]
      : []),
    ...(scheduled
      ? [
          syncTexts.scheduled(
            scheduled.every_minutes,
            scheduled.next_at === null ? null : formatDateTime(scheduled.next_at),
            scheduled.pid,
          ),
        ]
      : []),
  ];
}
