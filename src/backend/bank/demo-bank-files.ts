import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SampleBankFile, SampleFile } from '../../contract/index.ts';

/** File name prefixes of the demo's bank and processor files, with their accounts. Example: `bank-2026-10.csv`. */
const demoAccounts = [
  { prefix: 'bank-', account: { name: 'Bank', kind: 'bank' } },
  { prefix: 'payouts-', account: { name: 'Card processor', kind: 'processor' } },
] as const;
const LEDGER_PREFIX = 'ledger-';

/** Returns the demo's CSV files whose names start with a prefix, by name. Empty if the home has no demo. */
function listDemoFiles(home: string, prefix: string): SampleFile[] {
  const folder = join(home, 'demo');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.csv'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/** Returns the demo's bank and processor files. Empty if the home has no demo. */
export const listDemoBankFiles = (home: string): SampleBankFile[] =>
  demoAccounts.flatMap(({ prefix, account }) =>
    listDemoFiles(home, prefix).map((file) => ({ ...file, account })),
  );

/** Returns the demo's ledger files. Empty if the home has no demo. */
export const listDemoLedgerFiles = (home: string): SampleFile[] => listDemoFiles(home, LEDGER_PREFIX);
