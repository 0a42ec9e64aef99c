import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import { openBackendWriter } from '../../../src/backend/open-backend-writer.ts';
import type { LogRecord } from '../../../src/backend/shared/backend-start-options.ts';
import { writeSite } from '../../../src/backend/sites/site-file.ts';
import { openStore } from '../../../src/backend/store/database/open-store.ts';
import {
  type ReadableDb,
  runInTransaction,
  type WritableDb,
} from '../../../src/backend/store/sqlite/connection.ts';
import {
  type BackendClient,
  type ContractInputs,
  createBackendClient,
  type ImportPlan,
  type Job,
} from '../../../src/contract/index.ts';
import { createMemoryShell } from '../memory-shell.ts';

export const SITE = 'acme';

/** Site without a service. Its payments are written to the cache, and its bank files are imported. */
export interface BankBench {
  readonly home: string;
  /** Folder next to the home, for files that the app writes outside it. */
  readonly outputs: string;
  readonly client: BackendClient;
  readonly log: readonly LogRecord[];
  /** Replaces the payments and refunds in the cache. */
  replacePayments(payments: readonly TestPayment[]): void;
  plan(
    file: string,
    input?: Partial<Omit<ContractInputs['bank']['plan'], 'account'>> & {
      name?: string;
      account?: string | null;
    },
  ): Promise<ImportPlan>;
  /** Uploads a file, creates its plan and applies it. Returns the job and the plan. */
  import(
    file: string,
    input?: Partial<Omit<ContractInputs['bank']['plan'], 'account'>> & {
      name?: string;
      account?: string | null;
    },
  ): Promise<{ job: Job | null; plan: ImportPlan; id: number }>;
  match(
    input?: Partial<ContractInputs['match']['run']>,
  ): Promise<{ job: Job; run: Awaited<ReturnType<BackendClient['match']['getRun']>> }>;
  waitForJob(job: string): Promise<Job>;
  books(): ReadableDb;
  /** Closes reader and writer and opens them again, as after a restart. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export interface TestPayment {
  id: number;
  amount: number;
  /** Date as `YYYY-MM-DD`. */
  on: string;
  kind?: 'payment' | 'refund';
  statement?: number;
  subscription?: number;
  gateway?: string | null;
  customer?: string;
  success?: boolean;
  /** ID of the refunded payment. */
  payment?: number;
}

/** Returns these lines in the standard bank CSV format: date, decimal amount, description, reference, currency. */
export function standardCsv(
  lines: readonly (readonly [
    date: string,
    amount: string,
    description?: string,
    reference?: string,
    currency?: string,
  ])[],
): string {
  const rows = lines.map(([date, amount, description = '', reference = '', currency = 'USD']) =>
    [date, amount, currency, description, reference].join(','),
  );
  return `${['date,amount,currency,description,reference', ...rows].join('\n')}\n`;
}

/** Creates the site without a service in a home. */
export function addSite(home: string): void {
  writeSite(home, {
    site: SITE,
    title: 'Acme',
    base_url: 'https://acme.example.com',
    format: 'json',
    currency: 'USD',
    service_details: null,
    demo: false,
    created_at: '2026-01-01T00:00:00.000Z',
  });
}

