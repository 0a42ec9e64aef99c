import { BillingError, type BillingErrorCode, type BillingErrorOptions } from '../errors/billing-error.ts';
import {
  CHECK_BEFORE_RESEND_HINT,
  type HttpExchangeContext,
  UNKNOWN_OUTCOME_TEXT,
} from '../errors/network-errors.ts';
import { parseHttpDate } from '../formats/instant.ts';
import { isJsonObject, type JsonValue, toJsonText } from '../formats/json-value.ts';
import { parseJson } from '../formats/parse-json.ts';
import { parseXml } from '../formats/parse-xml.ts';
import { UnreadableResponseError } from '../formats/unreadable-response.ts';
import { decompressBody, isHtmlPage } from './response-decoding.ts';
import type { ResponseHeaders } from './transport.ts';

/** The parts of a request that error messages mention. */
export interface RequestDescription extends HttpExchangeContext {
  /** Predicate of the error message for a 404, for example `has no statement 5`. */
  notFoundText: string;
}

/** A response whose body has been received completely. The body may be compressed. */
export interface CompleteResponse {
  status: number;
  headers: ResponseHeaders;
  body: Buffer;
}

const MAX_EXCERPT_LENGTH = 300;

/** Returns the delay from a `Retry-After` header (seconds or HTTP date) in milliseconds; null if absent. */
export function parseRetryAfter(headers: ResponseHeaders, now: number): number | null {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = parseHttpDate(value);
  return date === null ? null : Math.max(0, date - now);
}

function collectErrorTexts(errors: JsonValue | undefined): string[] {
  if (errors === undefined || errors === null || errors === '') return [];
  if (Array.isArray(errors)) return errors.flatMap((each) => collectErrorTexts(each));
  if (!isJsonObject(errors)) return [String(errors)];
  if ('error' in errors) return collectErrorTexts(errors['error']);
  return [toJsonText(errors)];
}

/** Returns the `errors` list of an error response verbatim; an empty list if there is none. */
function parseErrorTexts(text: string): string[] {
  const firstCharacter = /\S/.exec(text)?.[0];
  try {
    const tree = firstCharacter === '{' ? parseJson(text) : firstCharacter === '<' ? parseXml(text) : null;
    return isJsonObject(tree) ? collectErrorTexts(tree['errors'] ?? tree['error']) : [];
  } catch (error) {
    if (error instanceof UnreadableResponseError) return [];
    throw error;
  }
}

function decompressOrEmpty(compressed: Buffer, headers: ResponseHeaders): Buffer {
  try {
    return decompressBody(compressed, headers);
  } catch (error) {
    if (error instanceof UnreadableResponseError) return Buffer.alloc(0);
    throw error;
  }
}

/** Creates the error for a response with an error status. `now` is the local time, which is needed for `Retry-After`. */
export function createStatusError(
  request: RequestDescription,
  { status, headers, body }: CompleteResponse,
  now: number,
): BillingError {
  const { host, activity } = request;
  const content = decompressOrEmpty(body, headers);
  const webPage = isHtmlPage(content);
  const errors = webPage ? [] : parseErrorTexts(content.toString('utf8'));
  const retryAfterMs = parseRetryAfter(headers, now);
  const options: BillingErrorOptions = {
    status,
    ...(errors.length > 0 && { errors }),
    detail: describeContent(headers, content),
  };
  const reason = errors.length > 0 ? `: ${errors.join(' ')}` : '.';
  const webPageHint = webPage ? ' The response is a web page: check the site’s address.' : '';

  const createError = (code: BillingErrorCode, message: string, hint: string, more?: BillingErrorOptions) =>
    new BillingError(code, `${host} ${message}`, { ...options, hint, ...more });
  switch (status) {
    case 401: {
      const hint = `Enter the site’s API key again. The id of a key cannot be used in its place.${webPageHint}`;
      return createError('auth', `rejected the API key while ${activity}.`, hint);
    }
    case 403: {
      const hint = `Use a key with this permission, or ask the site’s administrator.${webPageHint}`;
      return createError('forbidden', `denied permission while ${activity}${reason}`, hint);
    }
    case 404: {
      const hint = 'It may have been deleted at the service. Data stored on this computer is kept.';
      return createError('not_found', `${request.notFoundText}.`, webPage ? webPageHint.trim() : hint);
    }
    case 409: {
      const hint = 'Check what the first request did before you send it again.';
      return createError('conflict', `reported a duplicate request while ${activity}${reason}`, hint);
    }
    case 422:
      return createRefusalError(request, options, reason);
    case 429: {
      const hint = 'Wait a few minutes and try again. Requests are now sent more slowly.';
      return createError('rate_limited', `limited the request rate while ${activity}.`, hint, {
        retryable: true,
        ...(retryAfterMs !== null && { retry_after_ms: retryAfterMs }),
      });
    }
    default:
      if (retryAfterMs !== null && (status >= 500 || status === 408)) options.retry_after_ms = retryAfterMs;
      // A failing server may also answer with a web page, so a web page does not prove that the address is wrong.
      return createUnexpectedStatusError(request, options, status < 500 ? `${reason}${webPageHint}` : reason);
  }
}

