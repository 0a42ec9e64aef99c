import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { StoreKind } from '../../../src/backend/store/migrations/migrate.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';

/** Creates a folder that is deleted at the end of the test. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a database that is closed and deleted at the end of the test. */
export function openTemporaryStore(
  kind: StoreKind,
  path = join(createTemporaryFolder(), `${kind}.db`),
): WritableDb {
  const db = openStore(path, kind);
  onTestFinished(() => closeStore(db));
  return db;
}
