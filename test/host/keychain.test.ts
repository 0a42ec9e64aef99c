import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { toContractError } from '../../src/contract/index.ts';
import {
  createKeychain,
  type KeychainImplementation,
  type KeychainOptions,
  loadKeychainImplementations,
  toKeyHint,
} from '../../src/host/keychain.ts';
import { createTemporaryFolder, startTestHost } from './test-host.ts';

/** Implementations of the real keychain. `npm run test:unit` runs in its own session with an unlocked Secret Service. */
const implementations = await loadKeychainImplementations(process.platform);

function createTestKeychain(options: Partial<KeychainOptions> = {}) {
  const loadVaults = async () => implementations;
  return createKeychain({
    home: createTemporaryFolder(),
    platform: process.platform,
    onKey: () => undefined,
    loadVaults,
    ...options,
  });
}

test('loads a keychain implementation', () => {
  expect(implementations).not.toEqual([]);
});

test('stores, reads, replaces and deletes a key', async () => {
  const keychain = createTestKeychain();
  onTestFinished(() => keychain.forget('acme'));
  expect(await keychain.get('acme')).toBeNull();
  await keychain.set('acme', 'key-one-ünïcode');
  expect(await keychain.get('acme')).toBe('key-one-ünïcode');
  await keychain.set('acme', 'key-two');
  expect(await keychain.get('acme')).toBe('key-two');
  await keychain.forget('acme');
  expect(await keychain.get('acme')).toBeNull();
  await keychain.forget('acme');
});

test('stores separate keys for sites of the same name in two homes', async () => {
  const home = createTemporaryFolder();
  const [one, two, oneAgain] = [
    createTestKeychain({ home }),
    createTestKeychain(),
    createTestKeychain({ home }),
  ];
  onTestFinished(async () => {
    await one.forget('acme');
    await two.forget('acme');
  });
  await one.set('acme', 'the first');
  await two.set('acme', 'the second');
  expect(await oneAgain.get('acme')).toBe('the first');
});

test('reports the name of the keychain that responds', async () => {
  expect(await createTestKeychain().check()).toMatchObject({
    ok: true,
    advice: null,
    message: expect.stringMatching(/works \(.+\)/),
  });
});

const unresponsive: KeychainImplementation = {
  name: 'deaf',
  get: () => Promise.reject(new Error('no such service')),
  set: () => Promise.reject(new Error('no such service')),
  forget: () => Promise.reject(new Error('no such service')),
};

test('throws an error with advice if there is no keychain', async () => {
  for (const loadVaults of [async () => [unresponsive], async () => []]) {
    const keychain = createTestKeychain({ loadVaults, platform: 'linux' });
    for (const call of [keychain.get('a'), keychain.set('a', 'secret-key'), keychain.forget('a')]) {
      const failure = toContractError(await call.catch((error: unknown) => error));
      expect(failure).toMatchObject({
        code: 'keychain_unavailable',
        hint: expect.stringContaining('Secret Service'),
      });
      expect(JSON.stringify(failure)).not.toContain('secret-key');
    }
    expect(await keychain.check()).toMatchObject({
      ok: false,
      advice: expect.stringContaining('TIEOUT_API_KEY'),
    });
  }
});

test('times out if the keychain waits for a password', async () => {
  const lockedKeychain: KeychainImplementation = { ...unresponsive, get: () => new Promise(() => undefined) };
  const keychain = createTestKeychain({ loadVaults: async () => [lockedKeychain], unlockTimeoutMs: 20 });
  expect(toContractError(await keychain.get('a').catch((error: unknown) => error))).toMatchObject({
    code: 'keychain_unavailable',
    message: expect.stringContaining('locked'),
  });
});

test('uses the next implementation if one fails', async () => {
  const keychain = createTestKeychain({ loadVaults: async () => [unresponsive, ...implementations] });
  onTestFinished(() => keychain.forget('acme'));
  await keychain.set('acme', 'a key');
  expect(await keychain.get('acme')).toBe('a key');
  await keychain.forget('acme');
  expect(await createTestKeychain().get('acme')).toBeNull();
});

