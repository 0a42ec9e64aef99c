import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OfferedFile } from '../../contract/index.ts';

/** File names of the demo's bank and processor: `bank-2026-10.csv`, `payouts-2026-10.csv`. */
const accounts = [
  { begins: 'bank-', account: { name: 'Bank', kind: 'bank' } },
  { begins: 'payouts-', account: { name: 'Card processor', kind: 'processor' } },
] as const;

/** Returns the demo's bank and processor files, which are beside its service. Empty for other sites. */
export function suggestedBankFiles(home: string): OfferedFile[] {
  const folder = join(home, 'demo');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      accounts
        .filter(({ begins }) => name.startsWith(begins) && name.endsWith('.csv'))
        .map(({ account }) => ({ name, text: readFileSync(join(folder, name), 'utf8'), account })),
    );
}
