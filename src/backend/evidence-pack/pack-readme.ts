/** README of an evidence pack, written for readers without Tieout. */
export const PACK_README = `Evidence of a reconciliation, made by Tieout.

This folder is a bag (RFC 8493). manifest-sha256.txt lists every file below data/ with its SHA-256, tagmanifest-sha256.txt the
manifest itself. To check it without Tieout:

  sha256sum -c manifest-sha256.txt
  sha256sum -c tagmanifest-sha256.txt

With it: tieout verify FILE.zip checks the same, and works out every hash of the audit log anew.

data/report/        the report as PDF, XLSX, CSV and JSON: the same figures in each
data/tables/        what the figures rest on, as CSV (RFC 4180), money in cents
                    Of a closed period both are as it was signed, to the row; what is otherwise by now stands in
                    tables/changes.csv
data/sources/       the files of banks and processors, byte for byte as they were given
data/statements/    statement PDFs by the id of the statement; those that are missing are named in data/index.csv
data/index.csv      what each file is
data/audit.jsonl    the audit log, an entry a line. hash is the SHA-256 of the JSON array
                    [previous_hash, at, who, action, subject, why, detail]; of entries with neither who nor why,
                    of [previous_hash, at, action, subject, detail]. at is ms UTC, detail the text as it stands here
data/decisions.json what people decided, in the form from which it can be restored (tieout-decisions, version 2):
                    tieout restore FILE.zip shows what of it is missing, and restores that
data/pack.json      of what site and period this is, the digest of the figures that signatures name, and what qualifies them
`;
