import type { SyncRun } from '../../contract/app/sync.ts';
import type { Client } from '../../contract/contract.ts';
import type { StatementRow } from '../../contract/statements/statements.ts';
import type { ReplayJob } from '../../contract/webhooks/replay.ts';
import type { WebhookDetail, WebhookRow } from '../../contract/webhooks/webhooks.ts';
import { DEMO_MONTH } from '../../host/index.ts';
import { CliError, toCliError } from '../errors/cli-error.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMoney,
  formatNumber,
} from '../output/format-values.ts';
import { type Column, formatTableLines } from '../output/table.ts';
import type { CommandContext } from '../runtime/action-runner.ts';
import { followJob } from '../runtime/follow-job.ts';
import { formatDemoBank, matchDemoPayments } from './demo-bank.ts';
import { closeDemoPeriod, formatDemoPeriod } from './demo-period.ts';

const site = 'demo';

/** The main job on the demo site, in the terminal. */
export async function runDemoTour(cli: CommandContext) {
  const { client, demo } = await cli.session.host();
  const tell = async (...lines: string[]) => {
    if (cli.output.format === 'table') await cli.output.write(`${lines.join('\n')}\n`);
  };

  await tell('1. The demo site: a billing service on this machine, with made-up data');
  await demo?.open();
  const { base_url } = await client.sites.get({ site });
  await tell(`   ${base_url}`, '', '2. Sync');
  const sync = await syncDemo(cli, client);
  await tell(`   ${syncWords(sync)}`, '', '3. Webhooks that were not delivered');
  const failed = await client.webhooks.list({
    site,
    filter: { status: 'failed' },
    sort: { by: 'created_at', direction: 'asc' },
    limit: 5,
  });
  await tell(
    ...indented(formatTableLines(webhookColumns, failed.rows, width())),
    `   ${failedWords(failed)}`,
  );

  const first = failed.rows[0];
  const replayed = first ? await replayOne(cli, client, first.id, tell) : null;

  await tell('', '5. Statements');
  const statements = await client.statements.list({ site, filter: { state: ['paid'] }, limit: 5 });
  await tell(...indented(formatTableLines(statementColumns, statements.rows, width())));
  const statement = statements.rows[0];
  const pdf = statement ? await fetchPdf(client, statement) : null;
  if (pdf)
    await tell(`   The PDF of statement ${pdf.statement}: ${formatBytes(pdf.bytes)}, SHA-256 ${pdf.sha256}`);

  await tell('', '6. The bank and the card processor of October');
  const files = await demo?.bankFiles(DEMO_MONTH);
  const bank = files ? await matchDemoPayments(cli, client, files) : null;
  if (bank) await tell(...indented(formatDemoBank(bank)));

  await tell('', '7. October, signed and closed');
  const period = await closeDemoPeriod(cli, client, DEMO_MONTH);
  await tell(...indented(formatDemoPeriod(period)));

  const parts = (await client.sync.status({ site })).parts;
  const matched = bank !== null && bank.confirmed > 0;
  const ok = sync.complete && replayed?.accepted !== false && pdf !== null && matched && period.explained;
  return { site, base_url, ok, sync, parts, not_delivered: failed.total, replayed, pdf, bank, period };
}

async function syncDemo(cli: CommandContext, client: Client): Promise<SyncRun> {
  const { running } = await client.sync.status({ site });
  const job = running ?? (await client.sync.start({ site })).job;
  const { error } = await followJob(cli, client, { site, job });
  if (error) throw toCliError(error);
  if (cli.interrupt.signal.aborted) throw new CliError('canceled', 'Stopped.');
  return client.sync.run({ site, job });
}

async function replayOne(
  cli: CommandContext,
  client: Client,
  id: number,
  tell: (...lines: string[]) => Promise<void>,
) {
  const before = await client.webhooks.get({ site, id });
  await tell('', `4. Replay of webhook ${id}`, ...webhookWords(before));
  const { plan } = await client.replay.plan({ site, selection: { ids: [id] } });
  const { job } = await client.replay.run({ site, plan });
  const { error } = await followJob(
    cli,
    client,
    { site, job },
    {
      onStop: () => client.replay.pause({ site, job }),
    },
  );
  if (error) throw toCliError(error);
  if (cli.interrupt.signal.aborted) throw new CliError('canceled', 'Stopped.');
  const [replay, after] = await Promise.all([
    client.replay.get({ site, job }),
    client.webhooks.get({ site, id }),
  ]);
  const accepted = after.delivery === 'accepted';
  await tell(`   Sent again: ${replayWords(replay, after)}`);
  return { webhook: id, job, accepted, accepted_at: after.accepted_at };
}

