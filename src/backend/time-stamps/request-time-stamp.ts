import { fetchPublic, requirePublicHost } from '../../billing/index.ts';
import { type AuditTimeStamp, createContractError, createNonRetryableError } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { readAppSettings, writeAppSetting } from '../sites/app-settings.ts';
import { addAuditEntry, readAuditReceipt } from '../store/audit-log/audit-log.ts';
import { createTimeStampRequest, verifyTimeStampResponse } from './time-stamp-token.ts';
import { TIME_STAMP_ACTION, toAuditTimeStamp } from './verify-time-stamps.ts';

/** Key of the app setting that stores the address of the authority used last. */
const AUTHORITY_SETTING = 'audit.time_stamp_authority';
const TIMEOUT_MS = 15_000;
/** Maximum size of a response in bytes, by judgment. Responses with several certificates have about 6 kB. */
const MAX_RESPONSE_BYTES = 64 * 1024;

type TimeStampContext = Pick<CommandContext, 'home' | 'stores' | 'changes' | 'user' | 'now' | 'servesPages'>;

/**
 * Requests a time stamp (RFC 3161) of the audit log's receipt, and adds it to the log. Only the receipt's hash is sent.
 * `authority` is an http or https address, by default the one used last. Throws `validation` without an address or, if a page
 * states it, for one in a local network,
 * `network` if the authority does not answer, and `service` if it refuses or its answer is not valid.
 */
export async function requestTimeStamp(
  { home, stores, changes, user, now, servesPages }: TimeStampContext,
  { site, authority }: { site: string; authority?: string | undefined },
): Promise<AuditTimeStamp> {
  const address = authority ?? readAppSettings(home)[AUTHORITY_SETTING];
  if (typeof address !== 'string')
    throw createNonRetryableError(
      'validation',
      'No time-stamp authority is set.',
      'Enter the address of an authority that supports RFC 3161, for example that of your signing provider.',
    );
  if (servesPages) await requirePublicHost(new URL(address).hostname);
  const receipt = readAuditReceipt(stores.open(site).books);
  const { request, nonce } = createTimeStampRequest(receipt.hash);
  const response = await postRequest(servesPages ? fetchPublic : fetch, new URL(address), request);
  const statement = readStatement(response, receipt.hash, nonce);
  const detail = { ...receipt, authority: statement.authority, response: response.toString('base64') };
  // The databases may have been closed while the authority answered.
  const { entries } = addAuditEntry(stores.open(site).books, {
    ...{ at: now(), user, action: TIME_STAMP_ACTION, subject: receipt.hash, detail },
  });
  writeAppSetting(home, AUTHORITY_SETTING, address);
  changes.emit(site, 'audit');
  changes.emit(null, 'settings');
  return toAuditTimeStamp({ seq: entries, receipt, statement });
}

function readStatement(response: Buffer, hash: string, nonce: Buffer) {
  try {
    return verifyTimeStampResponse(response, hash, nonce);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw createNonRetryableError(
      'service',
      `The time stamp ${problem}.`,
      'Nothing was recorded. Check the address of the authority, or use another one.',
    );
  }
}

async function postRequest(send: typeof fetch, address: URL, body: Buffer): Promise<Buffer> {
  const { host } = address;
  const unanswered = (reason: string) =>
    createContractError({
      ...{ code: 'network', message: `The time-stamp authority ${host} ${reason}.`, retryable: true },
      hint: 'The receipt can be time-stamped later.',
    });
  const response = await send(address, {
    ...{ method: 'POST', body: new Uint8Array(body), redirect: 'manual' },
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw unanswered('did not respond');
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw unanswered(`answered with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw unanswered('stopped responding');
  }
  if (bytes > MAX_RESPONSE_BYTES) throw unanswered('sent a response that is too large');
  return Buffer.concat(chunks);
}
