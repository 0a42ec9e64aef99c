import type { ShellClient } from '../shared/backend-start-options.ts';
import type { ReadOnlyDatabases } from './read-only-databases.ts';

/** Dependencies of the queries. */
export interface ReaderContext {
  readonly home: string;
  readonly version: string;
  /** User name for the audit log. */
  readonly user: string;
  readonly shell: ShellClient;
  readonly stores: ReadOnlyDatabases;
}
