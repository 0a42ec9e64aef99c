import { commentReferenceSchema, type ReportComment } from '../../../contract/index.ts';
import { listFigureComments } from '../../../domain/periods/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { findPeriod, listPeriodEntries } from '../periods/period.ts';
import type { ReadableDb } from '../sqlite/connection.ts';

/** Yields the events of the comments on a period's figures, comment by comment. */
export function* readReportComments(books: ReadableDb, name: string): Generator<ReportComment> {
  const period = findPeriod(books, name);
  if (period === null) return;
  const history = listPeriodEntries(books, period.id).map(({ about, ...entry }) => ({
    ...entry,
    about: about === null ? null : commentReferenceSchema.parse(JSON.parse(about)),
  }));
  for (const { events, ...comment } of listFigureComments(history))
    for (const { action, at, name: person, text, key } of events)
      yield {
        ...comment,
        action: action as ReportComment['action'],
        at: formatTimestamp(at),
        name: person,
        text,
        key,
      };
}