async function fetchPdf(client: Client, { id }: StatementRow) {
  const kept = await client.statements.pdf({ site, id });
  const pdf = kept.stored ? kept : await client.statements.fetchPdf({ site, id });
  return pdf.stored ? { statement: id, bytes: pdf.file.bytes, sha256: pdf.sha256 } : null;
}

const partWords = { webhooks: 'webhook', statements: 'statement', allocations: 'allocation', pdf: 'PDF' };

/** The end of the demo, in sentences. */
export function formatDemoSummary({
  ok,
  parts,
  replayed,
  pdf,
  bank,
  period,
}: Awaited<ReturnType<typeof runDemoTour>>): string[] {
  const stored = parts
    .filter(({ stored }) => stored > 0)
    .map(({ part, stored }) => formatCount(stored, partWords[part]));
  return [
    '',
    'Summary',
    `   Held here, and readable without a network: ${stored.join(', ')}.`,
    replayed === null
      ? '   No webhook was waiting to be replayed.'
      : `   Webhook ${replayed.webhook} ${replayed.accepted ? `was accepted at ${replayed.accepted_at}.` : 'was not accepted.'}`,
    pdf === null ? '   No PDF was fetched.' : `   The PDF of statement ${pdf.statement} is in the archive.`,
    bank === null
      ? '   Nothing was matched.'
      : `   ${formatCount(bank.confirmed, 'match', 'matches')} of bank and payments confirmed; see: tieout match list --site demo`,
    `   ${period.period} is closed${period.explained ? ' to an explained difference of zero' : ''}; see: tieout period show --site demo --period ${period.period}`,
    ok ? '   Everything worked. Look around with: tieout demo' : '   Not everything worked, as said above.',
  ];
}

const indented = (lines: readonly string[]) => lines.map((line) => `   ${line}`);
const width = () => (process.stdout.columns || Number.POSITIVE_INFINITY) - 3;

function syncWords({ requests, rows, seconds, complete }: SyncRun): string {
  const fetched = Object.entries(rows).map(([table, number]) => formatCount(number, table));
  const what = fetched.length === 0 ? 'Nothing new' : fetched.join(', ');
  return `${what}; ${formatCount(requests.total, 'request')}, ${formatDuration(seconds * 1000)}${complete ? '' : '; not complete'}.`;
}

function failedWords({ rows, total }: { rows: readonly unknown[]; total: { count: number } | null }): string {
  return rows.length === 0
    ? 'None.'
    : `${formatNumber(rows.length)} of ${formatNumber(total?.count ?? rows.length)}`;
}

function webhookWords({ event, last_error, last_sent_url, fields }: WebhookDetail): string[] {
  return [
    `   ${event}, last sent to ${last_sent_url ?? 'nowhere yet'}: ${last_error ?? 'no error recorded'}`,
    `   Its body holds ${formatCount(fields.length, 'field')}.`,
  ];
}

function replayWords({ state, counts }: ReplayJob, { delivery, accepted_at }: WebhookDetail): string {
  if (delivery === 'accepted') return `accepted at ${accepted_at}.`;
  return `${state}; ${Object.entries(counts)
    .map(([outcome, number]) => `${number} ${outcome}`)
    .join(', ')}.`;
}

const webhookColumns: Column<WebhookRow>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'event', cell: ({ event }) => event, minWidth: 12 },
  { header: 'created', cell: ({ created_at }) => created_at },
  { header: 'error', cell: ({ last_error }) => last_error, minWidth: 12 },
];

const statementColumns: Column<StatementRow>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'customer', cell: ({ customer_name }) => customer_name, minWidth: 12 },
  { header: 'closed', cell: ({ closed_at }) => closed_at },
  { header: 'opening', cell: (row) => formatMoney(row.starting_balance_in_cents), align: 'right' },
  { header: 'charges', cell: (row) => formatMoney(row.charges_in_cents), align: 'right' },
  { header: 'payments', cell: (row) => formatMoney(row.payments_in_cents), align: 'right' },
  { header: 'closing', cell: (row) => formatMoney(row.ending_balance_in_cents), align: 'right' },
];
