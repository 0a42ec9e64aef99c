import type { SiteFile } from '../../host/read-only-home.ts';

/** Process input to a command, apart from its arguments. */
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

/** A site as stored in its file. Only the keychain knows whether it has an API key. */
export type StoredSite = SiteFile;
