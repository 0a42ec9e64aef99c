import type { ReactNode } from 'react';
import type { ArchiveSummary } from '../../contract/index.ts';
import { RelativeTime } from '../controls/values.tsx';
import { formatDate } from '../texts/moments.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive;

/** Shows the key figures of the archive: coverage, size, dates, and checks. */
export function ArchiveFigures({ summary }: { readonly summary: ArchiveSummary }) {
  const { statements, stored, files, bytes, versions, oldest, newest, oldest_check, daily_check, deleted } =
    summary;
  const due = daily_check?.due ?? 0;
  return (
    <section className="archive-figures" aria-label={text.summary}>
      <dl>
        <Figure
          name={text.covered}
          note={stored < statements ? text.missing(statements - stored) : text.allStored}
          warn={stored < statements}
        >
          {text.coveredOf(stored, statements)}
        </Figure>
        <Figure name={text.files} note={`${formatBytes(bytes)} · ${text.versions(versions)}`}>
          {formatCount(files)}
        </Figure>
        <Figure name={text.documents} note={newest === null ? '' : text.to(formatDate(newest))}>
          {oldest === null ? text.noDocuments : formatDate(oldest)}
        </Figure>
        <Figure name={text.read} note={formatCheckNote(summary)} warn={summary.wrong.length > 0}>
          {oldest_check === null ? text.never : <RelativeTime at={oldest_check} />}
        </Figure>
      </dl>
      <p className="fineprint">
        {text.daily} {due > 0 && text.dueToday(due)} {deleted > 0 && text.deleted(deleted)}
      </p>
    </section>
  );
}

function formatCheckNote({ wrong, lost, oldest_check, checked, files }: ArchiveSummary): string {
  if (wrong.length + lost > 0) return text.wrongFiles(wrong.length + lost);
  return oldest_check === null ? text.someChecked(checked, files) : text.allChecked;
}

interface FigureProps {
  readonly name: string;
  readonly note: string;
  readonly warn?: boolean;
  readonly children: ReactNode;
}

function Figure({ name, note, warn = false, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd className={warn ? 'archive-note archive-warn' : 'archive-note'}>{note}</dd>
    </div>
  );
}
