/** README of an evidence pack, written for readers without Tieout. */
export const PACK_README = `Evidence of a reconciliation, written by Tieout.

This folder is a bag (RFC 8493). manifest-sha256.txt lists every file in data/ with its SHA-256, and tagmanifest-sha256.txt
lists the manifest itself. To verify it without Tieout:

  sha256sum -c manifest-sha256.txt
  sha256sum -c tagmanifest-sha256.txt

With Tieout: tieout verify FILE.zip verifies the same and recomputes every hash of the audit log.

data/report/        the report as PDF, XLSX, CSV and JSON, each with the same figures
data/tables/        the records behind the figures as CSV (RFC 4180), amounts in cents
                    For a closed period, the report and the tables are as signed. Later changes are in tables/changes.csv
data/sources/       the imported files of banks and processors, unchanged
data/statements/    statement PDFs, named by statement id; data/index.csv lists the missing ones
data/index.csv      list of the files
data/audit.jsonl    the audit log, one entry per line. hash is the SHA-256 of the JSON array
                    [previous_hash, at, user, action, subject, reason, detail], or, for an entry without user and reason,
                    of [previous_hash, at, action, subject, detail]. at is UTC milliseconds, detail the text as stored
data/decisions.json decisions of people in a form that can be restored (tieout-decisions, version 2):
                    tieout restore FILE.zip lists the missing ones and restores them
data/pack.json      site, period, digest of the figures that the signatures name, and qualifications
`;
