import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { ledgerAccountKeySchema } from './ledger.ts';

export const journalStateSchema = z.enum(['proposed', 'approved', 'exported', 'posted', 'discarded']);
export const journalFormatSchema = z.enum(['quickbooks', 'xero', 'netsuite', 'datev', 'sage']);

const journalLineSchema = z.object({
  account: z.string(),
  /** Name of the account; null if it has none. */
  name: z.string().nullable(),
  area: z.string().nullable(),
  debit_in_cents: field.cents,
  credit_in_cents: field.cents,
});

/** A journal entry. Its lines always balance. */
const journalEntrySchema = z.object({
  id: z.int(),
  period: field.period,
  /** Number, for example `T2026-10-0007`; null until the entry is approved. */
  number: z.string().nullable(),
  /** `posted`: found in a ledger import. */
  state: journalStateSchema,
  /** Template of a proposal, `manual`, `recurring` or `reversal`. */
  template: z.string(),
  dated_on: field.date,
  currency: z.string(),
  memo: z.string(),
  lines: z.array(journalLineSchema),
  total_in_cents: field.cents,
  /** Reason why the entry cannot be approved, for example an area without an account; null if it can. */
  blocker: z.string().nullable(),
  /** Date on which a reversing entry is proposed; null for none. */
  reverses_on: field.date.nullable(),
  repeats: z.enum(['monthly']).nullable(),
  repeats_until: field.period.nullable(),
  made_by: z.string(),
  approved_by: z.string().nullable(),
  /** Day of the ledger line that posts the entry; null until a ledger import contains the entry. */
  posted_on: field.date.nullable(),
  reason: z.string().nullable(),
});
export type JournalEntry = z.infer<typeof journalEntrySchema>;

const ids = z.array(field.rowId).min(1).max(1000);

export const journalProcedures = {
  /** Lists journal entries by period and number. Without a period, lists those of all periods. */
  list: defineSiteQuery({ period: field.period.optional() }).output(z.array(journalEntrySchema)),
  /**
   * Proposes entries for the explained differences of a period, its recurring entries and the reversals of earlier ones.
   * Proposals that no longer apply are discarded; approved entries stay. Returns the entries of the period.
   */
  propose: defineSiteCommand({ period: field.period }).output(z.array(journalEntrySchema)),
  /** Adds an entry. Throws `validation` if it does not balance, and `period_locked` in a closed period. */
  add: defineSiteCommand({
    period: field.period,
    /** By default, the last day of the period. */
    dated_on: field.date.optional(),
    currency: field.currencyCode.optional(),
    memo: z.string().trim().min(1).max(200),
    lines: z
      .array(
        z.object({
          account: ledgerAccountKeySchema,
          debit_in_cents: field.cents.nonnegative().default(0),
          credit_in_cents: field.cents.nonnegative().default(0),
        }),
      )
      .min(2)
      .max(100),
    reverses_on: field.date.optional(),
    repeats: z.enum(['monthly']).optional(),
    repeats_until: field.period.optional(),
  }).output(journalEntrySchema),
  /** Approves proposed entries and numbers them. Throws `conflict` if an entry is not proposed or has a blocker. */
  approve: defineSiteCommand({ ids }).output(z.array(journalEntrySchema)),
  /** Discards entries that are not posted. Throws `conflict` for others. */
  discard: defineSiteCommand({ ids, reason: field.reason }).output(z.array(journalEntrySchema)),
  /**
   * Returns the approved entries of a period as a file for an accounting system, and marks them as exported. `again` includes
   * entries that were exported before. Throws `not_found` if there are none.
   */
  export: defineSiteCommand({
    period: field.period,
    format: journalFormatSchema,
    again: z.boolean().default(false),
  }).output(
    z.object({ name: z.string(), text: z.string(), sha256: z.string(), entries: z.array(z.string()) }),
  ),
};
