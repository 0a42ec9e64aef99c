import { homedir } from 'node:os';
import type { Client } from '../contract/contract.ts';
import type { Glance, Look } from '../host/glance.ts';
import { homeOf, prepareHome } from '../host/home.ts';
import type { Host, InProcess } from '../host/index.ts';
import type { Environment, Flags, Site } from './act.ts';
import { Failure, wrongUsage } from './failure.ts';
import { givenKey } from './input/key.ts';
import { version } from './version.ts';

/** The backend, in this process or in threads of its own. */
type Backend = Pick<InProcess, 'client' | 'keychain' | 'blobs' | 'close'>;

/** What most commands begin with. */
export interface Chosen {
  readonly client: Client;
  /** The site's short name. */
  readonly site: string;
  readonly about: Site;
}

/** A site, and what is held of it. */
export interface Seen extends Glance {
  readonly site: Site;
}

/** The app's data of one home, opened when it is first asked for. */
export interface Session {
  /**
   * What is held of the site named, or of all there are, without a backend: that is there at once. Null where only the backend can
   * say, or can say why not.
   */
  glance(problems: number): Promise<readonly Seen[] | null>;
  /** The backend in this process. */
  client(): Promise<Client>;
  /** The site that is meant: the one named, or the only one there is. */
  local(name?: string): Promise<Chosen>;
  /** The same for a call to the service: its key is asked for where none is kept, and the demo's service is started. */
  remote(name?: string): Promise<Chosen>;
  /** The files that the backend in use offers. */
  blobs(): Promise<Backend['blobs']>;
  /** The backend in threads, with what a window has besides: the demo. */
  host(): Promise<Host>;
  /** Takes keys out of text on its way to a screen. */
  redact(text: string): string;
  close(): Promise<void>;
}

export function openSession(environment: Environment, flags: Flags): Session {
  const options = {
    home: homeOf(surroundings(environment), flags.home),
    version: version(),
    fallbackKey: environment.apiKey,
    logLevel: flags.debug ? ('debug' as const) : ('info' as const),
  };
  let inProcess: Promise<InProcess> | undefined;
  let opened: InProcess | undefined;
  let threads: Promise<Host> | undefined;

  async function open(): Promise<InProcess> {
    const { openInProcess } = await import('../host/index.ts');
    opened = openInProcess(options);
    return opened;
  }
  async function start(): Promise<Host> {
    const { startHost } = await import('../host/index.ts');
    return await startHost({ ...options, sandboxEntry: sandboxEntry() });
  }
  const host = () => {
    threads ??= start();
    return threads;
  };
  const backend = async (): Promise<Backend> => {
    if (threads) return threads;
    inProcess ??= open();
    return inProcess;
  };
  const look = async (): Promise<Look> => {
    const { lookAt } = await import('../host/glance.ts');
    return await lookAt(prepareHome(options.home));
  };

  async function glance(problems: number) {
    const { sites, glanceAt } = await look();
    const wanted = flags.site === undefined ? sites : [choose(sites, flags.site)];
    const seen: Seen[] = [];
    for (const site of wanted) {
      const held = glanceAt(site, problems);
      if (held === null) return null;
      seen.push({ site, ...held });
    }
    return seen;
  }

  async function local(name = flags.site) {
    const about = choose((await look()).sites, name);
    const { client } = await backend();
    return { client, site: about.site, about };
  }

  async function remote(name = flags.site) {
    const chosen = await local(name);
    const { client, site, about } = chosen;
    if (about.demo) {
      const { client, demo } = await host();
      await demo?.open();
      return { client, site, about: await client.sites.get({ site }) };
    }
    const { has_key } = await client.sites.get({ site });
    if (!has_key) {
      const { keychain } = await backend();
      keychain.lend(site, await givenKey(environment, about.title));
    }
    return chosen;
  }

  return {
    glance,
    client: async () => (await backend()).client,
    local,
    remote,
    blobs: async () => (await backend()).blobs,
    host,
    redact: (text) => opened?.redact(text) ?? text,
    async close() {
      const started = await threads?.catch(() => undefined);
      await started?.close();
      await opened?.close();
    },
  };
}

function surroundings({ env }: Environment) {
  return { env, platform: process.platform, homedir: homedir() };
}

/** The sandbox's worker: beside the built command, or its source. */
export function sandboxEntry(): URL {
  const source = import.meta.url.endsWith('.ts');
  return new URL(source ? '../sandbox/worker.ts' : './sandbox.js', import.meta.url);
}

function choose(sites: readonly Site[], name: string | undefined): Site {
  const names = sites.map(({ site }) => site).join(', ');
  if (name !== undefined) {
    const found = sites.find(({ site }) => site === name) ?? sites.find(({ title }) => title === name);
    if (found) return found;
    throw new Failure(
      'not_found',
      `There is no site ${JSON.stringify(name)} here.`,
      sites.length === 0 ? connect : `The sites are: ${names}.`,
    );
  }
  const [only, ...others] = sites;
  if (only === undefined) throw wrongUsage('No site is connected yet.', connect);
  if (others.length > 0)
    throw wrongUsage(`There are several sites: ${names}.`, `Say which one with --site ${only.site}`);
  return only;
}

const connect =
  'Connect one with: tieout site add --name "My company" --url https://… , or look around with: tieout demo';
