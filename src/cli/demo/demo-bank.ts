import type { ImportPlan } from '../../contract/bank/bank-imports.ts';
import type { Client } from '../../contract/contract.ts';
import type { MatchRun } from '../../contract/matching/match-runs.ts';
import type { DemoFile } from '../../host/index.ts';
import { CliError, toCliError } from '../errors/cli-error.ts';
import { uploadText } from '../input/upload.ts';
import { formatCount, formatMoney, formatNumber } from '../output/format-values.ts';
import type { CommandContext } from '../runtime/action-runner.ts';
import { followJob } from '../runtime/follow-job.ts';

const site = 'demo';

/** What the demo’s bank and card processor say of a month is brought in, and matched to the payments. */
export async function matchDemoPayments(
  cli: CommandContext,
  client: Client,
  files: { readonly bank: DemoFile; readonly processor: DemoFile },
) {
  const bank = await bringIn(cli, client, files.bank, 'Bank');
  const processor = await bringIn(cli, client, files.processor, 'Card processor');
  const { job } = await client.match.run({ site });
  const { error } = await followJob(cli, client, { site, job });
  if (error) throw toCliError(error);
  if (cli.interrupt.signal.aborted) throw new CliError('canceled', 'Stopped.');
  const run = await client.match.getRun({ site, job });
  const { rows: payouts } = await client.match.payouts({ site, limit: 1000 });
  const { groups } = await client.match.summary({ site });
  const confirmed = groups.reduce(
    (all, { status, count: some }) => (status === 'confirmed' ? all + some : all),
    0,
  );
  return { imports: [bank, processor], run, payouts, confirmed };
}

async function bringIn(
  cli: CommandContext,
  client: Client,
  file: DemoFile,
  account: string,
): Promise<ImportPlan> {
  const upload = await uploadText(client, site, file.name, file.text);
  const plan = await client.bank.plan({ site, upload, account: { name: account } });
  // Held already: the demo was run before.
  if (plan.rows.new === 0 && plan.rows.duplicate > 0) return plan;
  const { job } = await client.bank.import({ site, plan: plan.plan });
  const { error } = await followJob(cli, client, { site, job });
  if (error) throw toCliError(error);
  if (cli.interrupt.signal.aborted) throw new CliError('canceled', 'Stopped.');
  return plan;
}

export function formatDemoBank({
  imports,
  run,
  payouts,
}: Awaited<ReturnType<typeof matchDemoPayments>>): string[] {
  return [
    ...imports.map(({ file, account, rows }) =>
      rows.new > 0
        ? `${file.name}: ${formatCount(rows.new, 'line')} of “${account.name}”`
        : `${file.name}: held already`,
    ),
    ...passesOf(run),
    ...payouts
      .filter(({ deposit }) => deposit?.status === 'confirmed')
      .slice(0, 3)
      .map(
        ({ payout_id, net_in_cents, unexplained_in_cents }) =>
          `Payout ${payout_id}: net ${formatMoney(net_in_cents)}, found at the bank; ${formatMoney(unexplained_in_cents)} unexplained`,
      ),
  ];
}

function passesOf({ passes, suggested, ambiguous }: MatchRun): string[] {
  const found = passes.filter(({ confirmed }) => confirmed > 0);
  return [
    ...found.map(
      ({ title, confirmed }) => `${title}: ${formatCount(confirmed, 'match', 'matches')} confirmed`,
    ),
    suggested + ambiguous === 0
      ? 'Nothing suggested or ambiguous: no match waits for a person.'
      : `${formatNumber(suggested)} suggested, ${formatNumber(ambiguous)} ambiguous: they wait for a person.`,
  ];
}
