import type { ReplayJob } from '../../../contract/webhooks/replay.ts';
import { CliError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes, getErrorExitCode } from '../../errors/exit-codes.ts';
import {
  FAILED_REPLAY_OUTCOMES,
  formatReplay,
  getReplayExitCode,
  replayItemColumns,
} from '../../formatters/replays.ts';
import type { CommandOutput } from '../../output/command-output.ts';
import { formatTableLines, getTerminalWidth } from '../../output/table.ts';
import type { SiteContext } from '../../runtime/cli-command.ts';
import { followJob } from '../../runtime/follow-job.ts';

/** Maximum number of failed webhooks listed after a replay. Chosen by judgment. */
const MAX_LISTED_FAILURES = 20;

/**
 * Follows a replay until it ends, then prints the result. Ctrl-C pauses the replay, because a canceled replay cannot be
 * resumed. Returns early if the replay pauses until a person acts.
 */
export async function followReplay(context: SiteContext, { job }: ReplayJob): Promise<ExitCode> {
  const { client, site, output, interrupt } = context;
  interrupt.setMessage(`Paused. Outcomes so far are stored. Resume with: tieout replay resume ${job}`);
  let pausedBy: ReplayJob['paused_by'] = null;
  const { error, state } = await followJob(context, job, {
    onStop: () => client.replay.pause({ site, job }),
    getNotice: async () => {
      const { reason, paused_by } = await client.replay.get({ site, job });
      pausedBy = paused_by;
      return reason;
    },
    needsPerson: () => pausedBy !== null && pausedBy !== 'breaker',
  });
  if (interrupt.signal.aborted) return exitCodes.interrupted;
  const replay = await client.replay.get({ site, job });
  if (state === 'paused') return reportPause(output, replay);
  if (error !== null && (replay.state !== 'stopped' || error.detail?.['stopped_by'] === 'service')) {
    throw new CliError(error.code, error.message, resumeHint(job));
  }
  const outcome = [...FAILED_REPLAY_OUTCOMES];
  const { rows: failures } = await client.replay.items({ site, job, outcome, limit: MAX_LISTED_FAILURES });
  await output.document(replay, () => [
    formatReplay(replay),
    failures.length > 0 && ['', formatTableLines(replayItemColumns, failures, getTerminalWidth())],
    formatResumeHint(replay),
    failures.length > 0 && ['', `Plan the failed webhooks again with: tieout replay retry-failures ${job}`],
  ]);
  return getReplayExitCode(replay);
}

const resumeHint = (job: string) => `Resume with: tieout replay resume ${job}`;

/** Returns lines that explain how to resume a replay, if it does not resume automatically. */
export function formatResumeHint({ job, state, paused_by }: ReplayJob): string[] {
  const needsResume =
    state === 'interrupted' || state === 'stopped' || (state === 'paused' && paused_by !== 'breaker');
  return needsResume ? ['', resumeHint(job)] : [];
}

/** Reports a pause that only a person can end. */
function reportPause(output: CommandOutput, { job, reason, paused_by }: ReplayJob): ExitCode {
  const code = paused_by === 'key' ? 'auth' : paused_by === 'refusals' ? 'service' : 'canceled';
  const error = new CliError(code, reason ?? 'The replay is paused.', resumeHint(job));
  output.error(error.value);
  return getErrorExitCode(error.value);
}
