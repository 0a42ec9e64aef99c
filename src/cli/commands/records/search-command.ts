import {
  describeSearchResults,
  type FoundRecord,
  type FoundRecordKind,
} from '../../../domain/search-results/found-records.ts';
import { createIntegerParser } from '../../input/options.ts';
import { formatMinute, formatMoney } from '../../output/format-values.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';

/** Command that lists all records of a kind, for search results that are not complete. */
const listCommands: Record<FoundRecordKind, string> = {
  customers: 'subscriptions list',
  statements: 'statements list',
  payments: 'match payments',
  lines: 'bank lines',
  exceptions: 'exceptions list',
  webhooks: 'webhooks list',
};

export const defineSearchCommand: DefineCommand = (command) => {
  command
    .argument('<text>', 'words, an ID or an amount')
    .option('--limit <n>', 'maximum number of records of each kind', createIntegerParser(1, 50), 10)
    .listOnSite(search);
};

async function search(context: SiteContext, text: string, { limit }: { limit: number }): Promise<void> {
  const { client, site, details, output } = context;
  await updateSearchIndex(context, 'webhooks');
  await updateSearchIndex(context, 'statements');
  const groups = describeSearchResults(await client.search.find({ site, text, limit }), {
    money: (cents, currency) => `${formatMoney(cents)} ${currency ?? details.currency}`,
    date: (date) => date,
    moment: formatMinute,
  });
  await output.list({
    columns,
    fields: ['kind', 'id', 'title', 'detail', 'page'],
    pages: [{ rows: groups.flatMap(({ records }) => [...records]), next: null }],
    empty: 'No records found. A search finds complete words, IDs and amounts such as 19.90.',
  });
  for (const { kind, more, complete } of groups) {
    if (!more && complete) continue;
    const scope = more ? `More ${names[kind]} match` : `Only the newest 5,000 ${names[kind]} were searched`;
    output.notice(
      `${scope}. Search all of them with: tieout ${listCommands[kind]} --search ${JSON.stringify(text)}`,
    );
  }
}

const names: Record<FoundRecordKind, string> = {
  customers: 'subscriptions',
  statements: 'statements',
  payments: 'payments',
  lines: 'bank lines',
  exceptions: 'exceptions',
  webhooks: 'webhooks',
};

const columns: readonly TableColumn<FoundRecord>[] = [
  { header: 'kind', cell: ({ kind }) => names[kind].replace(/s$/, '') },
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'title', cell: ({ title }) => title, minWidth: 16 },
  { header: 'detail', cell: ({ detail }) => detail, minWidth: 24 },
];
