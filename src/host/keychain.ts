import { createHash } from 'node:crypto';
import type { AsyncEntry } from '@napi-rs/keyring';
import { createContractError, toContractError } from '../contract/index.ts';

/**
 * Keychain of the operating system, the only place where keys are stored. Without a keychain, the user may let this
 * process keep an API key in memory until it ends. Every call may throw `keychain_unavailable`
 * with advice. Entries are stored under the service `Tieout`: an API key under the account `<site>@<id of the home>`, a
 * signing key under `signing-key:<first half of the public key>`.
 */
export type Keychain = ReturnType<typeof createKeychain>;

export interface KeychainImplementation {
  readonly name: string;
  get(account: string): Promise<string | null>;
  set(account: string, key: string): Promise<void>;
  forget(account: string): Promise<void>;
}

interface KeyInMemory {
  readonly key: string;
  /** True if the user entered the key for this session because there was no keychain. */
  readonly isSessionKey: boolean;
}

export interface KeychainOptions {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Key to use if the keychain has none. The shell's entry reads it from `TIEOUT_API_KEY`. */
  readonly fallbackKey?: string | undefined;
  /** Shared key to use if the keychain has none, from `TIEOUT_SHARED_KEY`. */
  readonly fallbackSharedKey?: string | undefined;
  /** Called with every key that is read or stored, so that the redactor knows it. */
  readonly onKey: (key: string) => void;
  /** Loads the keychain implementations in order of preference. Called once, on first use. */
  readonly loadVaults: () => Promise<readonly KeychainImplementation[]>;
  /** Milliseconds to wait for the user to unlock the keychain. */
  readonly unlockTimeoutMs?: number;
}

const SERVICE_NAME = 'Tieout';
const SHARED_KEY_SUFFIX = '/shared-key';

/** Returns the name under which a site's shared key is stored. No site has this name, because names have no slash. */
export const toSharedKeyEntryName = (site: string): string => site + SHARED_KEY_SUFFIX;

export function createKeychain(options: KeychainOptions) {
  const { home, platform, onKey, fallbackKey: fallbackApiKey, fallbackSharedKey } = options;
  const findFallback = (entry: string) =>
    entry.endsWith(SHARED_KEY_SUFFIX) ? fallbackSharedKey : fallbackApiKey;
  const id = computeHomeId(home);
  const account = (site: string) => `${site}@${id}`;
  const keysInMemory = new Map<string, KeyInMemory>();
  for (const key of [fallbackApiKey, fallbackSharedKey]) if (key) onKey(key);
  const implementations = new KeychainImplementations(options);

  async function read(site: string): Promise<string | null> {
    const fallbackKey = findFallback(site);
    try {
      return (await implementations.findKey(account(site))) ?? fallbackKey ?? null;
    } catch (error) {
      if (fallbackKey) return fallbackKey;
      throw error;
    }
  }

  return {
    /** Returns the key of a site, or null if none is stored. `site` may be the entry of a shared key. */
    async get(site: string): Promise<string | null> {
      const key = keysInMemory.get(site)?.key ?? (await read(site));
      if (key !== null) onKey(key);
      return key;
    },
    /** Returns true if the key of a site is kept only until this process ends, because there was no keychain. */
    isSessionKey: (site: string): boolean => keysInMemory.get(site)?.isSessionKey ?? false,
    /** Stores the key of a site. With `allowSessionKey`, a key that no keychain stores is kept until the process ends. */
    async set(site: string, key: string, allowSessionKey = false): Promise<void> {
      onKey(key);
      const known = keysInMemory.get(site);
      if (known?.key === key && !known.isSessionKey) return;
      try {
        // The key is stored in every implementation, because Node and the packaged app may load different ones.
        await implementations.callAll((each) => each.set(account(site), key));
      } catch (error) {
        // Ignores the failure if the environment provides the same key at the next start.
        if (key !== findFallback(site)) {
          if (!allowSessionKey) throw error;
          keysInMemory.set(site, { key, isSessionKey: true });
          return;
        }
      }
      keysInMemory.delete(site);
    },
    /** Deletes the key of a site, if there is one. */
    async forget(site: string): Promise<void> {
      const known = keysInMemory.get(site);
      keysInMemory.delete(site);
      if (known && !known.isSessionKey) return;
      try {
        // The keychain may contain an older key, even if the current one is a session key.
        await implementations.callAll((each) => each.forget(account(site)));
      } catch (error) {
        if (!known && !findFallback(site)) throw error;
      }
    },
    /** Returns the private key (PKCS #8, base64) of a public key (hex), or null if it is not stored. */
    async getSigningKey(key: string): Promise<string | null> {
      const privateKey = await implementations.findKey(toSigningAccount(key));
      if (privateKey !== null) onKey(privateKey);
      return privateKey;
    },
    async setSigningKey(key: string, privateKey: string): Promise<void> {
      onKey(privateKey);
      await implementations.callAll((each) => each.set(toSigningAccount(key), privateKey));
    },
    /** Tests the keychain. Returns its name, or advice if it does not work. */
    async check(): Promise<{ ok: boolean; message: string; advice: string | null }> {
      try {
        const names = await implementations.callAll((each) => each.get(account('tieout-check')));
        return { ok: true, message: `The system keychain works (${names.join(', ')}).`, advice: null };
      } catch (error) {
        const { message } = toContractError(error);
        if (!fallbackApiKey) return { ok: false, message, advice: getKeychainAdvice(platform) };
        return { ok: true, message: `${message} The key in TIEOUT_API_KEY is used instead.`, advice: null };
      }
    },
    /** Sets a site's key in the memory of this process only. Used for the demo's key, which is not secret. */
    setInMemory(site: string, key: string): void {
      onKey(key);
      keysInMemory.set(site, { key, isSessionKey: false });
    },
    /** Loads the keychain's native code. Must be called in the main thread before any worker starts. */
    loadNativeCode: () => implementations.load(),
  };
}

