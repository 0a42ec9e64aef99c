import type { Check } from '../../../contract/app/app.ts';
import { toErrorValue } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

export const defineDoctorCommand: DefineCommand = (command, handle) => {
  command
    .option('--full', 'check every page of the databases')
    .option('--offline', 'do not test the connections of sites')
    .action(
      handle(async (cli, { full, offline }: { full?: true; offline?: true }) => {
        const client = await cli.session.client();
        const checks: Check[] = await client.app.doctor({ quick: full !== true });
        // Demo sites are skipped, because the demo service only runs while the demo is open.
        const sites = offline ? [] : (await client.sites.list({})).filter(({ demo }) => !demo);
        for (const { site, title } of sites) {
          checks.push(await testConnection(title, () => client.sites.test({ site }), site));
        }
        const about = await client.app.about({});
        const ok = checks.every((check) => check.ok);
        await cli.output.document({ ok, ...about, checks }, () => [
          `Tieout ${about.version}, Node ${about.node}, SQLite ${about.sqlite}`,
          sanitizeLine(`Data directory: ${about.home}`),
          ...checks.flatMap(formatCheck),
          ok ? 'No problems found.' : 'Problems found. Follow the instructions above.',
        ]);
        return ok ? exitCodes.success : exitCodes.findings;
      }),
    );
};

async function testConnection(
  title: string,
  test: () => Promise<{ message: string }>,
  site: string,
): Promise<Check> {
  const name = `connection to ${title}`;
  try {
    return { name, ok: true, message: (await test()).message, advice: null };
  } catch (error) {
    const { message, hint } = await toErrorValue(error);
    return { name, ok: false, message, advice: hint ?? `Try again with: tieout site test ${site}` };
  }
}

function formatCheck({ name, ok, message, advice }: Check): string[] {
  return [
    sanitizeLine(`${ok ? 'ok     ' : 'PROBLEM'}  ${name}: ${message}`),
    ...(advice === null ? [] : [sanitizeLine(`         ${advice}`)]),
  ];
}
