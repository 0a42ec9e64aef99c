import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SampleBankFile } from '../../contract/index.ts';

/** File name prefixes of the demo's bank and processor files, with their accounts. Example: `bank-2026-10.csv`. */
const demoAccounts = [
  { prefix: 'bank-', account: { name: 'Bank', kind: 'bank' } },
  { prefix: 'payouts-', account: { name: 'Card processor', kind: 'processor' } },
] as const;

/** Returns the demo's bank and processor files. Empty if the home has no demo. */
export function listDemoBankFiles(home: string): SampleBankFile[] {
  const folder = join(home, 'demo');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      demoAccounts
        .filter(({ prefix }) => name.startsWith(prefix) && name.endsWith('.csv'))
        .map(({ account }) => ({ name, text: readFileSync(join(folder, name), 'utf8'), account })),
    );
}
