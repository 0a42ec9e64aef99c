import type { Client } from '../../../contract/contract.ts';
import type { ReplayItem, ReplayJob } from '../../../contract/webhooks/replay.ts';
import { CliError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import {
  failedReplayOutcomes,
  formatReplay,
  replayItemColumns,
  toReplayExitCode,
} from '../../formatters/replays.ts';
import { formatTableLines, terminalWidth } from '../../output/table.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';
import { followJob } from '../../runtime/follow-job.ts';

/** Maximum number of failed webhooks that are listed after a replay. */
const MAX_LISTED_FAILURES = 20;

/**
 * Shows the progress of a replay until it ends, then prints the result. Ctrl-C pauses the replay, because a canceled
 * replay cannot be resumed. The command ends if the replay pauses until a person acts, because nobody may be watching.
 */
export async function followReplay(
  cli: CommandContext,
  client: Client,
  started: ReplayJob,
): Promise<ExitCode> {
  const { site, job } = started;
  cli.interrupt.setMessage(`Paused. Outcomes so far are stored. Resume with: tieout replay resume ${job}`);
  let pausedBy: ReplayJob['paused_by'] = null;
  const { error, state } = await followJob(cli, client, started, {
    onStop: () => client.replay.pause({ site, job }),
    getNotice: async () => {
      const { reason, paused_by } = await client.replay.get({ site, job });
      pausedBy = paused_by;
      return reason;
    },
    needsPerson: () => pausedBy !== null && pausedBy !== 'breaker',
  });
  if (cli.interrupt.signal.aborted) return exitCodes.interrupted;
  const replay = await client.replay.get({ site, job });
  if (state === 'paused') return reportPause(cli, replay);
  if (error !== null && (replay.state !== 'stopped' || error.detail?.['stopped_by'] === 'service')) {
    throw new CliError(error.code, error.message, resumeHint(job));
  }
  const failures = await fetchFailures(client, replay);
  await cli.output.document(replay, () => [
    ...formatReplay(replay),
    ...(failures.length === 0 ? [] : ['', ...formatTableLines(replayItemColumns, failures, terminalWidth())]),
    ...formatResumeHint(replay),
    ...(failures.length === 0
      ? []
      : ['', `Plan the failed webhooks again with: tieout replay retry-failures ${job}`]),
  ]);
  return toReplayExitCode(replay);
}

const resumeHint = (job: string) => `Resume with: tieout replay resume ${job}`;

/** Returns lines that explain how to resume a replay that does not resume automatically. */
export function formatResumeHint({ job, state, paused_by }: ReplayJob): string[] {
  const needsResume =
    state === 'interrupted' || state === 'stopped' || (state === 'paused' && paused_by !== 'breaker');
  return needsResume ? ['', resumeHint(job)] : [];
}

/** Reports a pause that only a person can end. */
function reportPause(cli: CommandContext, { job, reason, paused_by }: ReplayJob): ExitCode {
  const code = paused_by === 'key' ? 'auth' : paused_by === 'refusals' ? 'service' : 'canceled';
  const error = new CliError(code, reason ?? 'The replay is paused.', resumeHint(job));
  cli.output.error(error.value);
  return error.exit;
}

async function fetchFailures(client: Client, { site, job }: ReplayJob): Promise<ReplayItem[]> {
  const { rows } = await client.replay.items({
    site,
    job,
    outcome: [...failedReplayOutcomes],
    limit: MAX_LISTED_FAILURES,
  });
  return rows;
}
