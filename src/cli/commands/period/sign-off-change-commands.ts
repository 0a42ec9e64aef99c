import type { Client } from '../../../contract/contract.ts';
import type { SignOffChange } from '../../../contract/periods/closed-figures.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatClosedFigures, signOffChangeColumns } from '../../formatters/periods.ts';
import {
  addPageOptions,
  createIntegerParser,
  omitUndefined,
  type PageOptions,
  parseMonth,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatCount } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { completeJob } from '../../runtime/follow-job.ts';
import { addPeriodCommand, type PeriodOptions } from './period-options.ts';

type ClosingOptions = PeriodOptions & { readonly closing?: number };
type ChangesOptions = PageOptions & { readonly period?: string; readonly resolved?: true };

const toVersion = ({ period, closing }: ClosingOptions) => omitUndefined({ period, version: closing });

export const defineSignOffChangeCommands: DefineCommand = (command, handle) => {
  addPeriodCommand(command, 'closed-figures', 'Show the digests stored when a period was closed')
    .option(
      '--closing <n>',
      'number of the closing, if there are several (default: latest)',
      createIntegerParser(1),
    )
    .action(
      handle(async (cli, { period, ...options }: ClosingOptions) => {
        const { client, site } = await cli.session.openSite();
        const closedFigures = await client.periods.closedFigures({
          site,
          period,
          ...toVersion({ period, ...options }),
        });
        await cli.output.document(closedFigures, () => formatClosedFigures(closedFigures));
      }),
    );
  addPeriodCommand(command, 'signed-workpaper', 'Print the workpaper as it was signed, as JSON')
    .option(
      '--closing <n>',
      'number of the closing, if there are several (default: latest)',
      createIntegerParser(1),
    )
    .action(
      handle(async (cli, { period, ...options }: ClosingOptions) => {
        const { client, site } = await cli.session.openSite();
        const { json } = await client.periods.signed({ site, period, ...toVersion({ period, ...options }) });
        await cli.output.write(`${json}\n`);
      }),
    );
  defineChanges(command, handle);
  defineCompare(command, handle);
};

const defineChanges: DefineCommand = (command, handle) => {
  addPageOptions(
    command.command('changes').description('List changes since sign-off; exits with 1 if there are any'),
  )
    .option('--period <month>', 'only changes of this period, as YYYY-MM', parseMonth)
    .option('--resolved', 'include changes that no longer exist')
    .action(
      handle.list(async (cli, { period, resolved, ...pageOptions }: ChangesOptions) => {
        const { client, site } = await cli.session.openSite();
        const query = { site, ...omitUndefined({ period }), filter: resolved ? { ended: true } : {} };
        let hasChanges = false;
        await cli.output.list<SignOffChange>({
          columns: signOffChangeColumns,
          fields: [
            'id',
            'period',
            'kind',
            'row',
            'what',
            'text',
            'amount_in_cents',
            'currency',
            'detected_at',
            'posted_in',
          ],
          pages: fetchPages(pageOptions, async (page) => {
            const changes = await client.periods.signOffChanges({ ...query, ...page });
            hasChanges ||= changes.rows.some((row) => row.ended === null);
            return changes;
          }),
          footer: createPageFooter('changes'),
          empty: 'No changes since sign-off are known. To compare every row, run: tieout period compare',
        });
        return hasChanges ? exitCodes.findings : exitCodes.success;
      }),
    );
};

const defineCompare: DefineCommand = (command, handle) => {
  command
    .command('compare')
    .description(
      'Compare every row of the closed periods with the closed figures; exits with 1 if anything has changed',
    )
    .action(
      handle(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const started = await client.periods.compare({ site });
        const { id, summary } = await completeJob(cli, client, { site, job: started.job });
        const { total, sums } = await client.periods.signOffChanges({ site, limit: 1 });
        const changes = total?.count ?? 0;
        const damaged = await findDamagedPeriods(client, site);
        await cli.output.document({ job: id, summary, changes, sums, damaged }, () => [
          summary ?? '',
          ...(changes === 0 ? [] : [`${formatCount(changes, 'change')}. List with: tieout period changes`]),
          ...(damaged.length === 0
            ? []
            : ['Closed figures are damaged. Restore an earlier backup with: tieout restore']),
          ...(changes + damaged.length === 0 ? ['No changes since sign-off.'] : []),
        ]);
        return changes === 0 && damaged.length === 0 ? exitCodes.success : exitCodes.findings;
      }),
    );
};

/** Returns remarks about closed periods whose closed figures are damaged. */
async function findDamagedPeriods(
  client: Client,
  site: string,
): Promise<{ period: string; message: string }[]> {
  const { periods } = await client.periods.list({ site });
  const damaged: { period: string; message: string }[] = [];
  for (const { period, state } of periods) {
    if (state !== 'closed') continue;
    const { remarks } = await client.periods.get({ site, period });
    damaged.push(...remarks.map(({ message }) => ({ period, message })));
  }
  return damaged;
}
