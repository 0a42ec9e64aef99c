import type { Outputs } from '../../contract/contract.ts';
import { formatMinute } from '../output/format-values.ts';

/** Formats what other Tieout processes on this computer are doing with a site, one line each. */
export function formatOtherProcesses({
  elsewhere,
  scheduled,
  running,
}: Pick<Outputs['sync']['status'], 'elsewhere' | 'scheduled' | 'running'>): string[] {
  const lines: string[] = [];
  if (elsewhere) {
    const { what, started_at, pid } = elsewhere;
    const wait = running === null ? ' A sync must wait until it has finished.' : '';
    lines.push(
      `Another Tieout process (${pid}) is working on this site: ${what}, since ${formatMinute(started_at)} UTC.${wait}`,
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
