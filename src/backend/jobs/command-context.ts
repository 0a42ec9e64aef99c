import type { RequestPacingOptions } from '../../billing/index.ts';
import type { ShellClient } from '../shared/backend-start-options.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import type { SiteLocks } from '../sites/site-lock.ts';
import type { ChangeEvents } from './change-events.ts';
import type { JobRunner } from './job-runner.ts';

/** Dependencies shared by all commands. */
export interface CommandContext {
  readonly home: string;
  readonly version: string;
  /** User name for the audit log. */
  readonly user: string;
  /** Local clock, UTC milliseconds. */
  readonly now: () => number;
  /** True if pages in a window may call the commands. Addresses that they state must be public. */
  readonly servesPages: boolean;
  readonly pacing?: RequestPacingOptions | undefined;
  readonly shell: ShellClient;
  readonly changes: ChangeEvents;
  readonly locks: SiteLocks;
  readonly stores: SiteDatabases;
  readonly jobs: JobRunner;
  /** Logs an unexpected error that occurred while `doing`. Returns the id of the log entry. */
  unexpected(error: unknown, doing: string): string;
}
