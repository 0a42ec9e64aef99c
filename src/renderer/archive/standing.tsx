import type { ReactNode } from 'react';
import type { ArchiveSummary } from '../../contract/index.ts';
import { Ago } from '../controls/values.tsx';
import { dateText } from '../words/moments.ts';
import { bytesText, countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';

const text = words.archive;

/** What is held, in figures. */
export function Standing({ summary }: { readonly summary: ArchiveSummary }) {
  const { statements, held, files, bytes, versions, oldest, newest, oldest_check, round, deleted } = summary;
  const due = round?.due ?? 0;
  return (
    <section className="archive-standing" aria-label={text.standing}>
      <dl>
        <Figure
          name={text.covered}
          note={held < statements ? text.missing(statements - held) : text.allHere}
          warn={held < statements}
        >
          {text.coveredOf(held, statements)}
        </Figure>
        <Figure name={text.files} note={`${bytesText(bytes)} · ${text.versions(versions)}`}>
          {countText(files)}
        </Figure>
        <Figure name={text.documents} note={newest === null ? '' : text.to(dateText(newest))}>
          {oldest === null ? text.noDocuments : dateText(oldest)}
        </Figure>
        <Figure name={text.read} note={readNote(summary)} warn={summary.wrong.length > 0}>
          {oldest_check === null ? text.never : <Ago at={oldest_check} />}
        </Figure>
      </dl>
      <p className="fineprint">
        {text.daily} {due > 0 && text.dueToday(due)} {deleted > 0 && text.deleted(deleted)}
      </p>
    </section>
  );
}

function readNote({ wrong, lost, oldest_check, checked, files }: ArchiveSummary): string {
  if (wrong.length + lost > 0) return text.wrongFiles(wrong.length + lost);
  return oldest_check === null ? text.notAllRead(checked, files) : text.allRead;
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
