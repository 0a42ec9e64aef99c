import type { SyncPartStatus, SyncRun } from '../../contract/app/sync.ts';
import type { ContractOutputs } from '../../contract/contract.ts';
import type { StatementRow } from '../../contract/statements/statements.ts';
import type { ReplayJob } from '../../contract/webhooks/replay.ts';
import type { WebhookDetail, WebhookRow } from '../../contract/webhooks/webhooks.ts';
import { DEMO_MONTH } from '../../host/index.ts';
import { CliError, toCliError } from '../errors/cli-error.ts';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../output/format-values.ts';
import { createMoneyColumn, formatTableLines, getTerminalWidth, type TableColumn } from '../output/table.ts';
import { sanitizeText } from '../output/terminal-text.ts';
import type { CommandContext, SiteContext } from '../runtime/cli-command.ts';
import { followJob, waitForJob } from '../runtime/follow-job.ts';
import { formatDemoBank, matchDemoPayments } from './demo-bank.ts';
import { formatDemoLedger, importDemoLedger } from './demo-ledger.ts';
import { closeDemoPeriod, formatDemoPeriod } from './demo-period.ts';

const site = 'demo';

/** Runs the main steps of the app on the demo site and prints their results. */
export async function runDemoTour(cli: CommandContext) {
  const { client, demo } = await cli.session.host();
  const print = async (...lines: string[]) => {
    if (cli.output.format === 'table') await cli.output.write(`${lines.map(sanitizeText).join('\n')}\n`);
  };

  await print('1. Demo site: a billing service on this computer with sample data');
  await demo?.open();
  const details = await client.sites.get({ site });
  const context: SiteContext = { ...cli, client, site, details };
  const { base_url } = details;
  await print(`   ${base_url}`, '', '2. Sync');
  const sync = await syncDemo(context);
  await print(`   ${formatSync(sync)}`, '', '3. Undelivered webhooks');
  const failed = await client.webhooks.list({
    site,
    filter: { status: 'failed' },
    sort: { by: 'created_at', direction: 'asc' },
    limit: 5,
  });
  await print(
    ...indent(formatTableLines(webhookColumns, failed.rows, width())),
    `   ${formatFailedCount(failed)}`,
  );

  const first = failed.rows[0];
  const replayed = first ? await replayOne(context, first.id, print) : null;

  await print('', '5. Statements');
  const statements = await client.statements.list({ site, filter: { state: ['paid'] }, limit: 5 });
  await print(...indent(formatTableLines(statementColumns, statements.rows, width())));
  const statement = statements.rows[0];
  const pdf = statement ? await downloadPdf(context, statement) : null;
  if (pdf)
    await print(`   PDF of statement ${pdf.statement}: ${formatBytes(pdf.bytes)}, SHA-256 ${pdf.sha256}`);

  await print('', '6. October bank and card processor files');
  const files = await demo?.bankFiles(DEMO_MONTH);
  const bank = files ? await matchDemoPayments(context, files) : null;
  if (bank) await print(...indent(formatDemoBank(bank)));

  await print('', '7. October general ledger');
  const ledger = files ? await importDemoLedger(context, files.ledger) : null;
  if (ledger) await print(...indent(formatDemoLedger(ledger)));

  await print('', '8. October sign-off and closing');
  const period = await closeDemoPeriod(context, DEMO_MONTH);
  await print(...indent(formatDemoPeriod(period)));

  const parts = (await client.sync.status({ site })).parts;
  const matched = bank !== null && bank.confirmed > 0;
  const ok = sync.complete && replayed?.accepted !== false && pdf !== null && matched && period.explained;
  return {
    site,
    base_url,
    ok,
    sync,
    parts,
    not_delivered: failed.total,
    replayed,
    pdf,
    bank,
    ledger,
    period,
  };
}

async function syncDemo(context: SiteContext): Promise<SyncRun> {
  const { client, site } = context;
  const { running } = await client.sync.status({ site });
  const job = running ?? (await client.sync.start({ site })).job;
  await waitForJob(context, job);
  return client.sync.run({ site, job });
}

async function replayOne(context: SiteContext, id: number, print: (...lines: string[]) => Promise<void>) {
  const { client, site, interrupt } = context;
  const before = await client.webhooks.get({ site, id });
  await print('', `4. Replay of webhook ${id}`, ...formatWebhook(before));
  const { plan } = await client.replay.plan({ site, selection: { ids: [id] } });
  const { job } = await client.replay.run({ site, plan });
  const { error } = await followJob(context, job, { onStop: () => client.replay.pause({ site, job }) });
  if (interrupt.signal.aborted) throw new CliError('canceled', 'Stopped.');
  if (error) throw toCliError(error);
  const [replay, after] = await Promise.all([
    client.replay.get({ site, job }),
    client.webhooks.get({ site, id }),
  ]);
  const accepted = after.delivery === 'accepted';
  await print(`   Result: ${formatReplayResult(replay, after)}`);
  return { webhook: id, job, accepted, accepted_at: after.accepted_at };
}

