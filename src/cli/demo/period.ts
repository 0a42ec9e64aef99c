import type { Client } from '../../contract/contract.ts';
import type { Workpaper } from '../../contract/workpapers.ts';
import type { Cli } from '../act.ts';
import { Failure, failureOf } from '../failure.ts';
import { followJob } from '../follow.ts';
import { counted, money } from '../output/figures.ts';

const site = 'demo';
const EXPLANATION = 'Money of the owners, other customers and interest: none of the subscriptions’.';
const ALONE = 'A demonstration, by one person.';

/** The month is closed: what is not of the matter is explained, the figures are signed, reviewed and sealed. */
export async function closeDemo(cli: Cli, client: Client, period: string) {
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
  const [closed, seal, signed] = await Promise.all([
    client.periods.get(on),
    client.periods.seal(on),
    client.periods.signed(on),
  ]);
  const { sections, explained } = JSON.parse(signed.json) as Workpaper;
  return { period, state: closed.state, explained, sections, seal };
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
  const asking = remarks.filter(({ asks }) => asks === 'comment').map(({ message }) => message);
  return asking.length === 0 ? {} : { comment: `Known: ${asking.join(' ')}` };
}

async function ended(cli: Cli, client: Client, job: string): Promise<void> {
  const { error } = await followJob(cli, client, { site, job });
  if (error) throw failureOf(error);
  if (cli.stop.signal.aborted) throw new Failure('cancelled', 'Stopped.');
}

export function periodWords({
  period,
  sections,
  seal,
  explained,
}: Awaited<ReturnType<typeof closeDemo>>): string[] {
  return [
    ...sections.flatMap(({ currency, schedules }) =>
      schedules.map(
        ({ id, title, difference_in_cents }) =>
          `${id} ${title}: difference ${money(difference_in_cents)} ${currency}`,
      ),
    ),
    `${period} is closed${explained ? ', and everything in it is explained' : ''}: ${counted(
      seal.rows.reduce((all, { count }) => all + count, 0),
      'row',
    )} sealed, SHA-256 ${seal.sha256}`,
  ];
}
