import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OfferedFile } from '../../contract/index.ts';

/** What the host of the demo calls its files: `bank-2026-10.csv`, `payouts-2026-10.csv`. */
const accounts = [
  { begins: 'bank-', account: { name: 'Bank', kind: 'bank' } },
  { begins: 'payouts-', account: { name: 'Card processor', kind: 'processor' } },
] as const;

/** The files of the made-up bank and card processor, as they lie beside the demo's service; none where there are none. */
export function offeredFiles(home: string): OfferedFile[] {
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