const toSigningAccount = (key: string): string => `signing-key:${key.slice(0, 32)}`;

/** Keychain implementations in order of preference. A call fails only if all implementations fail. */
class KeychainImplementations {
  readonly #options: KeychainOptions;
  #loaded: Promise<readonly KeychainImplementation[]> | undefined;

  constructor(options: KeychainOptions) {
    this.#options = options;
  }

  load(): Promise<readonly KeychainImplementation[]> {
    this.#loaded ??= this.#options.loadVaults();
    return this.#loaded;
  }

  /** Returns the key from the first implementation that has it, or null. */
  async findKey(account: string): Promise<string | null> {
    const answers = await this.#call(
      (each) => each.get(account),
      (key) => key !== null,
    );
    return answers.at(-1)?.value ?? null;
  }

  /** Calls every keychain implementation. Returns the names of those that succeeded. */
  async callAll(action: (implementation: KeychainImplementation) => Promise<unknown>): Promise<string[]> {
    return (await this.#call(action, () => false)).map(({ name }) => name);
  }

  /** Calls the keychain implementations one after another until one returns a sufficient result. */
  async #call<T>(
    action: (implementation: KeychainImplementation) => Promise<T>,
    isSufficient: (value: T) => boolean,
  ) {
    const { unlockTimeoutMs = 60_000, platform } = this.#options;
    const answers: { name: string; value: T }[] = [];
    let failure: unknown = null;
    for (const implementation of await this.load()) {
      try {
        const value = await withTimeout(unlockTimeoutMs, action(implementation));
        answers.push({ name: implementation.name, value });
        if (isSufficient(value)) break;
      } catch (error) {
        failure = error;
      }
    }
    if (answers.length === 0) throw keychainUnavailableError(failure, platform);
    return answers;
  }
}

/** Returns a stable id of a home. It distinguishes homes that have sites of the same name. */
export function computeHomeId(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 12);
}

/** Returns the last four characters of a key, or an empty text if the key is too short to reveal them. */
export function toKeyHint(key: string): string {
  return key.length >= 8 ? key.slice(-4) : '';
}

/** Loads the keychain implementations, including native code: keytar if it is installed, then @napi-rs/keyring. */
export async function loadKeychainImplementations(
  platform: NodeJS.Platform,
): Promise<KeychainImplementation[]> {
  const loaded = await Promise.allSettled([loadKeytar(), loadKeyring(platform)]);
  return loaded.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function loadKeytar(): Promise<KeychainImplementation> {
  // The dependency is optional, so its name is a variable that neither the compiler nor the bundler resolves.
  const name = 'keytar';
  const module = (await import(name)) as { default: Keytar };
  const keytar = module.default;
  return {
    name,
    get: (account) => keytar.getPassword(SERVICE_NAME, account),
    set: (account, key) => keytar.setPassword(SERVICE_NAME, account, key),
    forget: async (account) => void (await keytar.deletePassword(SERVICE_NAME, account)),
  };
}

interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

const KEYCHAIN_NAMES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'Secret Service',
  darwin: 'macOS Keychain',
  win32: 'Windows Credential Manager',
};

async function loadKeyring(platform: NodeJS.Platform): Promise<KeychainImplementation> {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  // Without this setting, the library would use the kernel's keyring, which is lost on reboot.
  const store = platform === 'linux' ? { linux: { store: 'secret-service' as const } } : undefined;
  const entry = (account: string): AsyncEntry => new AsyncEntry(SERVICE_NAME, account, store);
  return {
    name: KEYCHAIN_NAMES[platform] ?? platform,
    get: async (account) => await entry(account).getPassword(),
    set: async (account, key) => await entry(account).setPassword(key),
    forget: async (account) => void (await entry(account).deletePassword()),
  };
}

async function withTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it does not respond and may be locked')), ms);
  });
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function keychainUnavailableError(cause: unknown, platform: NodeJS.Platform) {
  const reason = cause instanceof Error ? cause.message : 'no keychain module could be loaded';
  return createContractError({
    code: 'keychain_unavailable',
    message: `The system keychain cannot be used: ${reason}.`,
    hint: getKeychainAdvice(platform),
    retryable: true,
  });
}

function getKeychainAdvice(platform: NodeJS.Platform): string {
  const alternative = 'or set TIEOUT_API_KEY for this session.';
  if (platform === 'darwin')
    return `Unlock the login keychain in Keychain Access and try again, ${alternative}`;
  if (platform === 'win32') return `Check that the Credential Manager service is running, ${alternative}`;
  return `Start and unlock a Secret Service (GNOME Keyring, KWallet or KeePassXC), ${alternative}`;
}
