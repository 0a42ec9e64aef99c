import { createRouterClient, implement } from '@orpc/server';
import type { ShellClient } from '../../src/backend/shared/backend-start-options.ts';
import { shellContract } from '../../src/contract/index.ts';

/** A shell that keeps keys in memory and offers files without serving them. */
export function createMemoryShell(keys = new Map<string, string>()): ShellClient {
  const on = implement(shellContract);
  return createRouterClient(
    on.router({
      keychain: {
        get: on.keychain.get.handler(({ input }) => ({ api_key: keys.get(input.site) ?? null })),
        set: on.keychain.set.handler(({ input }) => {
          keys.set(input.site, input.api_key);
          return {};
        }),
        forget: on.keychain.forget.handler(({ input }) => {
          keys.delete(input.site);
          return {};
        }),
        hint: on.keychain.hint.handler(({ input }) => ({
          key_hint: keys.get(input.site)?.slice(-4) ?? null,
          is_session_key: false,
        })),
        getSigningKey: on.keychain.getSigningKey.handler(({ input }) => ({
          private_key: keys.get(input.key) ?? null,
        })),
        setSigningKey: on.keychain.setSigningKey.handler(({ input }) => {
          keys.set(input.key, input.private_key);
          return {};
        }),
        check: on.keychain.check.handler(() => ({ ok: true, message: 'memory', advice: null })),
      },
      sharedKeys: {
        get: on.sharedKeys.get.handler(({ input }) => ({
          shared_key: keys.get(`${input.site}/shared-key`) ?? null,
        })),
        set: on.sharedKeys.set.handler(({ input }) => {
          keys.set(`${input.site}/shared-key`, input.shared_key);
          return {};
        }),
        forget: on.sharedKeys.forget.handler(({ input }) => {
          keys.delete(`${input.site}/shared-key`);
          return {};
        }),
      },
      blobs: {
        offer: on.blobs.offer.handler(({ input }) => ({
          blob: input.path,
          name: input.name,
          type: input.type,
          bytes: 0,
        })),
      },
    }),
  );
}
