import { join } from 'node:path';
import type { MigrationProgress } from '../../contract/index.ts';
import { countPendingMigrations } from '../store/database/open-current-store.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import type { StoreKind } from '../store/migrations/migrate.ts';
import { getSiteFolder, readSites } from './site-file.ts';

interface OutdatedStore {
  readonly path: string;
  readonly kind: StoreKind;
  readonly pending: number;
}

/**
 * Migrates databases from earlier versions. Reports the progress before and after each migration. Skips a database that
 * cannot be migrated; opening its site reports the error.
 */
export function migrateSites(home: string, report: (progress: MigrationProgress) => void): void {
  const outdated = findOutdatedStores(home);
  const total = outdated.reduce((sum, { pending }) => sum + pending, 0);
  if (total === 0) return;
  let done = 0;
  report({ done, total });
  for (const { path, kind, pending } of outdated) {
    const doneAfterwards = done + pending;
    const onMigrated = () => {
      done += 1;
      report({ done, total });
    };
    try {
      closeStore(openStore(path, kind, { onMigrated }));
    } catch {
      done = doneAfterwards;
      report({ done, total });
    }
  }
}

function findOutdatedStores(home: string): OutdatedStore[] {
  const kinds: readonly StoreKind[] = ['books', 'cache'];
  const stores = readSites(home).flatMap(({ site }) =>
    kinds.map((kind) => ({ kind, path: join(getSiteFolder(home, site), `${kind}.db`) })),
  );
  return stores
    .map(({ path, kind }) => ({ path, kind, pending: countPendingMigrations(path, kind) }))
    .filter(({ pending }) => pending > 0);
}
