import { z } from 'zod';
import type { BackendClient } from '../../contract/index.ts';
import type { LogWriter } from '../../host/index.ts';
import { isLaterVersion } from './version-order.ts';

/** Address of the latest release: a JSON document such as `{"version": "1.4.0"}`. */
export const RELEASES_URL = 'https://tieout.app/releases/latest.json';

/** Minimum time between two requests, in milliseconds. */
const REQUEST_INTERVAL_MS = 24 * 60 * 60_000;
const TIMEOUT_MS = 10_000;
/** Maximum length of the response in characters. Chosen by judgment. */
const MAX_RESPONSE_LENGTH = 10_000;

/** The headers are the same for every user. By default, Chromium would send the operating system and the language. */
const HEADERS = { accept: 'application/json', 'accept-language': 'en', 'user-agent': 'Tieout' };

const releaseSchema = z.object({ version: z.string().max(100) });

interface UpdateCheckOptions {
  readonly client: Pick<BackendClient, 'settings'>;
  readonly version: string;
  readonly url: string;
  readonly log: LogWriter;
  readonly signal: AbortSignal;
  fetch(url: string, init: RequestInit): Promise<Response>;
  now(): number;
}

/**
 * Requests the latest version if the user has turned on update notices and the last request is at least a day old.
 * Returns the version if it is later than this one. Otherwise, or after an error, which is only logged, returns null.
 */
export async function checkForUpdate(options: UpdateCheckOptions): Promise<string | null> {
  const { client, version, url, log, now } = options;
  try {
    const settings = await client.settings.all({});
    if (settings['updates.notify'] !== true || !isRequestDue(settings['updates.requested'], now()))
      return null;
    // Stored before the request, so that a failed request is not repeated on the same day.
    await client.settings.set({ key: 'updates.requested', value: now() });
    const latest = await requestLatestVersion(options);
    log({ level: 'info', msg: 'Checked for an update.', url, latest });
    return isLaterVersion(latest, version) ? latest : null;
  } catch (error) {
    log({ level: 'info', msg: 'The check for an update failed.', url, reason: String(error) });
    return null;
  }
}

/** Returns true unless the last request was less than a day ago. A time in the future results from a wrong clock. */
function isRequestDue(requested: unknown, now: number): boolean {
  return typeof requested !== 'number' || Math.abs(now - requested) >= REQUEST_INTERVAL_MS;
}

/** Sends one request without cookies, identifiers or redirects. @throws for any response without a version */
async function requestLatestVersion({ url, fetch, signal }: UpdateCheckOptions): Promise<string> {
  const answer = await fetch(url, {
    headers: HEADERS,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  let text = '';
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > MAX_RESPONSE_LENGTH) throw new Error('the response is too long');
  }
  return releaseSchema.parse(JSON.parse(text)).version;
}
