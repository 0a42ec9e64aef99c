import type { AuditEntryContent } from './audit-log.ts';
import { type EntrySignature, verifyEntrySignature } from './signed-entry.ts';

/** The first entry that is not as it was written, and what is wrong with it as a sentence. */
export interface AuditLogError {
  readonly seq: number;
  readonly reason: string;
}

/** Audited action that records the signing key of a person, before the first entry that the key signs. */
export const ADD_PERSON_ACTION = 'people.add';
/** Sign-offs, which are signed. */
export const SIGNED_ACTION = /^periods\.(submit|approve|reject|close|reopen)$/;

/**
 * Verifies the signatures of an audit log's entries in their order: each is made with the key that the log records for
 * the signer, and covers the entry and everything before that the signer had before them.
 */
export class SignatureVerifier {
  readonly #rootAt: (entries: number) => string | null;
  readonly #keys = new Map<string, string>();
  /** Number of entries that the last valid signature covers, including its own. */
  #signed = 0;

  /** `rootAt` returns the root of the first entries, or null if there are fewer. */
  constructor(rootAt: (entries: number) => string | null) {
    this.#rootAt = rootAt;
  }

  /** Verifies the signature of the next entry, if it must have one. Returns what is wrong, or null. */
  add(seq: number, { action, subject, reason, detail }: AuditEntryContent): AuditLogError | null {
    if (action === ADD_PERSON_ACTION) this.#keys.set(subject, String(parseDetail(detail)['key']));
    if (!SIGNED_ACTION.test(action)) return null;
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

/** Returns the detail of an entry; an empty object if it is not one, as in a forged log. */
function parseDetail(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
