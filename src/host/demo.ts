import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BackendClient, createNonRetryableError, toContractError } from '../contract/index.ts';
import { DemoService } from './demo-service.ts';
import { type Keychain, toSharedKeyEntryName } from './keychain.ts';
import type { LogWriter } from './log-file.ts';

/** The demo: the embedded billing service on a loopback port, and the site `demo` connected to it. */
export type RunningDemo = Pick<EmbeddedDemo, keyof EmbeddedDemo>;

export interface DemoFile {
  readonly name: string;
  readonly text: string;
}

/** Files of a month that the demo's bank, card processor and accounting system export. */
export interface DemoFiles {
  readonly bank: DemoFile;
  readonly processor: DemoFile;
  readonly ledger: DemoFile;
}

export interface DemoOptions {
  readonly home: string;
  /** The sandbox's worker entry, passed by the shell. */
  readonly entry: URL;
  readonly client: BackendClient;
  readonly keychain: Keychain;
  readonly log: LogWriter;
}

/** API key of the demo. It is not secret, because it gives access only to invented data on this computer. */
export const DEMO_API_KEY = 'tieout-demo-key-of-made-up-data';
/** Key that signs the demo's webhooks. It is not secret either. */
export const DEMO_SHARED_KEY = 'tieout-demo-shared-key';
const DEMO_SITE = 'demo';
/** Last month of the demo's data. */
export const DEMO_MONTH = '2026-10';

export const createDemo = (options: DemoOptions): RunningDemo => new EmbeddedDemo(options);

class EmbeddedDemo {
  readonly #options: DemoOptions;
  readonly #folder: string;
  readonly #service: DemoService;
  #opening: Promise<void> | null = null;

  constructor(options: DemoOptions) {
    this.#options = options;
    this.#folder = join(options.home, 'demo');
    this.#service = new DemoService({
      folder: this.#folder,
      entry: options.entry,
      apiKey: DEMO_API_KEY,
      sharedKey: DEMO_SHARED_KEY,
    });
  }

  /** Starts the service, creates the demo site if necessary, writes its bank files, and syncs it for the first time. */
  open(): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Opens the demo if there is a demo site or no site at all. A failure is only logged. */
  async openIfNeeded(): Promise<void> {
    const { client, log } = this.#options;
    try {
      const sites = await client.sites.list({});
      if (sites.length === 0 || sites.some((site) => site.demo)) await this.open();
    } catch (error) {
      log({ level: 'warn', msg: 'The demo could not be opened.', reason: String(error) });
    }
  }

  /** Returns the demo's bank, processor and ledger files of a month ("YYYY-MM"). The demo must be open. */
  async bankFiles(month: string): Promise<DemoFiles> {
    const { base_url } = await this.#options.client.sites.get({ site: DEMO_SITE });
    return fetchBankFiles(base_url, month);
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#service.close();
  }

  async #open(): Promise<void> {
    const { client, keychain } = this.#options;
    const existing = (await client.sites.list({})).find((site) => site.site === DEMO_SITE);
    // This check comes first, because the demo's key must never be sent to the address of another site.
    if (existing && !existing.demo)
      throw createNonRetryableError(
        'conflict',
        'One of your sites is named “demo”, so the demo site cannot be created.',
        'Remove or rename that site, or choose another data directory for the demo with --home.',
      );
    keychain.setInMemory(DEMO_SITE, DEMO_API_KEY);
    keychain.setInMemory(toSharedKeyEntryName(DEMO_SITE), DEMO_SHARED_KEY);
    const url = await this.#service.start(existing?.base_url);
    if (!existing) {
      const site = { title: 'Demo', site: DEMO_SITE, base_url: url, demo: true, api_key: DEMO_API_KEY };
      await client.sites.add(site);
    } else if (existing.base_url !== url) {
      await client.sites.update({ site: DEMO_SITE, base_url: url });
    }
    await this.#writeBankFiles(url);
    if (!existing?.last_synced_at) await this.#startSync();
  }

  /** Writes the bank and processor files. A failure is only logged, because the demo works without them. */
  async #writeBankFiles(url: string): Promise<void> {
    try {
      if (existsSync(join(this.#folder, `ledger-${DEMO_MONTH}.csv`))) return;
      for (const { name, text } of Object.values(await fetchBankFiles(url, DEMO_MONTH))) {
        writeFileSync(join(this.#folder, basename(name)), text, { mode: 0o600 });
      }
    } catch (error) {
      this.#options.log({
        level: 'warn',
        msg: 'The demo’s bank files could not be written.',
        reason: String(error),
      });
    }
  }

  async #startSync(): Promise<void> {
    const { client, log } = this.#options;
    try {
      await client.sync.start({ site: DEMO_SITE });
    } catch (error) {
      const failure = toContractError(error);
      if (failure.code !== 'conflict') log({ level: 'warn', msg: 'The demo could not be synced.', failure });
    }
  }
}

async function fetchBankFiles(url: string, month: string): Promise<DemoFiles> {
  const response = await fetch(`${url}/sandbox/bank`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${DEMO_API_KEY}:x`).toString('base64')}` },
    body: JSON.stringify({ month, doubts: true }),
  });
  if (!response.ok)
    throw new Error(`The demo’s service did not return the bank files (status ${response.status}).`);
  const { statement, payouts, ledger } = (await response.json()) as Record<
    'statement' | 'payouts' | 'ledger',
    DemoFile
  >;
  return { bank: statement, processor: payouts, ledger };
}
