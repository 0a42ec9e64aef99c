import { createAppendOnlyTriggers } from './append-only-triggers.ts';

/** Tables with a column `comments`, the number of comments on the row, by the kind of subject. */
const countedTables = {
  exception: 'exception',
  match: 'match_group',
  line: 'bank_line',
  payment: 'match_payment',
} as const;

const countTriggers = Object.entries(countedTables).map(
  ([kind, table]) => `
CREATE TRIGGER comment_count_${kind} AFTER INSERT ON comment WHEN NEW.kind = '${kind}' BEGIN
  UPDATE ${table} SET comments = comments + 1 WHERE id = CAST(NEW.subject AS INTEGER);
END;`,
);

export const commentTables = `
-- Comments on records. subject: the record's id as text, or a month for a period.
CREATE TABLE comment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('period', 'exception', 'match', 'line', 'payment', 'payout', 'statement')),
  subject TEXT NOT NULL,
  at INTEGER NOT NULL,
  user TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX comment_subject ON comment (kind, subject);
${createAppendOnlyTriggers('comment', 'comments are append-only')}
${countTriggers.join('')}

-- Files attached to a comment. Their content is stored in a file named by its SHA-256.
CREATE TABLE comment_file (
  comment_id INTEGER NOT NULL REFERENCES comment (id),
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  PRIMARY KEY (comment_id, number)
) STRICT, WITHOUT ROWID;
${createAppendOnlyTriggers('comment_file', 'attached files are append-only')}
`;
