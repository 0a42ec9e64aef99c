import type { LedgerAccount } from '../../contract/general-ledger/ledger.ts';
import type { DemoFile } from '../../host/index.ts';
import { uploadTextAsFile } from '../input/input-files.ts';
import { formatCount } from '../output/format-values.ts';
import type { SiteContext } from '../runtime/cli-command.ts';

/** Areas of the accounts in the demo's ledger. The other accounts are not compared. */
const areas: Readonly<Record<string, NonNullable<LedgerAccount['area']>>> = {
  '1000': 'cash',
  '1200': 'receivables',
  '1250': 'clearing',
  '4000': 'revenue',
  '6855': 'fees',
};

/** Imports the demo's ledger file, unless an earlier run has imported it, and maps its accounts. */
export async function importDemoLedger(context: SiteContext, file: DemoFile) {
  const { client, site } = context;
  const imported = (await client.ledger.imports({ site })).find(({ state }) => state === 'done');
  if (imported !== undefined) return { file: imported.file, rows: imported.rows, isNew: false };
  const upload = await uploadTextAsFile(context, file.name, file.text);
  const { rows } = await client.ledger.import({ site, upload });
  await client.ledger.mapAccounts({
    site,
    accounts: Object.entries(areas).map(([account, area]) => ({ account, area })),
  });
  return { file: file.name, rows, isNew: true };
}

/** Formats the import of the demo's ledger. */
export const formatDemoLedger = ({
  file,
  rows,
  isNew,
}: Awaited<ReturnType<typeof importDemoLedger>>): string[] => [
  isNew
    ? `${file}: ${formatCount(rows, 'row')} imported, ${formatCount(Object.keys(areas).length, 'account')} mapped`
    : `${file}: already imported`,
];
