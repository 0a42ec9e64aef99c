import type { SiteFile } from '../../host/glance.ts';

/** Input from the process besides the command's arguments. */
export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly apiKey: string | undefined;
}

export interface GlobalOptions {
  readonly home?: string;
  readonly site?: string;
  readonly json?: true;
  readonly ndjson?: true;
  readonly csv?: true;
  readonly quiet?: true;
  readonly debug?: true;
}

/** A site as stored. Only the keychain knows whether it has a key. */
export type StoredSite = SiteFile;
