import { CircleCheck, CircleDashed, CircleHelp, CircleX, Clock, Send, ShieldX } from 'lucide-react';
import { type ReplayJob, type ReplayOutcome, replayOutcome } from '../../contract/index.ts';
import type { StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

/** Color and icon of each outcome. */
export const replayOutcomeStyles: Record<ReplayOutcome, readonly [StatusTone, typeof Clock]> = {
  waiting: ['calm', CircleDashed],
  sending: ['accent', Send],
  queued: ['accent', Clock],
  accepted: ['good', CircleCheck],
  failed: ['bad', CircleX],
  refused: ['bad', ShieldX],
  unresolved: ['warn', CircleHelp],
};

/** Outcomes in display order: final ones first, waiting ones last. */
export const replayOutcomes: readonly ReplayOutcome[] = [
  'accepted',
  'failed',
  'refused',
  'unresolved',
  'queued',
  'sending',
  'waiting',
];

export function formatReplayOutcome(outcome: string): string {
  const known = replayOutcome.safeParse(outcome);
  return known.success ? texts.replay.outcomes[known.data] : outcome;
}

/** Returns the number of webhooks that were finally not accepted. */
export function countFailures(job: ReplayJob): number {
  return job.counts.failed + job.counts.refused + job.counts.unresolved;
}

export function isActiveReplay(job: ReplayJob): boolean {
  return job.state === 'running' || job.state === 'paused';
}

/** Returns true if a replay that is not running can be resumed. */
export function canResumeReplay({ state }: ReplayJob): boolean {
  return state === 'paused' || state === 'interrupted' || state === 'stopped';
}
