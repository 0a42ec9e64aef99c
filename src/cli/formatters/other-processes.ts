import type { Outputs } from '../../contract/contract.ts';
import { formatMinute } from '../output/format-values.ts';

/** Formats what other Tieout processes on this computer are doing with a site, one line per process. */
export function formatOtherProcesses({
  other_process,
  scheduled,
  running,
}: Pick<Outputs['sync']['status'], 'other_process' | 'scheduled' | 'running'>): string[] {
  const lines: string[] = [];
  if (other_process) {
    const { activity, started_at, pid } = other_process;
    const wait = running === null ? ' A sync must wait until it has finished.' : '';
    lines.push(
      `Another Tieout process (${pid}) is working on this site: ${activity}, since ${formatMinute(started_at)} UTC.${wait}`,
    );
  }
  if (scheduled) {
    const { every_minutes, next_at, pid } = scheduled;
    const next = next_at === null ? '' : ` Next sync: ${formatMinute(next_at)} UTC.`;
    lines.push(
      `Another Tieout process (${pid}) syncs this site every ${every_minutes} min (sync --watch).${next}`,
    );
  }
  return lines;
}
