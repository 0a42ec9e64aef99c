import { z } from 'zod';
import { createSortSchema, field, toPageSchema } from '../shared/common-schemas.ts';
import { definePageQuery, defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';

/** A recorded action on a site. The log is append-only. Each entry contains the hash of the previous entry. */
export const auditEntrySchema = z.object({
  /** Sequence number, starting at 1 without gaps. */
  seq: z.int(),
  at: field.moment,
  /** Operating system user, or `unknown`. It is an assertion, not proof of identity. */
  user: z.string(),
  /** Action as noun.verb, for example `exceptions.accept`, `check.switch`, `replay.run` or `sites.add`. */
  action: z.string(),
  /** Object of the action: an exception ID, a rule, a plan or a site. */
  subject: z.string(),
  /** Reason given by the user; null if the action requires none. */
  reason: z.string().nullable(),
  detail: z.record(z.string(), z.json()),
  /** SHA-256 of the entry's content and the previous entry's hash, in hex. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Hash of an audit log receipt, as entered by a person. */
export const receiptHashSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

/** Receipt of the audit log. A copy stored elsewhere proves later that no entry up to the receipt was changed. */
export const auditReceiptSchema = z.object({
  /** Number of entries that the receipt covers. */
  entries: z.int(),
  /** Root of the Merkle tree (RFC 9162) of these entries: 32 bytes in hex. */
  hash: z.string(),
});
export type AuditReceipt = z.infer<typeof auditReceiptSchema>;

/** A time stamp (RFC 3161): an authority states that a receipt of the audit log existed at a time. */
export const auditTimeStampSchema = auditReceiptSchema.extend({
  /** Entry of the audit log that contains the time stamp. */
  seq: z.int(),
  /** Time that the authority states; null if the time stamp is not valid. */
  at: field.moment.nullable(),
  /** Subject of the authority's certificate, for example `CN=Example TSA`; null if the time stamp is not valid. */
  authority: z.string().nullable(),
  /** SHA-256 of the authority's certificate in hex; null if the time stamp is not valid. */
  certificate: z.string().nullable(),
  /** True if the certificate was issued under a root certificate that Node.js trusts. */
  is_trusted: z.boolean(),
  /** Sentence that says why the time stamp is not valid; null if it is valid. */
  problem: z.string().nullable(),
});
export type AuditTimeStamp = z.infer<typeof auditTimeStampSchema>;

const auditVerdictSchema = z.object({
  ok: z.boolean(),
  /** Number of audit log entries. */
  entries: z.int(),
  /** Sequence number of the first invalid entry; null if all entries are valid. */
  broken_at: z.int().nullable(),
  /** Description of the problem with the first invalid entry. */
  reason: z.string().nullable(),
  /** Hash of the last audit log entry. */
  head: z.string().nullable(),
  /** Receipt of the valid entries. */
  receipt: auditReceiptSchema,
  /** Number of entries that the requested hash proves; null if no hash was requested or the log never had this hash. */
  known_hash_seq: z.int().nullable(),
});
const auditVerificationSchema = auditVerdictSchema.extend({
  /** Sentences that name decisions whose stored form differs from the audit log. */
  differences: z.array(z.string()),
  /** Time stamps of the log, oldest first. */
  time_stamps: z.array(auditTimeStampSchema),
});
export type AuditVerdict = z.infer<typeof auditVerdictSchema>;
export type AuditVerification = z.infer<typeof auditVerificationSchema>;

export const auditFilterSchema = z.object({
  /** Action to select: a complete one (`replay.run`) or all actions of an area (`replay`). */
  action: z.string().max(60).optional(),
  /** Areas to select. An area is the first part of an action, for example `match`. */
  area: z.array(z.string().max(40)).max(100).optional(),
  user: z.array(z.string().max(200)).max(100).optional(),
  subject: z.string().max(200).optional(),
  /** First and last day, in the site's time zone as the service sends it. */
  since: field.date.optional(),
  until: field.date.optional(),
  /** Text of an action's label, a subject, a user, a reason or the details. Ignores the case of letters A to Z. */
  search: field.search.optional(),
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const auditProcedures = {
  /** Lists audit log entries, newest first by default. */
  list: definePageQuery({
    filter: auditFilterSchema.default({}),
    sort: createSortSchema(['seq'], 'desc'),
  }).output(toPageSchema(auditEntrySchema)),
  get: defineSiteQuery({ seq: z.int().positive() }).output(auditEntrySchema),
  /** Lists the areas and users that occur in the log, with their numbers of entries. */
  facets: defineSiteQuery().output(
    z.object({
      areas: z.array(z.object({ area: z.string(), entries: z.int() })),
      users: z.array(z.object({ user: z.string(), entries: z.int() })),
    }),
  ),
  /**
   * Recomputes every hash, compares the stored decisions with the log, and compares the log with its anchor, a copy of
   * the last hash outside the books. A change stays unnoticed only if the whole log and its anchor were replaced
   * together. `known_hash` is the hash of a receipt or an entry that is stored elsewhere. If the log once had this
   * hash, no entry up to it was changed.
   */
  verify: defineSiteQuery({
    known_hash: receiptHashSchema.optional(),
  }).output(auditVerificationSchema),
  /**
   * Requests a time stamp (RFC 3161) of the log's current receipt from an authority, and adds it to the log. Only the hash
   * is sent. Without `authority`, uses the one used last. Throws `network` if the authority does not answer, and `service`
   * if its answer is not valid; then nothing is recorded.
   */
  timeStamp: defineSiteCommand({
    authority: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
  }).output(auditTimeStampSchema),
};