async function downloadPdf({ client, site }: SiteContext, { id }: StatementRow) {
  const archived = await client.statements.pdf({ site, id });
  const pdf = archived.stored ? archived : await client.statements.fetchPdf({ site, id });
  return pdf.stored ? { statement: id, bytes: pdf.file.bytes, sha256: pdf.sha256 } : null;
}

const partNouns: Readonly<Record<SyncPartStatus['part'], readonly [one: string, many?: string]>> = {
  webhooks: ['webhook'],
  statements: ['statement'],
  allocations: ['allocation history', 'allocation histories'],
  pdf: ['PDF'],
};

/** Formats the summary printed at the end of the demo. */
export function formatDemoSummary(result: Awaited<ReturnType<typeof runDemoTour>>): string[] {
  const { ok, parts, replayed, pdf, bank, period } = result;
  const stored = parts
    .filter(({ stored }) => stored > 0)
    .map(({ part, stored }) => formatCount(stored, ...partNouns[part]));
  return [
    '',
    'Summary',
    `   Stored locally and available offline: ${stored.join(', ')}.`,
    replayed === null
      ? '   There were no webhooks to replay.'
      : `   Webhook ${replayed.webhook} ${replayed.accepted ? `was accepted at ${replayed.accepted_at}.` : 'was not accepted.'}`,
    pdf === null
      ? '   No PDF was downloaded.'
      : `   The PDF of statement ${pdf.statement} is in the archive.`,
    bank === null
      ? '   No bank lines were matched.'
      : `   ${formatCount(bank.confirmed, 'match', 'matches')} confirmed. List them with: tieout match list --site demo`,
    `   ${period.period} is closed${period.explained ? ' with no unexplained difference' : ''}. Details: tieout period show --site demo --period ${period.period}`,
    ok ? '   All steps succeeded. Open the app with: tieout demo' : '   Some steps failed. See above.',
  ];
}

const indent = (lines: readonly string[]) => lines.map((line) => `   ${line}`);
const width = () => getTerminalWidth() - 3;

function formatSync({ requests, rows, seconds, complete }: SyncRun): string {
  const fetched = Object.entries(rows).map(([table, number]) => formatCount(number, table));
  const summary = fetched.length === 0 ? 'No new or changed records' : fetched.join(', ');
  return `${summary}; ${formatCount(requests.total, 'request')}, ${formatDuration(seconds * 1000)}${complete ? '' : '; not complete'}.`;
}

function formatFailedCount(page: ContractOutputs['webhooks']['list']): string {
  const { length } = page.rows;
  return length === 0 ? 'None.' : `${formatNumber(length)} of ${formatNumber(page.total?.count ?? length)}`;
}

function formatWebhook({ event, last_error, last_sent_url, fields }: WebhookDetail): string[] {
  return [
    `   ${event}, ${last_sent_url === null ? 'never sent' : `last sent to ${last_sent_url}`}: ${last_error ?? 'no error recorded'}`,
    `   Its body has ${formatCount(fields.length, 'field')}.`,
  ];
}

function formatReplayResult({ state, counts }: ReplayJob, { delivery, accepted_at }: WebhookDetail): string {
  if (delivery === 'accepted') return `accepted at ${accepted_at}.`;
  return `${state}; ${Object.entries(counts)
    .map(([outcome, number]) => `${number} ${outcome}`)
    .join(', ')}.`;
}

const webhookColumns: TableColumn<WebhookRow>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'event', cell: ({ event }) => event, minWidth: 12 },
  { header: 'created', cell: ({ created_at }) => created_at },
  { header: 'error', cell: ({ last_error }) => last_error, minWidth: 12 },
];

const statementColumns: TableColumn<StatementRow>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'customer', cell: ({ customer_name }) => customer_name, minWidth: 12 },
  { header: 'closed', cell: ({ closed_at }) => closed_at },
  createMoneyColumn('opening', (row) => row.starting_balance_in_cents),
  createMoneyColumn('charges', (row) => row.charges_in_cents),
  createMoneyColumn('payments', (row) => row.payments_in_cents),
  createMoneyColumn('closing', (row) => row.ending_balance_in_cents),
];
