import type { ImportPlan } from '../../contract/bank-imports.ts';
import type { Client } from '../../contract/contract.ts';
import type { MatchRun } from '../../contract/match-runs.ts';
import type { DemoFile } from '../../host/index.ts';
import type { Cli } from '../act.ts';
import { Failure, failureOf } from '../failure.ts';
import { followJob } from '../follow.ts';
import { uploadText } from '../input/upload.ts';
import { count, counted, money } from '../output/figures.ts';

const site = 'demo';

/** What the demo’s bank and card processor say of a month is brought in, and matched to the payments. */
export async function matchDemo(
  cli: Cli,
  client: Client,
  files: { readonly bank: DemoFile; readonly processor: DemoFile },
) {
  const bank = await bringIn(cli, client, files.bank, 'Bank');
  const processor = await bringIn(cli, client, files.processor, 'Card processor');
  const { job } = await client.match.run({ site });
  const { error } = await followJob(cli, client, { site, job });
  if (error) throw failureOf(error);
  if (cli.stop.signal.aborted) throw new Failure('cancelled', 'Stopped.');
  const run = await client.match.getRun({ site, job });
  const { rows: payouts } = await client.match.payouts({ site, limit: 1000 });
  const { groups } = await client.match.summary({ site });
  const confirmed = groups.reduce(
    (all, { status, count: some }) => (status === 'confirmed' ? all + some : all),
    0,
  );
  return { imports: [bank, processor], run, payouts, confirmed };
}

async function bringIn(cli: Cli, client: Client, file: DemoFile, account: string): Promise<ImportPlan> {
  const upload = await uploadText(client, site, file.name, file.text);
  const plan = await client.bank.plan({ site, upload, account: { name: account } });
  // Held already: the demo was run before.
  if (plan.rows.new === 0 && plan.rows.duplicate > 0) return plan;
  const { job } = await client.bank.import({ site, plan: plan.plan });
  const { error } = await followJob(cli, client, { site, job });
  if (error) throw failureOf(error);
  if (cli.stop.signal.aborted) throw new Failure('cancelled', 'Stopped.');
  return plan;
}

export function bankWords({ imports, run, payouts }: Awaited<ReturnType<typeof matchDemo>>): string[] {
  return [
    ...imports.map(({ file, account, rows }) =>
      rows.new > 0
        ? `${file.name}: ${counted(rows.new, 'line')} of “${account.name}”`
        : `${file.name}: held already`,
    ),
    ...passesOf(run),
    ...payouts
      .filter(({ deposit }) => deposit?.status === 'confirmed')
      .slice(0, 3)
      .map(
        ({ payout_id, net_in_cents, unexplained_in_cents }) =>
          `Payout ${payout_id}: net ${money(net_in_cents)}, found at the bank; ${money(unexplained_in_cents)} unexplained`,
      ),
  ];
}

function passesOf({ passes, suggested, ambiguous }: MatchRun): string[] {
  const found = passes.filter(({ confirmed }) => confirmed > 0);
  return [
    ...found.map(({ title, confirmed }) => `${title}: ${counted(confirmed, 'match', 'matches')} confirmed`),
    suggested + ambiguous === 0
      ? 'Nothing suggested or ambiguous: no match waits for a person.'
      : `${count(suggested)} suggested, ${count(ambiguous)} ambiguous: they wait for a person.`,
  ];
}
