import type { MessagePort } from 'node:worker_threads';
import type { ContractRouterClient } from '@orpc/contract';
import { createRouterClient, implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { shellContract } from '../contract/index.ts';
import { type Keychain, toKeyHint, toSharedKeyEntryName } from './keychain.ts';
import type { OneTimeFiles } from './one-time-files.ts';

/** Typed client for the operations that the backend may request from its shell. */
export type ShellClient = ContractRouterClient<typeof shellContract>;

/** Implements the shell contract: over message ports for threads, and as a client for a backend in this process. */
export function createShell({ keychain, blobs }: { keychain: Keychain; blobs: OneTimeFiles }) {
  const on = implement(shellContract);
  const router = on.router({
    keychain: {
      get: on.keychain.get.handler(async ({ input }) => ({ api_key: await keychain.get(input.site) })),
      set: on.keychain.set.handler(async ({ input }) => {
        await keychain.set(input.site, input.api_key, input.allow_session_key);
        return {};
      }),
      forget: on.keychain.forget.handler(async ({ input }) => {
        await keychain.forget(input.site);
        return {};
      }),
      hint: on.keychain.hint.handler(async ({ input }) => {
        const key = await keychain.get(input.site);
        const is_session_key = keychain.isSessionKey(input.site);
        return { key_hint: key === null ? null : toKeyHint(key), is_session_key };
      }),
      getSigningKey: on.keychain.getSigningKey.handler(async ({ input }) => ({
        private_key: await keychain.getSigningKey(input.key),
      })),
      setSigningKey: on.keychain.setSigningKey.handler(async ({ input }) => {
        await keychain.setSigningKey(input.key, input.private_key);
        return {};
      }),
      check: on.keychain.check.handler(() => keychain.check()),
    },
    sharedKeys: {
      get: on.sharedKeys.get.handler(async ({ input }) => ({
        shared_key: await keychain.get(toSharedKeyEntryName(input.site)),
      })),
      set: on.sharedKeys.set.handler(async ({ input }) => {
        await keychain.set(toSharedKeyEntryName(input.site), input.shared_key);
        return {};
      }),
      forget: on.sharedKeys.forget.handler(async ({ input }) => {
        await keychain.forget(toSharedKeyEntryName(input.site));
        return {};
      }),
    },
    blobs: { offer: on.blobs.offer.handler(({ input }) => blobs.offer(input)) },
  });
  const handler = new RPCHandler(router);
  return {
    serve(port: MessagePort): void {
      handler.upgrade(port);
      port.start();
    },
    client: createRouterClient(router) as ShellClient,
  };
}