/** The service refuses reads, which have no input, for accounts that are canceled, deleted or being cleared. */
function createRefusalError(
  { host, activity, isWrite }: RequestDescription,
  options: BillingErrorOptions,
  reason: string,
): BillingError {
  if (isWrite) {
    const hint = 'Correct the input that the service names and try again.';
    return new BillingError('validation', `${host} rejected the input while ${activity}${reason}`, {
      ...options,
      hint,
    });
  }
  return new BillingError('service', `${host} refused ${activity}${reason}`, {
    ...options,
    hint: 'This is the service’s message about your account. Resolve it at the service, then try again.',
    detail: { ...options.detail, reason: 'refused' },
  });
}

function createUnexpectedStatusError(
  { host, activity, isWrite }: RequestDescription,
  options: BillingErrorOptions,
  reason: string,
): BillingError {
  const { status = 0 } = options;
  if (status < 500 && status !== 408) {
    return new BillingError('service', `${host} answered with status ${status} while ${activity}${reason}`, {
      ...options,
      hint: 'Check the site’s address. If it is correct, contact the billing service’s support.',
    });
  }
  const outcome = isWrite ? ` ${UNKNOWN_OUTCOME_TEXT}` : '';
  const message = `${host} failed with status ${status} while ${activity}${reason}${outcome}`;
  return new BillingError('service', message, {
    ...options,
    hint: isWrite ? CHECK_BEFORE_RESEND_HINT : 'The service has an internal error. Try again later.',
    retryable: !isWrite,
    outcome_unknown: isWrite,
  });
}

/** Creates the error for a successful response whose content cannot be read. */
export function createUnreadableResponseError(
  { host, activity, isWrite }: RequestDescription,
  reason: UnreadableResponseError,
  { status, headers, body }: CompleteResponse,
): BillingError {
  const content = decompressOrEmpty(body, headers);
  const webPage = isHtmlPage(content);
  const problem = webPage
    ? 'returned a web page instead of billing data'
    : `returned a response that ${reason.message}`;
  const outcome = isWrite ? ` ${UNKNOWN_OUTCOME_TEXT}` : '';
  const checkAddress =
    'Check the site’s address: enter the billing service’s address without a further path.';
  return new BillingError('service', `${host} ${problem} while ${activity}.${outcome}`, {
    hint: isWrite ? CHECK_BEFORE_RESEND_HINT : reason.isRetryable ? 'Try again.' : checkAddress,
    status,
    retryable: reason.isRetryable && !isWrite,
    outcome_unknown: isWrite,
    detail: { reason: webPage ? 'web_page' : 'unreadable', ...describeContent(headers, content) },
  });
}

function describeContent(headers: ResponseHeaders, content: Buffer) {
  return {
    content_type: headers['content-type'] ?? null,
    request_id: headers['x-request-id'] ?? null,
    excerpt: content.toString('utf8', 0, MAX_EXCERPT_LENGTH),
  };
}
