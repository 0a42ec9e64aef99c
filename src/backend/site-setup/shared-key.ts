import { findSignatureAlgorithm } from '../../billing/index.ts';
import { type ContractInputs, createNonRetryableError, type SharedKeyStatus } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { listNewestSignedBodies } from '../store/replay/local-deliveries.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';

type SharedKeyContext = Pick<CommandContext, 'shell' | 'stores' | 'changes' | 'now' | 'user'>;

/** Stores a site's shared key. Throws `validation` if it does not reproduce the newest stored signature. */
export async function setSharedKey(
  { shell, stores, changes, now, user }: SharedKeyContext,
  { site, shared_key, accept_mismatch }: ContractInputs['sites']['setSharedKey'],
): Promise<SharedKeyStatus> {
  const { books, cache }: OpenSite = stores.open(site);
  const signatures = compareSignatures(cache, shared_key);
  if (signatures === 'differ' && accept_mismatch !== true) {
    throw createNonRetryableError(
      'validation',
      'The shared key does not reproduce the signature of the newest stored webhook. It was not stored.',
      'Copy the shared key from the service’s webhook settings. If it was changed there recently, confirm that it is new.',
    );
  }
  await shell.sharedKeys.set({ site, shared_key });
  runInTransaction(books, () =>
    addAuditEntry(books, {
      at: now(),
      user,
      action: 'sites.setSharedKey',
      subject: site,
      detail: { signatures },
    }),
  );
  changes.emit(site, 'audit');
  changes.emit(null, 'sites');
  return { stored: true, signatures };
}

/** Returns whether the shared key reproduces the newest stored signature. */
export function compareSignatures(cache: ReadableDb, key: string | null): SharedKeyStatus['signatures'] {
  const [newest] = listNewestSignedBodies(cache, 1);
  if (key === null || newest === undefined || newest.signature === null) return 'unknown';
  return findSignatureAlgorithm(key, newest.body, newest.signature) === null ? 'differ' : 'match';
}
