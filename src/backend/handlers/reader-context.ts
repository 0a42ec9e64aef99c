import type { ShellClient } from '../start.ts';
import type { ReadStores } from './read-stores.ts';

/** What the reading half works with. */
export interface ReaderContext {
  readonly home: string;
  readonly version: string;
  /** Who works here, as the audit log names him. */
  readonly user: string;
  readonly shell: ShellClient;
  readonly stores: ReadStores;
}
