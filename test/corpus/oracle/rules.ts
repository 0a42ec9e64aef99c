/**
 * The oracle's rules. An assignment gives each line a set of payments or declares it a stranger. Each fact that the
 * assignment must excuse costs one or two errors. Assignments with at most `MARGIN` errors more than the best one are
 * consistent. A match is forced if all consistent assignments contain it.
 *
 * The numbers are chosen by judgment: two independent errors in the same few rows are considered impossible.
 */
export const MARGIN = 1;

/** Largest number of lines and payments of a component that is enumerated. */
export const MAX_ROWS = 300;

/** Largest number of errors of one answer. An answer with more errors is considered impossible. */
export const MAX_ERRORS = 2;

/** Number of search steps after which a component counts as too large. */
export const MAX_STEPS = 20_000;

export const COST = {
  /** One digit of an id is wrong, missing, added or exchanged with its neighbor, or the bank cut the id. */
  slippedId: 1,
  /** The line quotes a number that looks like an id and that no payment has. */
  unknownId: 1,
  /** The line quotes another payment's exact id. */
  otherId: 2,
  /** Initials, a surname, or a name cut at the column's width, without an exact id. */
  partialName: 1,
  /** The line names another payer but quotes the exact id. */
  otherName: 2,
  /** The line was booked outside the usual window. */
  unusualLag: 1,
  /** The bank deducted a fee, or the line pays only a part. */
  otherAmount: 1,
  /** A payment of a combined line has no quoted id, although others have one. */
  unquotedMember: 1,
  /** A payment has no line. */
  unpaid: 1,
  /** A stranger quotes a payment's exact id or a customer's number. */
  strangerWithId: 2,
  /** A stranger has the complete name of a customer. */
  strangerWithName: 2,
  /** A stranger has a name that can be a customer's. */
  strangerWithPartialName: 1,
  /** An anonymous stranger has an amount that exactly one payment has. */
  strangerWithRareAmount: 1,
} as const;

/** Days beyond the usual window that are possible without any identity, with a name, and with an exact id. */
export const EXTRA_DAYS = { before: 2, anonymous: 4, exactId: 60 } as const;

/** Limits for one line that pays several payments. */
export const COMBINED = { maxMembers: 6, maxCandidates: 16, extraDays: 10 } as const;

/** Words on fewer lines than this share can be names. Other words belong to the bank's wording. */
export const COMMON_WORD_SHARE = 0.02;
