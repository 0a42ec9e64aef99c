import type { Recomputation, RecomputationStep } from '../../../contract/checks/recomputation.ts';
import { CliError } from '../../errors/cli-error.ts';
import { type ExitCode, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatCount, formatNumber } from '../../output/format-values.ts';
import { createProgressDisplay } from '../../output/progress-display.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { SiteContext } from '../../runtime/cli-command.ts';

const stepLabels = {
  copy: 'pages copied',
  check: 'subscriptions checked',
  matching: 'matching',
  comparison: 'comparing',
} as const satisfies Record<RecomputationStep['step'], string>;

/** Recomputes the results of the site, shows the progress, and prints the differences. */
export async function verifyByRecomputation(context: SiteContext): Promise<ExitCode | undefined> {
  const { client, site, output, interrupt } = context;
  const display = createProgressDisplay(output.quiet);
  let result: Recomputation | null = null;
  try {
    const { signal } = interrupt;
    for await (const event of await client.check.recompute({ site }, { signal })) {
      result = event.result;
      const { step, done, total } = event;
      const part = { part: stepLabels[step], done, total, failed: 0, current: null };
      display.show({ state: 'running', progress: [part], rate: null, remaining_ms: null });
    }
  } finally {
    display.end();
  }
  if (result === null) throw new CliError('canceled', 'Stopped.');
  const { ok } = result;
  await output.document(result, () => formatRecomputation(result));
  return getSuccessExitCode(ok);
}

const partLabels = {
  exceptions: 'exceptions',
  payments: 'payments',
  matches: 'matches and matched lines',
  totals: 'totals',
} as const satisfies Record<Recomputation['parts'][number]['part'], string>;

const changeLabels = {
  stored: 'stored, but not recomputed',
  recomputed: 'recomputed, but not stored',
  changed: 'different',
} as const satisfies Record<Recomputation['differences'][number]['change'], string>;

function formatRecomputation({ unchecked, parts, differences, outdated }: Recomputation): TextLines {
  const count = parts.reduce((sum, part) => sum + part.differences, 0);
  return [
    count === 0
      ? 'All stored results equal the recomputed ones.'
      : `${formatCount(count, 'difference')} between the stored and the recomputed results:`,
    differences.map(({ change, text }) => `  ${changeLabels[change]}: ${text}`),
    count > differences.length && `  … and ${formatNumber(count - differences.length)} more`,
    `Compared: ${parts.map(({ part, items }) => `${formatNumber(items)} ${partLabels[part]}`).join(', ')}.`,
    unchecked > 0 &&
      `Not checked again because of errors (see the log): ${formatCount(unchecked, 'subscription')}.`,
    outdated.length > 0 && `Differences are expected: ${outdated.join(' ')}`,
  ];
}
