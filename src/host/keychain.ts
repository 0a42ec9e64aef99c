import { createHash } from 'node:crypto';
import type { AsyncEntry } from '@napi-rs/keyring';
import { contractError, errorOf } from '../contract/index.ts';

/**
 * The operating system's keychain, the only place where keys are kept. Every call may end in `keychain_unavailable`, with what
 * to do about it. Entries: service `Tieout`, account `<site>@<id of the home>`.
 */
export interface Keychain {
  /** The key of a site; null where none is kept. */
  get(site: string): Promise<string | null>;
  set(site: string, key: string): Promise<void>;
  /** Forgets the key; it need not be there. */
  forget(site: string): Promise<void>;
  /** Whether the keychain answers, which one it is, and what to do if it does not. */
  check(): Promise<KeychainCheck>;
  /** Gives a site a key for as long as this process runs, kept in memory alone: the demo's, which is no secret. */
  lend(site: string, key: string): void;
  /** Loads the native code behind it. Call it in the main thread before any worker starts. */
  warm(): Promise<void>;
}

export interface KeychainCheck {
  readonly ok: boolean;
  readonly found: string;
  readonly todo: string | null;
}

/** One way into the keychain. */
export interface Vault {
  readonly name: string;
  get(account: string): Promise<string | null>;
  set(account: string, key: string): Promise<void>;
  forget(account: string): Promise<void>;
}

export interface KeychainOptions {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The key to use where the keychain has none: `TIEOUT_API_KEY`, read by the shell's entry. */
  readonly fallbackKey?: string | undefined;
  /** Hears of every key that passes, so that the log can keep it out. */
  readonly learn: (key: string) => void;
  /** Loads the ways in, best first; asked once, when first needed. */
  readonly loadVaults: () => Promise<readonly Vault[]>;
  /** How long a person may take to unlock the keychain, in ms. */
  readonly patience?: number;
}

const SERVICE = 'Tieout';

export function createKeychain(options: KeychainOptions): Keychain {
  const { home, platform, fallbackKey, learn, patience = 60_000 } = options;
  const id = homeId(home);
  const account = (site: string) => `${site}@${id}`;
  const lent = new Map<string, string>();
  if (fallbackKey) learn(fallbackKey);
  let loaded: Promise<readonly Vault[]> | undefined;
  const vaults = () => {
    loaded ??= options.loadVaults();
    return loaded;
  };

  /** Asks the vaults in turn until an answer is `enough`; gives what was answered, and fails only if nothing was. */
  async function ask<T>(act: (vault: Vault) => Promise<T>, enough: (value: T) => boolean) {
    const answers: { vault: Vault; value: T }[] = [];
    let failure: unknown = null;
    for (const vault of await vaults()) {
      try {
        const value = await within(patience, act(vault));
        answers.push({ vault, value });
        if (enough(value)) break;
      } catch (error) {
        failure = error;
      }
    }
    if (answers.length === 0) throw unavailable(failure, platform);
    return answers;
  }
  const everyVault = () => false;

  async function read(site: string): Promise<string | null> {
    try {
      const answers = await ask(
        (vault) => vault.get(account(site)),
        (key) => key !== null,
      );
      return answers.at(-1)?.value ?? fallbackKey ?? null;
    } catch (error) {
      if (fallbackKey) return fallbackKey;
      throw error;
    }
  }

  return {
    async get(site) {
      const key = lent.get(site) ?? (await read(site));
      if (key !== null) learn(key);
      return key;
    },
    async set(site, key) {
      learn(key);
      if (lent.get(site) === key) return;
      try {
        // In each way in: which of them loads may differ between Node and the packaged app.
        await ask((vault) => vault.set(account(site), key), everyVault);
      } catch (error) {
        // The environment gives the same key at the next start; nothing needs to be kept.
        if (key !== fallbackKey) throw error;
      }
      lent.delete(site);
    },
    async forget(site) {
      if (lent.delete(site)) return;
      try {
        await ask((vault) => vault.forget(account(site)), everyVault);
      } catch (error) {
        if (!fallbackKey) throw error;
      }
    },
    async check() {
      try {
        const answers = await ask((vault) => vault.get(account('tieout-check')), everyVault);
        const names = answers.map(({ vault }) => vault.name).join(', ');
        return { ok: true, found: `The system keychain answers (${names}).`, todo: null };
      } catch (error) {
        const { message: found } = errorOf(error);
        if (!fallbackKey) return { ok: false, found, todo: adviceFor(platform) };
        return { ok: true, found: `${found} The key in TIEOUT_API_KEY is used instead.`, todo: null };
      }
    },
    lend(site, key) {
      learn(key);
      lent.set(site, key);
    },
    async warm() {
      await vaults();
    },
  };
}

/** Tells two homes apart where both have a site of the same name; the same for a home each time it is opened. */
export function homeId(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 12);
}

/** At most the last four characters of a key, and none of one so short that they would tell much. */
export function hintOf(key: string): string {
  return key.length >= 8 ? key.slice(-4) : '';
}

/**
 * The ways into this machine's keychain; this loads native code.
 * keytar is used where it is installed and loads (on Linux it needs libsecret); @napi-rs/keyring where not.
 */
export async function loadVaults(platform: NodeJS.Platform): Promise<Vault[]> {
  const loaded = await Promise.all(
    [loadKeytar(), loadKeyring(platform)].map((vault) => vault.catch(() => null)),
  );
  return loaded.filter((vault) => vault !== null);
}

async function loadKeytar(): Promise<Vault> {
  // Optional: named so that neither the compiler nor the bundler insists on it.
  const name = 'keytar';
  const module = (await import(name)) as { default: Keytar };
  const keytar = module.default;
  return {
    name,
    get: (account) => keytar.getPassword(SERVICE, account),
    set: (account, key) => keytar.setPassword(SERVICE, account, key),
    forget: async (account) => void (await keytar.deletePassword(SERVICE, account)),
  };
}

interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

const KEYCHAINS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'Secret Service',
  darwin: 'macOS Keychain',
  win32: 'Windows Credential Manager',
};

async function loadKeyring(platform: NodeJS.Platform): Promise<Vault> {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  // Without this it would fall back to the kernel's keyring, which forgets at the next start.
  const store = platform === 'linux' ? { linux: { store: 'secret-service' as const } } : undefined;
  const entry = (account: string): AsyncEntry => new AsyncEntry(SERVICE, account, store);
  return {
    name: KEYCHAINS[platform] ?? platform,
    get: async (account) => await entry(account).getPassword(),
    set: async (account, key) => await entry(account).setPassword(key),
    forget: async (account) => void (await entry(account).deletePassword()),
  };
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it gave no answer; it may be locked')), ms);
  });
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function unavailable(cause: unknown, platform: NodeJS.Platform) {
  const reason = cause instanceof Error ? cause.message : 'no way into it could be loaded';
  return contractError({
    code: 'keychain_unavailable',
    message: `The system keychain cannot be used: ${reason}.`,
    hint: adviceFor(platform),
    retryable: true,
  });
}

function adviceFor(platform: NodeJS.Platform): string {
  const otherwise = 'or set TIEOUT_API_KEY for this session.';
  if (platform === 'darwin')
    return `Unlock the login keychain in Keychain Access and try again, ${otherwise}`;
  if (platform === 'win32') return `Check that the Credential Manager service is running, ${otherwise}`;
  return `Start and unlock a Secret Service (GNOME Keyring, KWallet or KeePassXC), ${otherwise}`;
}
