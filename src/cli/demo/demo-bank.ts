import type { ImportPlan } from '../../contract/bank/bank-imports.ts';
import type { MatchRun } from '../../contract/matching/match-runs.ts';
import type { DemoFile } from '../../host/index.ts';
import { uploadTextAsFile } from '../input/input-files.ts';
import { formatCount, formatMoney, formatNumber } from '../output/format-values.ts';
import type { SiteContext } from '../runtime/cli-command.ts';
import { waitForJob } from '../runtime/follow-job.ts';

/** Imports the demo's bank and card processor files for a month and matches them to the payments. */
export async function matchDemoPayments(
  context: SiteContext,
  files: { readonly bank: DemoFile; readonly processor: DemoFile },
) {
  const { client, site } = context;
  const bank = await importDemoFile(context, files.bank, 'Bank');
  const processor = await importDemoFile(context, files.processor, 'Card processor');
  const { job } = await client.match.run({ site });
  await waitForJob(context, job);
  const run = await client.match.getRun({ site, job });
  const { rows: payouts } = await client.match.payouts({ site, limit: 1000 });
  const { groups } = await client.match.summary({ site });
  const confirmed = groups
    .filter(({ status }) => status === 'confirmed')
    .reduce((sum, { count }) => sum + count, 0);
  return { imports: [bank, processor], run, payouts, confirmed };
}

async function importDemoFile(context: SiteContext, file: DemoFile, account: string): Promise<ImportPlan> {
  const { client, site } = context;
  const upload = await uploadTextAsFile(context, file.name, file.text);
  const plan = await client.bank.plan({ site, upload, account: { name: account } });
  // An earlier run of the demo has already imported the file.
  if (plan.rows.new === 0 && plan.rows.duplicate > 0) return plan;
  const { job } = await client.bank.import({ site, plan: plan.plan });
  await waitForJob(context, job);
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
      : `Matches to decide: ${formatNumber(suggested)} suggested, ${formatNumber(ambiguous)} ambiguous.`,
  ];
}
