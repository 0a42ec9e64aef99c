import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { StoreKind } from '../../../src/backend/store/migrations/migrate.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';

/** A folder of the test's own, gone when it has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store of the test's own, closed and gone when it has ended. */
export function temporaryStore(kind: StoreKind, path = join(temporaryFolder(), `${kind}.db`)): WritableDb {
  const db = openStore(path, kind);
  onTestFinished(() => closeStore(db));
  return db;
}
