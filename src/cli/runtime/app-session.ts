import { homedir } from 'node:os';
import type { BackendClient } from '../../contract/contract.ts';
import { prepareHome, resolveHome } from '../../host/home-folder.ts';
import type { InProcessHost } from '../../host/in-process-host.ts';
import type { AppHost } from '../../host/index.ts';
import type { ReadOnlyHome, SiteFile } from '../../host/read-only-home.ts';
import { CliError, createUsageError, formatConnectSiteHint } from '../errors/cli-error.ts';
import { readApiKey } from '../input/api-key.ts';
import { readAppVersion, sandboxWorkerUrl } from './app-paths.ts';

/** Inputs of a command other than its arguments: the environment variables and the keys. */
export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly apiKey: string | undefined;
  /** Value of `TIEOUT_SHARED_KEY`. */
  readonly sharedKey?: string | undefined;
}

export interface GlobalOptions {
  readonly home?: string;
  readonly site?: string;
  readonly json?: true;
  readonly ndjson?: true;
  readonly csv?: true;
  readonly quiet?: true;
  readonly debug?: true;
}

/** A site as stored in its site file. Only the keychain shows if the site has an API key. */
export type StoredSite = SiteFile;

type Backend = Pick<InProcessHost, 'client' | 'keychain' | 'blobs' | 'close'>;

/** A selected site, with the client for calls about the site. */
export interface SiteSession {
  readonly client: BackendClient;
  readonly site: string;
  readonly details: StoredSite;
}

/** Access to the data of one home. Databases open on first use. */
export class AppSession {
  readonly #environment: CommandEnvironment;
  readonly #siteName: string | undefined;
  readonly #options;
  #opening: Promise<InProcessHost> | undefined;
  #opened: InProcessHost | undefined;
  #host: Promise<AppHost> | undefined;

  constructor(environment: CommandEnvironment, flags: GlobalOptions) {
    this.#environment = environment;
    this.#siteName = flags.site;
    this.#options = {
      home: resolveHome({ env: environment.env, platform: process.platform, homedir: homedir() }, flags.home),
      version: readAppVersion(),
      fallbackKey: environment.apiKey,
      fallbackSharedKey: environment.sharedKey,
      logLevel: flags.debug ? ('debug' as const) : ('info' as const),
    };
  }

  /** Path of the data directory. */
  get home(): string {
    return this.#options.home;
  }

  /** Reads the status snapshot of the selected site or of all sites. Returns null if a site requires the backend. */
  async readSnapshots(maxProblems: number) {
    const { sites, readStatusSnapshot } = await this.#readHome();
    const selected = this.#siteName === undefined ? sites : [selectSite(sites, this.#siteName)];
    const snapshots = [];
    for (const site of selected) {
      const snapshot = readStatusSnapshot(site, maxProblems);
      if (snapshot === null) return null;
      snapshots.push({ site, ...snapshot });
    }
    return snapshots;
  }

  /** Starts the backend in this process and returns its client. */
  async client(): Promise<BackendClient> {
    return (await this.#backend()).client;
  }

  /** Opens the named site. Without a name, opens the only site. */
  async openSite(name = this.#siteName): Promise<SiteSession> {
    const details = selectSite((await this.#readHome()).sites, name);
    const { client } = await this.#backend();
    return { client, site: details.site, details };
  }

  /** Opens a site for calls to the service. Prompts for a missing API key and starts the demo's service. */
  async connectSite(name = this.#siteName): Promise<SiteSession> {
    const opened = await this.openSite(name);
    const { client, site, details } = opened;
    if (details.demo) {
      const { client, demo } = await this.host();
      await demo?.open();
      return { client, site, details: await client.sites.get({ site }) };
    }
    const { has_key } = await client.sites.get({ site });
    if (!has_key) {
      const { keychain } = await this.#backend();
      keychain.setInMemory(site, await readApiKey(this.#environment, details.title));
    }
    return opened;
  }

  /** Returns the running backend's access to one-time files. */
  async blobs(): Promise<Backend['blobs']> {
    return (await this.#backend()).blobs;
  }

  /** Starts the backend, including the demo, in separate threads, as the window does. */
  host(): Promise<AppHost> {
    this.#host ??= this.#startHost();
    return this.#host;
  }

  /** Removes API keys from text that will be printed. */
  readonly redact = (text: string) => this.#opened?.redact(text) ?? text;

  async close(): Promise<void> {
    const host = await this.#host?.catch(() => undefined);
    await host?.close();
    await this.#opened?.close();
  }

  async #readHome(): Promise<ReadOnlyHome> {
    const { openHomeReadOnly } = await import('../../host/read-only-home.ts');
    const home = await openHomeReadOnly(prepareHome(this.#options.home));
    const [damaged] = home.unreadable.filter((site) => [undefined, site].includes(this.#siteName));
    if (damaged !== undefined) throw createDamagedSiteFileError(damaged);
    return home;
  }

  async #backend(): Promise<Backend> {
    if (this.#host) return this.#host;
    this.#opening ??= this.#openInProcess();
    return this.#opening;
  }

  async #openInProcess(): Promise<InProcessHost> {
    const { openInProcessHost } = await import('../../host/in-process-host.ts');
    this.#opened = openInProcessHost(this.#options);
    return this.#opened;
  }

  async #startHost(): Promise<AppHost> {
    const { startHost } = await import('../../host/index.ts');
    return await startHost({ ...this.#options, sandboxEntry: sandboxWorkerUrl });
  }
}

const createDamagedSiteFileError = (site: string) =>
  new CliError(
    'corrupt',
    `The file sites/${site}/site.json is damaged and cannot be restored from the audit log.`,
    'No data is lost. See how to recover it with: tieout doctor',
  );

function selectSite(sites: readonly StoredSite[], name: string | undefined): StoredSite {
  const names = sites.map(({ site }) => site).join(', ');
  if (name !== undefined) {
    const match = sites.find(({ site }) => site === name) ?? sites.find(({ title }) => title === name);
    if (match) return match;
    throw new CliError(
      'not_found',
      `Site ${JSON.stringify(name)} does not exist.`,
      sites.length === 0 ? formatConnectSiteHint : `Available sites: ${names}.`,
    );
  }
  const [only, ...more] = sites;
  if (only === undefined) throw createUsageError('No site is connected yet.', formatConnectSiteHint);
  if (more.length > 0)
    throw createUsageError(
      `There are several sites: ${names}.`,
      `Select a site, for example: --site ${only.site}`,
    );
  return only;
}