/** Opens a site on a computer whose keychain contains `keys`. Benches with the same keys are on the same computer. */
export async function openBankBench({
  keys = new Map<string, string>(),
  ...tuning
}: {
  now?: () => number;
  keys?: Map<string, string>;
} = {}): Promise<BankBench> {
  const outputs = mkdtempSync(join(tmpdir(), 'tieout-bank-'));
  const home = join(outputs, 'home');
  addSite(home);
  const log: LogRecord[] = [];
  const start = {
    home,
    version: '0.0.0',
    user: 'ada',
    shell: createMemoryShell(keys),
    log: (record: LogRecord) => void log.push(record),
  };
  const open = () => {
    const writer = openBackendWriter(start, tuning);
    const reader = openBackendReader(start);
    return { writer, reader, client: createBackendClient({ writer: writer.link, reader: reader.link }) };
  };
  let { writer, reader, client } = open();
  const opened: ReadableDb[] = [];
  const folder = join(home, 'sites', SITE);

  async function upload(file: string, name: string): Promise<string> {
    const bytes = Buffer.from(file);
    let id: string | undefined;
    for (let at = 0; at === 0 || at < bytes.length; at += 900_000) {
      const data = bytes.subarray(at, at + 900_000).toString('base64');
      ({ upload: id } = await client.bank.upload({
        site: SITE,
        name,
        data,
        ...(id === undefined ? {} : { upload: id }),
      }));
    }
    return id as string;
  }

  const bench: BankBench = {
    home,
    outputs,
    log,
    get client() {
      return client;
    },
    replacePayments(payments) {
      const cache = openStore(join(folder, 'cache.db'), 'cache');
      insertPayments(cache, payments);
      cache.close();
    },
    async plan(file, { name = 'bank.csv', account = 'Main', ...input } = {}) {
      const id = await upload(file, name);
      return client.bank.plan({
        site: SITE,
        upload: id,
        profile: 'standard',
        ...input,
        ...(account === null ? {} : { account: { name: account } }),
      });
    },
    async import(file, input = {}) {
      const plan = await bench.plan(file, input as Parameters<BankBench['plan']>[1]);
      if (plan.blocker !== null) return { job: null, plan, id: 0 };
      const { job } = await client.bank.import({ site: SITE, plan: plan.plan });
      const ended = await bench.waitForJob(job);
      return {
        job: ended,
        plan,
        id: ended.state === 'done' ? (await client.bank.getImport({ site: SITE, job })).id : 0,
      };
    },
    async match(input = {}) {
      const { job } = await client.match.run({ site: SITE, ...input });
      const ended = await bench.waitForJob(job);
      return { job: ended, run: await client.match.getRun({ site: SITE, job }) };
    },
    async waitForJob(job) {
      let last: Job | undefined;
      for await (const now of await client.jobs.watch({ site: SITE, job })) last = now;
      if (last === undefined) throw new Error('The job was never seen.');
      return last;
    },
    books() {
      const db = openStore(join(folder, 'books.db'), 'books', { readonly: true });
      opened.push(db);
      return db;
    },
    async reopen() {
      await writer.close();
      await reader.close();
      ({ writer, reader, client } = open());
    },
    async close() {
      for (const db of opened) db.close();
      await writer.close();
      await reader.close();
      rmSync(outputs, { recursive: true, force: true });
    },
  };
  return bench;
}

/** Creates table rows of statements with one transaction each. */
export function insertPayments(cache: WritableDb, payments: readonly TestPayment[]): void {
  runInTransaction(cache, () => {
    cache.exec('DELETE FROM txn; DELETE FROM statement');
    const classOf = new Map<string, number>();
    const classId = cache.prepare<[string], { id: number }>(
      "SELECT id FROM txn_class WHERE type = ? AND kind = ''",
    );
    const addClass = cache.prepare("INSERT INTO txn_class (type, kind) VALUES (?, '')");
    for (const kind of ['payment', 'refund']) {
      classOf.set(kind, classId.get(kind)?.id ?? Number(addClass.run(kind).lastInsertRowid));
    }
    const required = requiredColumns(cache, 'statement');
    const names = new Set(['id', 'subscription_id', 'customer_name']);
    const fillers = required.filter(({ name }) => !names.has(name));
    const addStatement = cache.prepare(
      `INSERT OR IGNORE INTO statement (id, subscription_id, customer_name${fillers.map(({ name }) => `, ${name}`).join('')})
       VALUES (?, ?, ?${fillers.map(({ value }) => `, ${value}`).join('')})`,
    );
    const addTxn = cache.prepare(
      `INSERT INTO txn (id, statement_id, ordinal, class_id, subscription_id, created_at, amount_in_cents, success,
         payment_id, transaction_type, type, created_at_text, gateway_transaction_id, extra)
       VALUES (?, ?, (SELECT count(*) FROM txn WHERE statement_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}')`,
    );
    for (const payment of payments) {
      const { id, amount, on, kind = 'payment', statement = id + 1_000_000, subscription = 1 } = payment;
      const text = `${on}T12:00:00-05:00`;
      addStatement.run(statement, subscription, payment.customer ?? `Customer ${subscription}`);
      addTxn.run(
        id,
        statement,
        statement,
        classOf.get(kind),
        subscription,
        Date.parse(text),
        amount,
        payment.success === false ? 0 : 1,
        payment.payment ?? null,
        kind,
        kind === 'refund' ? 'Refund' : 'Payment',
        text,
        payment.gateway ?? null,
      );
    }
  });
}

function requiredColumns(db: ReadableDb, table: string): { name: string; value: string }[] {
  const columns = db.pragma(`table_info(${table})`) as {
    name: string;
    type: string;
    notnull: number;
    dflt_value: unknown;
    pk: number;
  }[];
  return columns
    .filter(({ notnull, dflt_value, pk }) => notnull === 1 && dflt_value === null && pk === 0)
    .map(({ name, type }) => ({ name, value: type === 'INTEGER' ? '0' : "''" }));
}
