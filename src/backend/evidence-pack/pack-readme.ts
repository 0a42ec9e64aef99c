/** README of an evidence pack, written for readers without Tieout. */
export const PACK_README = `Evidence of a reconciliation, written by Tieout.

This folder is a bag (RFC 8493). manifest-sha256.txt lists every file in data/ with its SHA-256, and tagmanifest-sha256.txt
lists the manifest itself. To verify it without Tieout:

  sha256sum -c manifest-sha256.txt
  sha256sum -c tagmanifest-sha256.txt

With Tieout: tieout verify FILE.zip verifies the same, recomputes every hash of the audit log, and compares the files,
signatures and figures with the log. With --receipt and a receipt printed at an earlier sign-off, it proves that the log
up to that sign-off was not changed.

data/report/        the report as PDF, XLSX, CSV and JSON, each with the same figures
data/tables/        the records behind the figures as CSV (RFC 4180), amounts in cents
                    figure_rows.csv lists the rows behind every figure. ipe_figures.csv states the SHA-256 of the lines of each
                    figure, for example: grep '^S1.charges,USD,' figure_rows.csv | sha256sum
                    ipe_sources.csv and ipe_requests.csv list the sources, and what proves that they are complete
                    For a closed period, the report and the tables are as signed. Later changes are in tables/changes.csv
data/sources/       the imported files of banks and processors, unchanged
data/attachments/   files attached to comments, unchanged; data/tables/comments.csv lists the comments, also those
                    made after a sign-off
data/statements/    statement PDFs, named by statement id; data/index.csv lists the missing ones
data/index.csv      list of the files
data/audit.jsonl    the audit log, one entry per line. hash is the SHA-256 of a zero byte and the JSON array
                    [previous_hash, at, user, action, subject, reason, detail]; at is UTC milliseconds, detail the text as
                    stored. These hashes are the leaves of a Merkle tree (RFC 9162); a receipt is the root of the tree of
                    the first entries. The last entry, pack.files, states the SHA-256 of the files above and of index.csv,
                    which states those of the statement PDFs
                    Sign-offs (periods.submit, approve, reject, close, reopen) and comments on figures (periods.comment,
                    answer, clear) are signed: detail contains the signer’s public Ed25519 key, the statements that the
                    signer confirmed, the receipt of the log that was signed, and the signature of the canonical JSON
                    {action, detail without signature, reason, subject}. people.add records each person’s key
data/figures.json   the figures as canonical JSON (RFC 8785). Its SHA-256 is the digest that the signatures name
data/decisions.json decisions of people in a form that can be restored (tieout-decisions, version 2):
                    tieout restore FILE.zip lists the missing ones and restores them
data/pack.json      site, period, digest of the figures that the signatures name, and qualifications
`;
