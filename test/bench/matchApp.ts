import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeStore, openStore } from '../../src/backend/store/open.ts';
import type { Job } from '../../src/contract/index.ts';
import { openInProcess } from '../../src/host/inProcess.ts';
import { addSite, putPayments, SITE } from '../backend/bank/bench.ts';
import { type Labelled, labelled } from './bankTruth.ts';
import { report } from './measure.ts';

/**
 * Import and matching through the app: the writer and the reader in one process, as the command line has them, over stores on disk.
 * Prints the memory at its highest, and what writing the matches costs beside finding them. `node test/bench/matchApp.ts [payments]`.
 */
const [, , first = '100000', home = ''] = process.argv;
const PAYMENTS = Number(first);
/** Each in a process of its own, on the same books. */
const STEPS = ['import', 'dry', 'run', 'again'] as const;
type Step = (typeof STEPS)[number];

/** What a step says of itself: memory in MB before and at its highest, CPU time in ms. */
interface Said {
  readonly idle: number;
  readonly peak: number;
  readonly cpu: number;
}

function measure(): void {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-match-'));
  try {
    const lines = fill(folder);
    const what = `${PAYMENTS} payments and ${lines} lines`;
    const cpu = new Map<Step, number>();
    for (const name of STEPS) {
      const said = inProcess(name, folder);
      report(`app, ${name}, ${what}: memory of writer and reader`, 'MB', said.peak, said.idle, 1, 0);
      cpu.set(name, said.cpu);
    }
    const [dry = 0, run = 0, again = 0] = (['dry', 'run', 'again'] as const).map((name) => cpu.get(name));
    report(`app, ${what}: writing the matches, beside finding them`, 'ms', run - dry, dry, 1, 0);
    report(
      `app, ${what}: matching again, where nothing changed, beside the first time`,
      'ms',
      again,
      run,
      1,
      0,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inProcess(name: Step, folder: string): Said {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) process.exit(child.status ?? 1);
  return JSON.parse(child.stdout) as Said;
}

/** A home with payments in its cache, and the bank’s file beside it; gives how many lines that has. */
function fill(folder: string): number {
  addSite(folder);
  const data = labelled({ payments: PAYMENTS });
  const cache = openStore(join(folder, 'sites', SITE, 'cache.db'), 'cache');
  putPayments(
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
  writeLines(fileOf(folder), data);
  return data.lines.length;
}

const fileOf = (folder: string): string => join(folder, 'bank.csv');

function writeLines(path: string, { lines }: Labelled): void {
  const out = openSync(path, 'w');
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

async function step(name: Step, folder: string): Promise<void> {
  const host = openInProcess({ home: folder, version: '0.0.0', fallbackKey: 'key', logLevel: 'error' });
  const { client } = host;
  await client.match.summary({ site: SITE });
  await client.jobs.list({ site: SITE });
  const idle = process.memoryUsage.rss() / 2 ** 20;
  const before = process.cpuUsage();
  const ended = async (job: string): Promise<void> => {
    let last: Job | undefined;
    for await (const now of await client.jobs.watch({ site: SITE, job })) last = now;
    if (last?.state !== 'done') throw new Error(JSON.stringify(last));
  };
  if (name === 'import') {
    const upload = await handOver(fileOf(folder), (piece) => client.bank.upload({ site: SITE, ...piece }));
    const account = { name: 'Main' };
    const { plan } = await client.bank.plan({ site: SITE, upload, account, profile: 'standard' });
    await ended((await client.bank.import({ site: SITE, plan })).job);
  } else {
    await ended((await client.match.run({ site: SITE, dry_run: name === 'dry' })).job);
  }
  const { user, system } = process.cpuUsage(before);
  await client.match.list({ site: SITE, limit: 200 });
  const said: Said = { idle, peak: process.resourceUsage().maxRSS / 1024, cpu: (user + system) / 1000 };
  await host.close();
  process.stdout.write(JSON.stringify(said));
}

/** Hands a file over in pieces, none of them kept. */
async function handOver(
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
  return upload ?? '';
}

if ((STEPS as readonly string[]).includes(first)) await step(first as Step, home);
else measure();
