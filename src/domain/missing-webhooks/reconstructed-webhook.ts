import type { ExpectedNotification, Payload, PayloadValue } from './notification.ts';

/** A webhook body that Tieout composed. It is marked in the id and in the body, and has no signature. */
export interface ReconstructedWebhook {
  /** Id that no webhook of the service can have: the service's ids are integers. */
  readonly id: string;
  readonly event: string;
  /** Form-encoded body in the service's encoding. */
  readonly body: string;
}

const MARK = 'reconstructed';

/** Composes a webhook from the known facts. The same facts always give the same id and body. */
export function reconstructWebhook(
  expected: ExpectedNotification,
  subdomain: string | null,
): ReconstructedWebhook {
  const { event, payload } = expected;
  const id = toReconstructedId(expected);
  const site: Payload = subdomain === null ? {} : { site: { subdomain } };
  const fields = { id, event, [MARK]: true, payload: { [MARK]: true, ...site, ...payload } };
  return { id, event, body: encodePairs(fields).join('&') };
}

/** Returns an id that differs for each notification. It names what the notification is about. */
export const toReconstructedId = ({ event, subject }: ExpectedNotification): string =>
  `${MARK}-${event}-${subject}`;

/** Encodes nested fields as the service does: raw brackets, values by encodeURIComponent, null as an empty value. */
function encodePairs(fields: { readonly [name: string]: PayloadValue }, parent = ''): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const key = parent === '' ? name : `${parent}[${name}]`;
    if (typeof value === 'object' && value !== null) return encodePairs(value, key);
    return `${key}=${value === null ? '' : encodeURIComponent(String(value).toWellFormed())}`;
  });
}
