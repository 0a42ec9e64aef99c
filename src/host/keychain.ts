import { createHash } from 'node:crypto';
import type { AsyncEntry } from '@napi-rs/keyring';
import { contractError, errorOf } from '../contract/index.ts';

/**
 * The operating system's keychain, the only place where keys are stored. Every call may throw `keychain_unavailable` with
 * advice. Entries: service `Tieout`, account `<site>@<id of the home>`.
 */
export interface Keychain {
  /** Returns the key of a site, or null. */
  get(site: string): Promise<string | null>;
  set(site: string, key: string): Promise<void>;
  /** Deletes the key, if there is one. */
  forget(site: string): Promise<void>;
  /** Returns whether the keychain works, which one it is, and what to do if it does not. */
  check(): Promise<KeychainCheck>;
  /** Sets a site's key in memory only, for this process: the demo's key, which is no secret. */
  lend(site: string, key: string): void;
  /** Loads the native code. Must be called in the main thread before any worker starts. */
  warm(): Promise<void>;
}

export interface KeychainCheck {
  readonly ok: boolean;
  readonly message: string;
  readonly advice: string | null;
}

/** One implementation of access to the keychain. */
export interface Vault {
  readonly name: string;
  get(account: string): Promise<string | null>;
  set(account: string, key: string): Promise<void>;
  forget(account: string): Promise<void>;
}

export interface KeychainOptions {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Key to use if the keychain has none: `TIEOUT_API_KEY`, read by the shell's entry. */
  readonly fallbackKey?: string | undefined;
  /** Receives every key that passes, so that the redactor knows it. */
  readonly learn: (key: string) => void;
  /** Loads the implementations, best first. Called once, on first use. */
  readonly loadVaults: () => Promise<readonly Vault[]>;
  /** Milliseconds that a person may take to unlock the keychain. */
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

  /**
   * Calls the implementations in turn until a result is `enough`. Returns the result, and throws only if there was none.
   */
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
        // Stored in every implementation, because Node and the packaged app may load different ones.
        await ask((vault) => vault.set(account(site), key), everyVault);
      } catch (error) {
        // The environment provides the same key at the next start, so it need not be stored.
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
        return { ok: true, message: `The system keychain answers (${names}).`, advice: null };
      } catch (error) {
        const { message } = errorOf(error);
        if (!fallbackKey) return { ok: false, message, advice: adviceFor(platform) };
        return { ok: true, message: `${message} The key in TIEOUT_API_KEY is used instead.`, advice: null };
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

/** Returns an id that distinguishes homes with sites of the same name. It is always the same for a home. */
export function homeId(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 12);
}

/** Returns the last four characters of a key, or nothing if the key is so short that they would reveal much. */
export function hintOf(key: string): string {
  return key.length >= 8 ? key.slice(-4) : '';
}

/**
 * Loads the implementations for this platform, including native code: keytar if it is installed and loads (on Linux it
 * needs libsecret), then @napi-rs/keyring.
 */
export async function loadVaults(platform: NodeJS.Platform): Promise<Vault[]> {
  const loaded = await Promise.all(
    [loadKeytar(), loadKeyring(platform)].map((vault) => vault.catch(() => null)),
  );
  return loaded.filter((vault) => vault !== null);
}

async function loadKeytar(): Promise<Vault> {
  // Optional, so the name is a variable that neither the compiler nor the bundler resolves.
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
  // Without this it would fall back to the kernel's keyring, which is lost at a restart.
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
