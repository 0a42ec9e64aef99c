import { BillingError } from './errors.ts';

/** What a failed exchange was about, for its message. */
export interface Attempted {
  /** The host, as people know it. */
  host: string;
  /** What was going on, such as `listing webhooks`. */
  doing: string;
  /** A write: an answer that got lost leaves its outcome unknown. */
  write: boolean;
}

const NAME = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL']);
const NO_CONNECTION = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO$)/;
const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'could not be reached in time',
  ETIMEDOUT: 'could not be reached in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not begin to answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its answer',
  TOTAL_TIMEOUT: 'did not finish its answer in time',
};

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : 'UNKNOWN';
}

/** Whether an error says that no connection to the service can be had: nothing else that is asked of it will do better. */
export function isUnreachable({ code, detail }: BillingError): boolean {
  if (code !== 'network' && code !== 'timeout') return false;
  const reason = String(detail['reason']);
  return NAME.has(reason) || UNREACHABLE.has(reason) || NO_CONNECTION.has(reason) || TLS.test(reason);
}

/** The error of an exchange that brought no whole answer. What undici says is told by code only: its text may hold anything. */
export function networkError(error: unknown, { host, doing, write }: Attempted): BillingError {
  const code = codeOf(error);
  const detail = { reason: code };
  const neverSent = (kind: 'network' | 'timeout', message: string, hint: string, retryable = true) =>
    new BillingError(kind, `${message} while ${doing}. Nothing was sent.`, { hint, retryable, detail });
  const perhapsSent = (kind: 'network' | 'timeout', message: string, hint: string) =>
    new BillingError(kind, `${message} while ${doing}.${write ? ' Whether it was done is not known.' : ''}`, {
      hint: write ? 'Look it up before it is sent again.' : hint,
      retryable: !write,
      outcome_unknown: write,
      detail,
    });

  if (NAME.has(code)) {
    return neverSent(
      'network',
      `No server by the name of ${host} was found`,
      'Check that this computer is online, and the site’s address for typing errors.',
    );
  }
  if (code === 'ECONNREFUSED') {
    return neverSent(
      'network',
      `${host} refused the connection`,
      'Check the site’s address and port; if they are right, the service is not running.',
    );
  }
  if (UNREACHABLE.has(code)) {
    return neverSent('network', `${host} could not be reached`, 'Check that this computer is online.');
  }
  if (TLS.test(code)) {
    return neverSent(
      'network',
      `No secure connection to ${host} could be made (${code})`,
      'Check the site’s address and this computer’s clock; a proxy may stand in between.',
      false,
    );
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return neverSent(
      'timeout',
      `${host} ${TIMEOUTS[code]}`,
      'Check that this computer is online; try again later.',
    );
  }
  const timeout = TIMEOUTS[code];
  if (timeout !== undefined) return perhapsSent('timeout', `${host} ${timeout}`, 'Try again later.');
  if (code.startsWith('HPE_')) {
    return perhapsSent(
      'network',
      `${host} does not answer in HTTP (${code})`,
      'Check the site’s address and port.',
    );
  }
  return perhapsSent('network', `The connection to ${host} broke (${code})`, 'Try again.');
}
