import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import type { BackendClient, ImportPlan } from '../../src/contract/index.ts';
import type { MatchLine } from '../../src/domain/matching/index.ts';
import { addSite, insertPayments, SITE } from '../backend/bank/bank-bench.ts';
import { createLabeledData } from './labeled-bank-data.ts';
import { waitForJob } from './wait-for-job.ts';

/** Fills a home with payments and writes the bank file of their lines. Returns the number of lines. */
export function createLabeledHome(folder: string, payments: number): number {
  addSite(folder);
  const data = createLabeledData({ payments });
  const cache = openStore(join(folder, 'sites', SITE, 'cache.db'), 'cache');
  insertPayments(
    cache,
    data.payments.map((payment) => ({
      id: payment.id,
      amount: Math.abs(payment.amount_in_cents),
      on: payment.paid_on,
      kind: payment.kind,
      statement: payment.statement_id,
      subscription: payment.subscription_id ?? 1,
      gateway: payment.gateway_transaction_id,
      customer: payment.names[0] ?? '',
    })),
  );
  closeStore(cache);
  writeBankFile(folder, data.lines);
  return data.lines.length;
}

/** Path of a home's bank file. */
export const getBankFilePath = (folder: string): string => join(folder, 'bank.csv');

type WrittenLine = Pick<
  MatchLine,
  'booked_on' | 'amount_in_cents' | 'currency' | 'description' | 'counterparty' | 'reference'
>;

/** Writes lines to a home's bank file. */
export function writeBankFile(folder: string, lines: readonly WrittenLine[]): void {
  const out = openSync(getBankFilePath(folder), 'w');
  writeSync(out, 'date,amount,currency,description,reference\n');
  for (let at = 0; at < lines.length; at += 1000) {
    const rows = lines.slice(at, at + 1000).map((line) => {
      const texts = [line.description, line.counterparty ?? ''].filter((text) => text !== '').join(' ');
      const amount = (line.amount_in_cents / 100).toFixed(2);
      return `${line.booked_on},${amount},${line.currency},"${texts}","${line.reference ?? ''}"\n`;
    });
    writeSync(out, rows.join(''));
  }
  closeSync(out);
}

/** Creates the import plan of a home's bank file. */
export async function previewBankImport(client: BackendClient, folder: string): Promise<ImportPlan> {
  const upload = await uploadFile(getBankFilePath(folder), (piece) =>
    client.bank.upload({ site: SITE, ...piece }),
  );
  return client.bank.plan({ site: SITE, upload, account: { name: 'Main' }, profile: 'standard' });
}

/** Imports a home's bank file. @throws the job's error. */
export async function importBankLines(client: BackendClient, folder: string): Promise<void> {
  const { plan } = await previewBankImport(client, folder);
  await waitForJob(client, (await client.bank.import({ site: SITE, plan })).job);
}

/** Uploads a file in chunks without keeping it in memory. */
async function uploadFile(
  path: string,
  give: (piece: { name: string; data: string; upload?: string }) => Promise<{ upload: string }>,
): Promise<string> {
  const input = openSync(path, 'r');
  const bytes = Buffer.alloc(900_000);
  let upload: string | undefined;
  for (let read = readSync(input, bytes); read > 0; read = readSync(input, bytes)) {
    const piece = { name: basename(path), data: bytes.toString('base64', 0, read) };
    ({ upload } = await give(upload === undefined ? piece : { ...piece, upload }));
  }
  closeSync(input);
  if (upload === undefined) throw new Error('There is nothing to import.');
  return upload;
}
