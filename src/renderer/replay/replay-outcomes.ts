import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CircleX,
  Clock,
  LoaderCircle,
  Send,
  ShieldX,
} from 'lucide-react';
import { type ReplayJob, type ReplayOutcome, replayOutcomeSchema } from '../../contract/index.ts';
import { createStatusBadge, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

/** Color and icon for each replay outcome. */
export const replayOutcomeStyles: Record<ReplayOutcome, readonly [StatusTone, typeof Clock]> = {
  waiting: ['calm', CircleDashed],
  sending: ['accent', Send],
  queued: ['accent', Clock],
  accepted: ['good', CircleCheck],
  failed: ['bad', CircleX],
  refused: ['bad', ShieldX],
  unresolved: ['warn', CircleHelp],
};

/** Replay outcomes in display order, from final outcomes to pending ones. */
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
  const known = replayOutcomeSchema.safeParse(outcome);
  return known.success ? texts.replay.outcomes[known.data] : outcome;
}

/** Returns the number of webhooks in a replay that failed, were refused, or remained unresolved. */
export function countFailedWebhooks(job: ReplayJob): number {
  return job.counts.failed + job.counts.refused + job.counts.unresolved;
}

export function isActiveReplay(job: ReplayJob): boolean {
  return job.state === 'running' || job.state === 'paused';
}

/** Returns true if a replay is not running and can be resumed. */
export function canResumeReplay({ state }: ReplayJob): boolean {
  return state === 'paused' || state === 'interrupted' || state === 'stopped';
}

export const ReplayStatus = createStatusBadge<ReplayJob['state']>(
  {
    running: ['accent', LoaderCircle],
    paused: ['warn', CirclePause],
    done: ['good', CircleCheck],
    stopped: ['bad', CircleX],
    canceled: ['calm', CircleDashed],
    interrupted: ['warn', CircleDashed],
  },
  texts.replay.states,
);