test('uses the key of the environment only if the keychain has none', async () => {
  const keychain = createTestKeychain({ fallbackKey: 'from-environment' });
  onTestFinished(() => keychain.forget('acme'));
  expect(await keychain.get('acme')).toBe('from-environment');
  await keychain.set('acme', 'kept');
  expect(await keychain.get('acme')).toBe('kept');
});

test('accepts only the key of the environment if there is no keychain', async () => {
  const keychain = createTestKeychain({ fallbackKey: 'from-environment', loadVaults: async () => [] });
  await keychain.set('acme', 'from-environment');
  expect(await keychain.get('acme')).toBe('from-environment');
  await expect(keychain.set('acme', 'another')).rejects.toMatchObject({ code: 'keychain_unavailable' });
  expect(await keychain.check()).toMatchObject({
    ok: true,
    message: expect.stringContaining('TIEOUT_API_KEY'),
  });
});

test('stores an in-memory key only in memory', async () => {
  const keychain = createTestKeychain({ loadVaults: async () => [] });
  keychain.setInMemory('demo', 'made up');
  await keychain.set('demo', 'made up');
  expect(await keychain.get('demo')).toBe('made up');
  await keychain.forget('demo');
  await expect(keychain.get('demo')).rejects.toMatchObject({ code: 'keychain_unavailable' });
});

test('keeps a key for the session if there is no keychain and the user allows it', async () => {
  const redactedKeys = new Set<string>();
  const options = { loadVaults: async () => [unresponsive], onKey: (key: string) => redactedKeys.add(key) };
  const keychain = createTestKeychain(options);
  await expect(keychain.set('harbor', 'kept-key')).rejects.toMatchObject({ code: 'keychain_unavailable' });
  await keychain.set('harbor', 'kept-key', true);
  expect(await keychain.get('harbor')).toBe('kept-key');
  expect(keychain.isSessionKey('harbor')).toBe(true);
  expect([...redactedKeys]).toEqual(['kept-key']);
  // A new process knows nothing of the key.
  await expect(createTestKeychain(options).get('harbor')).rejects.toMatchObject({
    code: 'keychain_unavailable',
  });
  await keychain.forget('harbor');
  expect(keychain.isSessionKey('harbor')).toBe(false);
  await expect(keychain.get('harbor')).rejects.toMatchObject({ code: 'keychain_unavailable' });
});

test('prefers the keychain, even if the user allows a key for the session', async () => {
  const broken = { ...unresponsive };
  const keychain = createTestKeychain({ loadVaults: async () => [broken] });
  onTestFinished(() => keychain.forget('harbor'));
  await keychain.set('harbor', 'first', true);
  expect(keychain.isSessionKey('harbor')).toBe(true);
  // The user starts the keychain and enters the same key again.
  const [working] = implementations;
  if (working) Object.assign(broken, working);
  await keychain.set('harbor', 'first', true);
  expect(keychain.isSessionKey('harbor')).toBe(false);
  expect(await keychain.get('harbor')).toBe('first');
});

test('passes every key to the redactor', async () => {
  const redactedKeys = new Set<string>();
  const keychain = createTestKeychain({ onKey: (key) => redactedKeys.add(key), fallbackKey: 'env-key' });
  onTestFinished(() => keychain.forget('acme'));
  keychain.setInMemory('demo', 'lent-key');
  await keychain.set('acme', 'set-key');
  expect([...redactedKeys]).toEqual(['env-key', 'lent-key', 'set-key']);
});

test('shows at most four characters of a key, and none of a short one', () => {
  expect(toKeyHint('abcdefghijkl')).toBe('ijkl');
  expect(toKeyHint('abcdefg')).toBe('');
});

test('gives a thread the key without exposing it to pages or the log', async () => {
  const host = await startTestHost();
  onTestFinished(() => host.keychain.forget('acme'));
  const site = await host.client.sites.add({
    title: 'Acme',
    base_url: 'https://acme.example',
    api_key: 'sk-9876-abcd',
  });
  expect(site).toMatchObject({ has_key: true, key_hint: 'abcd' });
  expect(await host.keychain.get('acme')).toBe('sk-9876-abcd');
  await host.close();
  expect(JSON.stringify(site)).not.toContain('sk-9876-abcd');
  const log = readFileSync(`${host.home}/logs/tieout.log`, 'utf8');
  expect(log).toContain('adding acme');
  expect(log).not.toContain('sk-9876-abcd');
});
