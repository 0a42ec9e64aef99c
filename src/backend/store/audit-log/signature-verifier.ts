import type { AuditEntryContent } from './audit-log.ts';
import { type EntrySignature, verifyEntrySignature } from './signed-entry.ts';

/** First invalid entry of an audit log, with a sentence that describes the error. */
export interface AuditLogError {
  readonly seq: number;
  readonly reason: string;
}

/** Audit action that records a person's signing key before the first entry signed with the key. */
export const ADD_PERSON_ACTION = 'people.add';
/** Pattern of the audited actions that must be signed: the sign-offs of a period and the comments on its figures. */
export const SIGNED_ACTION_PATTERN =
  /^periods\.(submit|approve|reject|close|reopen|comment|answer|clear|explain-flux)$/;

/**
 * Verifies the signatures of an audit log's entries in order. A signature must use the key that the log records for the
 * signer. It must cover the entry and the state of the log that the signer saw.
 */
export class SignatureVerifier {
  readonly #rootAt: (entries: number) => string | null;
  readonly #keys = new Map<string, string>();
  /** Number of entries up to the last validly signed entry, inclusive. */
  #signed = 0;

  /** `rootAt` returns the Merkle root of the log's first `entries` entries, or null if the log has fewer. */
  constructor(rootAt: (entries: number) => string | null) {
    this.#rootAt = rootAt;
  }

  /** Verifies the next entry's signature if the entry requires one. Returns the error, or null if there is none. */
  add(seq: number, { action, subject, reason, detail }: AuditEntryContent): AuditLogError | null {
    if (action === ADD_PERSON_ACTION) this.#keys.set(subject, String(parseDetail(detail)['key']));
    if (!SIGNED_ACTION_PATTERN.test(action)) return null;
    const parsed = parseDetail(detail);
    const name = String(parsed['name']);
    const signature = verifyEntrySignature({ action, subject, reason, detail: parsed });
    const fail = (problem: string): AuditLogError => ({ seq, reason: `Entry ${seq} ${problem}` });
    if (signature === 'unsigned')
      return this.#keys.has(name) ? fail(`is not signed, although ${name} has a signing key.`) : null;
    if (signature === 'invalid') return fail(`does not match its signature by ${name}.`);
    if (this.#keys.get(name) !== signature.key)
      return fail(`is signed with a key that is not the recorded key of ${name}.`);
    return this.#compareLog(seq, signature);
  }

  #compareLog(seq: number, { name, log }: EntrySignature): AuditLogError | null {
    if (this.#rootAt(log.entries) === log.hash) {
      this.#signed = Math.max(this.#signed, seq);
      return null;
    }
    const first = Math.min(this.#signed + 1, log.entries);
    const range = first < log.entries ? `One of the entries ${first}–${log.entries}` : `Entry ${log.entries}`;
    return { seq: first, reason: `${range} is not as ${name} signed it with entry ${seq}.` };
  }
}

/** Parses an entry's detail. Returns an empty object for anything but a JSON object, for example in a forged log. */
function parseDetail(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
