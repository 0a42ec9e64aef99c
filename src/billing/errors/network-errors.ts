import { BillingError } from './billing-error.ts';

/** Describes an HTTP exchange for use in error messages. */
export interface HttpExchangeContext {
  host: string;
  /** Gerund phrase that describes the request, for example `listing webhooks`. */
  activity: string;
  /** True if the request is a write, whose outcome is unknown if the response is lost. */
  isWrite: boolean;
}

/** Sentence that is added to the error message of a write whose response was lost. */
export const UNKNOWN_OUTCOME_TEXT = 'It is not known whether the change was made.';
export const CHECK_BEFORE_RESEND_HINT = 'Check whether the change was made before you send it again.';

const NAME_LOOKUP_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const UNREACHABLE_CODES = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL']);
const NO_CONNECTION_CODES = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO$)/;
const TIMEOUT_TEXTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'did not respond to the connection attempt in time',
  ETIMEDOUT: 'did not respond to the connection attempt in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not start to respond in time',
  UND_ERR_BODY_TIMEOUT: 'stopped responding in the middle of a response',
  TOTAL_TIMEOUT: 'did not complete the response in time',
};

function findErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? findErrorCode(error.cause) : 'UNKNOWN';
}

/** Returns true if an error means that the service cannot be reached, so that further requests would fail as well. */
export function isServiceUnreachable({ code, detail }: BillingError): boolean {
  if (code !== 'network' && code !== 'timeout') return false;
  const reason = String(detail['reason']);
  return (
    NAME_LOOKUP_CODES.has(reason) ||
    UNREACHABLE_CODES.has(reason) ||
    NO_CONNECTION_CODES.has(reason) ||
    TLS_CODES.test(reason)
  );
}

/** Converts the error of an incomplete HTTP exchange. Shows only its code, because its message may contain anything. */
export function toNetworkError(
  error: unknown,
  { host, activity, isWrite }: HttpExchangeContext,
): BillingError {
  const code = findErrorCode(error);
  const detail = { reason: code };
  const neverSent = (kind: 'network' | 'timeout', message: string, hint: string, retryable = true) =>
    new BillingError(kind, `${message} while ${activity}. Nothing was sent.`, { hint, retryable, detail });
  const perhapsSent = (kind: 'network' | 'timeout', message: string, hint: string) =>
    new BillingError(kind, `${message} while ${activity}.${isWrite ? ` ${UNKNOWN_OUTCOME_TEXT}` : ''}`, {
      hint: isWrite ? CHECK_BEFORE_RESEND_HINT : hint,
      retryable: !isWrite,
      outcome_unknown: isWrite,
      detail,
    });

  if (NAME_LOOKUP_CODES.has(code)) {
    const hint = 'Check that this computer is online and that the site’s address has no typing errors.';
    return neverSent('network', `No server named ${host} was found`, hint);
  }
  if (code === 'ECONNREFUSED') {
    const hint = 'Check the site’s address and port. If they are correct, the service is not running.';
    return neverSent('network', `${host} refused the connection`, hint);
  }
  if (UNREACHABLE_CODES.has(code))
    return neverSent('network', `${host} could not be reached`, 'Check that this computer is online.');
  if (TLS_CODES.test(code)) {
    const hint = 'Check the site’s address, this computer’s clock and any proxy in between.';
    return neverSent(
      'network',
      `No secure connection to ${host} could be established (${code})`,
      hint,
      false,
    );
  }
  const timeout = TIMEOUT_TEXTS[code];
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return neverSent('timeout', `${host} ${timeout}`, 'Check that this computer is online, then try again.');
  if (timeout !== undefined) return perhapsSent('timeout', `${host} ${timeout}`, 'Try again later.');
  const addressHint = 'Check the site’s address and port.';
  if (code.startsWith('HPE_'))
    return perhapsSent('network', `${host} sent an invalid HTTP response (${code})`, addressHint);
  return perhapsSent('network', `The connection to ${host} was lost (${code})`, 'Try again.');
}
