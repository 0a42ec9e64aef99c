import type { ReadableDb } from '../store/sqlite/connection.ts';

/** A decision in a form that is equal for the audit log and the books. */
export interface DecisionRecord {
  readonly subject: string;
  readonly content: string;
}

/** A kind of decision whose history is stored in the books and stated in the audit log. Both are read oldest first. */
export interface DecisionSubject {
  readonly readLog: (books: ReadableDb) => Iterable<DecisionRecord>;
  readonly readBooks: (books: ReadableDb) => Iterable<DecisionRecord>;
  /** Returns a noun phrase for a subject. */
  readonly describe: (subject: string) => string;
}
