import type { SystemCheck } from '../../../contract/app/app.ts';
import { toCliErrorValue } from '../../errors/cli-error.ts';
import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

export const defineDoctorCommand: DefineCommand = (command) => {
  command
    .option('--full', 'check every page of the databases')
    .option('--offline', 'do not test the connections of sites')
    .run(async ({ session, output }, { full, offline }: { full?: true; offline?: true }) => {
      const client = await session.client();
      const checks: SystemCheck[] = await client.app.doctor({ quick: full !== true });
      // Skips demo sites, because their service only runs while the demo is open.
      const sites = offline ? [] : (await client.sites.list({})).filter(({ demo }) => !demo);
      for (const { site, title } of sites) {
        checks.push(await testConnection(title, () => client.sites.test({ site }), site));
      }
      const about = await client.app.about({});
      const ok = checks.every((check) => check.ok);
      await output.document({ ok, ...about, checks }, () => [
        `Tieout ${about.version}, Node ${about.node}, SQLite ${about.sqlite}`,
        sanitizeLine(`Data directory: ${about.home}`),
        ...checks.map(formatCheck),
        ok ? 'No problems found.' : 'Problems found. Follow the instructions above.',
      ]);
      return getSuccessExitCode(ok);
    });
};

async function testConnection(
  title: string,
  test: () => Promise<{ message: string }>,
  site: string,
): Promise<SystemCheck> {
  const name = `connection to ${title}`;
  try {
    return { name, ok: true, message: (await test()).message, advice: null };
  } catch (error) {
    const { message, hint } = await toCliErrorValue(error);
    return { name, ok: false, message, advice: hint ?? `Try again with: tieout site test ${site}` };
  }
}

const formatCheck = ({ name, ok, message, advice }: SystemCheck) => [
  sanitizeLine(`${ok ? 'ok     ' : 'PROBLEM'}  ${name}: ${message}`),
  advice !== null && sanitizeLine(`         ${advice}`),
];
