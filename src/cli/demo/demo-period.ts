import type { Client } from '../../contract/contract.ts';
import type { Workpaper } from '../../contract/periods/workpapers.ts';
import { CliError, toCliError } from '../errors/cli-error.ts';
import { formatCount, formatMoney } from '../output/format-values.ts';
import type { CommandContext } from '../runtime/action-runner.ts';
import { followJob } from '../runtime/follow-job.ts';

const site = 'demo';
const EXPLANATION = 'Money of the owners, other customers and interest: none of the subscriptions’.';
const ALONE = 'A demonstration, by one person.';

/** The month is closed: what is not of the matter is explained, the figures are signed, reviewed and sealed. */
export async function closeDemoPeriod(cli: CommandContext, client: Client, period: string) {
  const on = { site, period };
  const known = (await client.periods.list({ site })).periods.find((each) => each.period === period);
  if (known?.state !== 'closed') {
    await ended(cli, client, (await client.check.start({ site })).job);
    if (known === undefined) await client.periods.open(on);
    await explain(client, period);
    if (known === undefined || known.state === 'open') {
      await client.periods.submit({ ...on, ...(await commentFor(client, period)) });
    }
    if (known?.state !== 'reviewed') {
      await client.periods.review({ ...on, verdict: 'approve', self_review: ALONE });
    }
    await ended(cli, client, (await client.periods.close(on)).job);
  }
  const [closed, closedFigures, signed] = await Promise.all([
    client.periods.get(on),
    client.periods.closedFigures(on),
    client.periods.signed(on),
  ]);
  const { sections, explained } = JSON.parse(signed.json) as Workpaper;
  return { period, state: closed.state, explained, sections, closedFigures };
}

async function explain(client: Client, period: string): Promise<void> {
  const { rows } = await client.workpapers.items({ site, period, filter: { explained: false }, limit: 1000 });
  if (rows.length === 0) return;
  const items = rows.map(({ key }) => key);
  await client.periods.explain({ site, period, items, category: 'other income', explanation: EXPLANATION });
}

/** What the figures are qualified by is said in the comment. */
async function commentFor(client: Client, period: string): Promise<{ comment?: string }> {
  const { remarks } = await client.periods.get({ site, period });
  const asking = remarks.filter(({ requires }) => requires === 'comment').map(({ message }) => message);
  return asking.length === 0 ? {} : { comment: `Known: ${asking.join(' ')}` };
}

async function ended(cli: CommandContext, client: Client, job: string): Promise<void> {
  const { error } = await followJob(cli, client, { site, job });
  if (error) throw toCliError(error);
  if (cli.interrupt.signal.aborted) throw new CliError('canceled', 'Stopped.');
}

export function formatDemoPeriod({
  period,
  sections,
  closedFigures,
  explained,
}: Awaited<ReturnType<typeof closeDemoPeriod>>): string[] {
  return [
    ...sections.flatMap(({ currency, schedules }) =>
      schedules.map(
        ({ id, title, difference_in_cents }) =>
          `${id} ${title}: difference ${formatMoney(difference_in_cents)} ${currency}`,
      ),
    ),
    `${period} is closed${explained ? ', and everything in it is explained' : ''}: ${formatCount(
      closedFigures.rows.reduce((all, { count }) => all + count, 0),
      'row',
    )} sealed, SHA-256 ${closedFigures.sha256}`,
  ];
}
