import { CircleCheck, CircleDashed, CircleHelp, CircleX, Clock, Send, ShieldX } from 'lucide-react';
import { type ReplayJob, type ReplayOutcome, replayOutcome } from '../../contract/index.ts';
import type { StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

/** What became of a replayed webhook: color, icon and word. */
export const outcomeStyles: Record<ReplayOutcome, readonly [StatusTone, typeof Clock]> = {
  waiting: ['calm', CircleDashed],
  sending: ['accent', Send],
  queued: ['accent', Clock],
  accepted: ['good', CircleCheck],
  failed: ['bad', CircleX],
  refused: ['bad', ShieldX],
  unresolved: ['warn', CircleHelp],
};

/** What is settled first, what is still to come last. */
export const replayOutcomes: readonly ReplayOutcome[] = [
  'accepted',
  'failed',
  'refused',
  'unresolved',
  'queued',
  'sending',
  'waiting',
];

export function formatOutcome(outcome: string): string {
  const known = replayOutcome.safeParse(outcome);
  return known.success ? texts.replay.outcomes[known.data] : outcome;
}

/** Those that did not arrive, in the end. */
export function countFailures(job: ReplayJob): number {
  return job.counts.failed + job.counts.refused + job.counts.unresolved;
}

export function isActiveReplay(job: ReplayJob): boolean {
  return job.state === 'running' || job.state === 'paused';
}

/** Whether it can be gone on with, where it does not run. */
export function canResumeReplay({ state }: ReplayJob): boolean {
  return state === 'paused' || state === 'interrupted' || state === 'stopped';
}
