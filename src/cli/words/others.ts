import type { Outputs } from '../../contract/contract.ts';
import { minute } from '../output/figures.ts';

/** What another Tieout on this computer does with a site, a line each; none where there is none. */
export function others({
  elsewhere,
  scheduled,
  running,
}: Pick<Outputs['sync']['status'], 'elsewhere' | 'scheduled' | 'running'>): string[] {
  const lines: string[] = [];
  if (elsewhere) {
    const { what, started_at, pid } = elsewhere;
    const waits = running === null ? ' A sync has to wait for it.' : '';
    lines.push(
      `Another Tieout is at work on it: ${what}, since ${minute(started_at)} UTC (process ${pid}).${waits}`,
    );
  }
  if (scheduled) {
    const { every_minutes, next_at, pid } = scheduled;
    const next = next_at === null ? '' : ` Its next sync begins at ${minute(next_at)} UTC.`;
    lines.push(
      `Another Tieout syncs it every ${every_minutes} min, by sync --watch (process ${pid}).${next}`,
    );
  }
  return lines;
}
