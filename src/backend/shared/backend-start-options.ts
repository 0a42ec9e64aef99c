import type { MessagePort } from 'node:worker_threads';
import type { ContractRouterClient } from '@orpc/contract';
import type { BackendLink, MigrationProgress, shellContract } from '../../contract/index.ts';

/** Typed client for the functions that only the shell can perform. */
export type ShellClient = ContractRouterClient<typeof shellContract>;

/** Log entry that the backend sends to the shell. It never contains amounts, customers or keys. */
export interface LogRecord {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  readonly msg: string;
  readonly [field: string]: unknown;
}
export type ShellLog = (record: LogRecord) => void;

/** User name in the audit log if the operating system does not report one. */
export const UNKNOWN_USER = 'unknown';

/** Start parameters of the reader and the writer. */
export interface BackendStartOptions {
  /** Path of Tieout's data directory. */
  readonly home: string;
  readonly version: string;
  readonly shell: ShellClient;
  readonly log: ShellLog;
  /** User name from the operating system, for the audit log. */
  readonly user?: string | undefined;
  /** True if pages in a window may call the backend, and not only the command line. */
  readonly servesPages?: boolean;
  /** If set, the writer first migrates the databases of all sites and calls this function with the progress. */
  readonly reportMigration?: (progress: MigrationProgress) => void;
}

export interface Backend {
  /** Calls the backend within this process. Values are copied as JSON, as between threads, and outputs are validated. */
  readonly link: BackendLink;
  /** Serves the backend's procedures on a message port until the port closes. */
  serve(port: MessagePort): void;
  /** Returns true if the backend implements the procedure at a path. */
  hasProcedure(path: readonly string[]): Promise<boolean>;
  /** Finishes the current work and closes the databases. */
  close(): Promise<void>;
}
