import type { ReadableDb } from '../store/sqlite/connection.ts';

/** A decision as text, which must be equal in the audit log and in the books. */
export interface DecisionRecord {
  readonly subject: string;
  readonly content: string;
}

/** A kind of decision that the books store and the audit log repeats. Both are read oldest first. */
export interface DecisionSubject {
  readonly readLog: (books: ReadableDb) => Iterable<DecisionRecord>;
  readonly readBooks: (books: ReadableDb) => Iterable<DecisionRecord>;
  /** Returns a noun phrase for a subject. */
  readonly describe: (subject: string) => string;
}
