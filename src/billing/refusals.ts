import { isWebPage, unpacked } from './answers.ts';
import { BillingError, type BillingErrorFacts } from './errors.ts';
import { httpDate } from './instant.ts';
import { parseJson } from './json.ts';
import type { Attempted } from './network-errors.ts';
import type { Headers } from './transport.ts';
import { Unreadable } from './unreadable.ts';
import { isObject, type JsonValue, print } from './value.ts';
import { parseXml } from './xml.ts';

/** What a call asks, for the messages of its errors. */
export interface Asked extends Attempted {
  /** What a 404 means, such as `has no statement 5`. */
  missing: string;
}

const EXCERPT = 300;

/** A `Retry-After` of seconds or of an HTTP date, in ms from now. */
export function retryAfter(headers: Headers, now: number): number | null {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = httpDate(value);
  return date === null ? null : Math.max(0, date - now);
}

function listed(errors: JsonValue | undefined): string[] {
  if (errors === undefined || errors === null || errors === '') return [];
  if (Array.isArray(errors)) return errors.flatMap((each) => listed(each));
  if (!isObject(errors)) return [String(errors)];
  if ('error' in errors) return listed(errors['error']);
  return [print(errors)];
}

/** The `errors` of a refusal, word for word; none where the body is no such thing. */
function errorsIn(text: string): string[] {
  const sign = /\S/.exec(text)?.[0];
  try {
    const tree = sign === '{' ? parseJson(text) : sign === '<' ? parseXml(text) : null;
    if (!isObject(tree ?? undefined)) return [];
    return listed(
      (tree as Record<string, JsonValue>)['errors'] ?? (tree as Record<string, JsonValue>)['error'],
    );
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

function readable(packed: Buffer, headers: Headers): Buffer {
  try {
    return unpacked(packed, headers);
  } catch (error) {
    if (error instanceof Unreadable) return Buffer.alloc(0);
    throw error;
  }
}

/** The error of an answer whose status is not a success. `now` is our clock, for `Retry-After`. */
export function refusal(
  asked: Asked,
  status: number,
  headers: Headers,
  packed: Buffer,
  now: number,
): BillingError {
  const { host, doing } = asked;
  const body = readable(packed, headers);
  const webPage = isWebPage(body);
  const errors = webPage ? [] : errorsIn(body.toString('utf8'));
  const wait = retryAfter(headers, now);
  const facts: BillingErrorFacts = {
    status,
    ...(errors.length > 0 ? { errors } : {}),
    detail: {
      content_type: headers['content-type'] ?? null,
      request_id: headers['x-request-id'] ?? null,
      excerpt: body.toString('utf8', 0, EXCERPT),
    },
  };
  const said = errors.length > 0 ? `: ${errors.join(' ')}` : '.';
  const elsewhere = webPage ? ' A web page came back: check the site’s address.' : '';

  switch (status) {
    case 401:
      return new BillingError('auth', `${host} refused the API key while ${doing}.`, {
        ...facts,
        hint: `Replace the key of this site; the id of a key does not work in its place.${elsewhere}`,
      });
    case 403:
      return new BillingError('forbidden', `${host} does not allow this key ${doing}${said}`, {
        ...facts,
        hint: `Use a key that may do this, or ask whoever manages the site.${elsewhere}`,
      });
    case 404:
      return new BillingError('not_found', `${host} ${asked.missing}.`, {
        ...facts,
        hint: webPage
          ? 'A web page came back: check the site’s address.'
          : 'It may be gone at the service; what is held here stays.',
      });
    case 409:
      return new BillingError('conflict', `${host} has had this request before, ${doing}${said}`, {
        ...facts,
        hint: 'Look up what the first one did before it is sent again.',
      });
    case 422:
      return new BillingError('validation', `${host} did not accept the input while ${doing}${said}`, {
        ...facts,
        hint: 'Correct what the service names and try again.',
      });
    case 429:
      return new BillingError(
        'rate_limited',
        `${host} wants fewer requests; it refused one while ${doing}.`,
        {
          ...facts,
          hint: 'Wait some minutes and go on; requests are sent more slowly from now.',
          retryable: true,
          ...(wait === null ? {} : { retry_after_ms: wait }),
        },
      );
    default:
      // A server that fails may say so with a page; that is no sign of another address.
      return unexpected(asked, status, facts, wait, status < 500 ? `${said}${elsewhere}` : said);
  }
}

function unexpected(
  { host, doing, write }: Asked,
  status: number,
  facts: BillingErrorFacts,
  wait: number | null,
  said: string,
): BillingError {
  if (status < 500 && status !== 408) {
    return new BillingError('service', `${host} answered ${doing} with status ${status}${said}`, {
      ...facts,
      hint: 'Check the site’s address; if it is right, show this to the service’s support.',
    });
  }
  const unknown = write ? ' Whether it was done is not known.' : '';
  return new BillingError('service', `${host} failed with status ${status} while ${doing}${said}${unknown}`, {
    ...facts,
    hint: write
      ? 'Look it up before it is sent again.'
      : 'The service has a fault of its own; try again later.',
    retryable: !write,
    outcome_unknown: write,
    ...(wait === null ? {} : { retry_after_ms: wait }),
  });
}

/** The error of a success whose content cannot be read. */
export function unreadable(
  asked: Asked,
  why: Unreadable,
  status: number,
  headers: Headers,
  packed: Buffer,
): BillingError {
  const { host, doing, write } = asked;
  const body = readable(packed, headers);
  const webPage = isWebPage(body);
  const what = webPage
    ? 'answered with a web page, not as the billing service'
    : `gave an answer that ${why.message}`;
  const unknown = write ? ' Whether it was done is not known.' : '';
  const check = 'Check the site’s address: it must be the one of the billing service, without further path.';
  return new BillingError('service', `${host} ${what}, while ${doing}.${unknown}`, {
    hint: write ? 'Look it up before it is sent again.' : why.again ? 'Try again.' : check,
    status,
    retryable: why.again && !write,
    outcome_unknown: write,
    detail: {
      reason: webPage ? 'web_page' : 'unreadable',
      content_type: headers['content-type'] ?? null,
      request_id: headers['x-request-id'] ?? null,
      excerpt: body.toString('utf8', 0, EXCERPT),
    },
  });
}
