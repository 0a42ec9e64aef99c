import type { ImportPlan } from '../../contract/bank/bank-imports.ts';
import type { Client } from '../../contract/contract.ts';
import type { MatchRun } from '../../contract/matching/match-runs.ts';
import type { DemoFile } from '../../host/index.ts';
import { uploadText } from '../input/upload.ts';
import { formatCount, formatMoney, formatNumber } from '../output/format-values.ts';
import type { CommandContext } from '../runtime/action-runner.ts';
import { completeJob } from '../runtime/follow-job.ts';

const site = 'demo';

/** Imports the demo's bank and card processor files for a month and matches them to the payments. */
export async function matchDemoPayments(
  cli: CommandContext,
  client: Client,
  files: { readonly bank: DemoFile; readonly processor: DemoFile },
) {
  const bank = await importDemoFile(cli, client, files.bank, 'Bank');
  const processor = await importDemoFile(cli, client, files.processor, 'Card processor');
  const { job } = await client.match.run({ site });
  await completeJob(cli, client, { site, job });
  const run = await client.match.getRun({ site, job });
  const { rows: payouts } = await client.match.payouts({ site, limit: 1000 });
  const { groups } = await client.match.summary({ site });
  const confirmed = groups.reduce(
    (sum, { status, count }) => (status === 'confirmed' ? sum + count : sum),
    0,
  );
  return { imports: [bank, processor], run, payouts, confirmed };
}

async function importDemoFile(
  cli: CommandContext,
  client: Client,
  file: DemoFile,
  account: string,
): Promise<ImportPlan> {
  const upload = await uploadText(client, site, file.name, file.text);
  const plan = await client.bank.plan({ site, upload, account: { name: account } });
  // An earlier run of the demo has already imported the file.
  if (plan.rows.new === 0 && plan.rows.duplicate > 0) return plan;
  const { job } = await client.bank.import({ site, plan: plan.plan });
  await completeJob(cli, client, { site, job });
  return plan;
}

/** Formats the demo's imports, its matches per pass and its reconciled payouts. */
export function formatDemoBank({
  imports,
  run,
  payouts,
}: Awaited<ReturnType<typeof matchDemoPayments>>): string[] {
  return [
    ...imports.map(({ file, account, rows }) =>
      rows.new > 0
        ? `${file.name}: ${formatCount(rows.new, 'line')} imported into “${account.name}”`
        : `${file.name}: already imported`,
    ),
    ...formatPasses(run),
    ...payouts
      .filter(({ deposit }) => deposit?.status === 'confirmed')
      .slice(0, 3)
      .map(
        ({ payout_id, net_in_cents, unexplained_in_cents }) =>
          `Payout ${payout_id}: net ${formatMoney(net_in_cents)}, matched to its bank deposit, ${formatMoney(unexplained_in_cents)} unexplained`,
      ),
  ];
}

function formatPasses({ passes, suggested, ambiguous }: MatchRun): string[] {
  const productive = passes.filter(({ confirmed }) => confirmed > 0);
  return [
    ...productive.map(
      ({ title, confirmed }) => `${title}: ${formatCount(confirmed, 'match', 'matches')} confirmed`,
    ),
    suggested + ambiguous === 0
      ? 'There are no matches to decide.'
      : `${formatNumber(suggested)} suggested, ${formatNumber(ambiguous)} ambiguous matches to decide.`,
  ];
}
