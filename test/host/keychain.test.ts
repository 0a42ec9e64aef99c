import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { errorOf } from '../../src/contract/index.ts';
import {
  createKeychain,
  type KeychainImplementation,
  type KeychainOptions,
  loadKeychainImplementations,
  toKeyHint,
} from '../../src/host/keychain.ts';
import { temporaryFolder, temporaryHost } from './temporary.ts';

/** The real keychain: `npm run test:unit` runs in a session of its own with an unlocked Secret Service. */
const vaults = await loadKeychainImplementations(process.platform);

function keychainOf(options: Partial<KeychainOptions> = {}) {
  const loadVaults = async () => vaults;
  return createKeychain({
    home: temporaryFolder(),
    platform: process.platform,
    onKey: () => undefined,
    loadVaults,
    ...options,
  });
}

test('a way into the keychain is there', () => {
  expect(vaults).not.toEqual([]);
});

test('a key is kept, read, replaced and forgotten', async () => {
  const keychain = keychainOf();
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

test('two homes with a site of the same name keep a key each, and another opening of a home finds its own', async () => {
  const home = temporaryFolder();
  const [one, two, oneAgain] = [keychainOf({ home }), keychainOf(), keychainOf({ home })];
  onTestFinished(async () => {
    await one.forget('acme');
    await two.forget('acme');
  });
  await one.set('acme', 'the first');
  await two.set('acme', 'the second');
  expect(await oneAgain.get('acme')).toBe('the first');
});

test('the check says that the keychain answers, and which one it is', async () => {
  expect(await keychainOf().check()).toMatchObject({
    ok: true,
    advice: null,
    message: expect.stringMatching(/answers \(.+\)/),
  });
});

const deaf: KeychainImplementation = {
  name: 'deaf',
  get: () => Promise.reject(new Error('no such service')),
  set: () => Promise.reject(new Error('no such service')),
  forget: () => Promise.reject(new Error('no such service')),
};

test('where there is no keychain, every call says so and what to do', async () => {
  for (const loadVaults of [async () => [deaf], async () => []]) {
    const keychain = keychainOf({ loadVaults, platform: 'linux' });
    for (const call of [keychain.get('a'), keychain.set('a', 'secret-key'), keychain.forget('a')]) {
      const failure = errorOf(await call.catch((error: unknown) => error));
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

test('a keychain that waits for a password is given up after a while', async () => {
  const locked: KeychainImplementation = { ...deaf, get: () => new Promise(() => undefined) };
  const keychain = keychainOf({ loadVaults: async () => [locked], unlockTimeoutMs: 20 });
  expect(errorOf(await keychain.get('a').catch((error: unknown) => error))).toMatchObject({
    code: 'keychain_unavailable',
    message: expect.stringContaining('locked'),
  });
});

test('a way in that fails is passed over for the next', async () => {
  const keychain = keychainOf({ loadVaults: async () => [deaf, ...vaults] });
  onTestFinished(() => keychain.forget('acme'));
  await keychain.set('acme', 'a key');
  expect(await keychain.get('acme')).toBe('a key');
  await keychain.forget('acme');
  expect(await keychainOf().get('acme')).toBeNull();
});

test('the key of the environment is used where the keychain has none, and only there', async () => {
  const keychain = keychainOf({ fallbackKey: 'from-environment' });
  onTestFinished(() => keychain.forget('acme'));
  expect(await keychain.get('acme')).toBe('from-environment');
  await keychain.set('acme', 'kept');
  expect(await keychain.get('acme')).toBe('kept');
});

test('without a keychain the key of the environment serves: it may be set, and no other', async () => {
  const keychain = keychainOf({ fallbackKey: 'from-environment', loadVaults: async () => [] });
  await keychain.set('acme', 'from-environment');
  expect(await keychain.get('acme')).toBe('from-environment');
  await expect(keychain.set('acme', 'another')).rejects.toMatchObject({ code: 'keychain_unavailable' });
  expect(await keychain.check()).toMatchObject({
    ok: true,
    message: expect.stringContaining('TIEOUT_API_KEY'),
  });
});

test('a lent key lives in memory alone', async () => {
  const keychain = keychainOf({ loadVaults: async () => [] });
  keychain.setInMemory('demo', 'made up');
  await keychain.set('demo', 'made up');
  expect(await keychain.get('demo')).toBe('made up');
  await keychain.forget('demo');
  await expect(keychain.get('demo')).rejects.toMatchObject({ code: 'keychain_unavailable' });
});

test('every key that passes is learned by the log', async () => {
  const learned = new Set<string>();
  const keychain = keychainOf({ onKey: (key) => learned.add(key), fallbackKey: 'env-key' });
  onTestFinished(() => keychain.forget('acme'));
  keychain.setInMemory('demo', 'lent-key');
  await keychain.set('acme', 'set-key');
  expect([...learned]).toEqual(['env-key', 'lent-key', 'set-key']);
});

test('a hint is four characters at most, and nothing of a short key', () => {
  expect(toKeyHint('abcdefghijkl')).toBe('ijkl');
  expect(toKeyHint('abcdefg')).toBe('');
});

test('a thread asks the shell for the keychain; the key comes back to no page and no log', async () => {
  const host = await temporaryHost();
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
