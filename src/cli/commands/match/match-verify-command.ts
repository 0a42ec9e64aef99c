import type { MatchVerification } from '../../../contract/index.ts';
import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatCount } from '../../output/format-values.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

export const defineMatchVerifyCommand: DefineCommand = (command) => {
  command
    .subcommand(
      'verify',
      'Verify confirmed matches against the stored rows; exits with 1 if one is not proved',
    )
    .runOnSite(async ({ client, site, output }) => {
      const verification = await client.match.verify({ site });
      await output.document(verification, () => formatVerification(verification));
      return getSuccessExitCode(verification.ok);
    });
};

function formatVerification(verification: MatchVerification): TextLines {
  const { ok, matches, certified, problem_count, problems } = verification;
  const verified = `${formatCount(matches, 'confirmed match', 'confirmed matches')} verified, ${formatCount(certified, 'certificate')}.`;
  if (ok) return [`${verified} No problem found.`];
  return [
    `${verified} ${formatCount(problem_count, 'problem')} found:`,
    ...problems.map(({ match, problem }) => `  match ${match}: ${problem}`),
    '',
    'Rows or decisions may have changed since the latest run. Match again with: tieout match run',
  ];
}
