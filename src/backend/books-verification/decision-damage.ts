import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { DecisionRecord } from './decision-subject.ts';
import { decisionSubjects } from './decision-subjects.ts';

/**
 * Compares the decisions stored in the books with the audit log, which contains each of them. Returns a sentence for
 * each subject with a different history or state. Does not verify the hashes of the log.
 */
export function* findDecisionDamage(books: ReadableDb): WorkSteps<string[]> {
  const problems: string[] = [];
  for (const { readLog, readBooks, describe } of decisionSubjects) {
    const log = yield* groupBySubject(readLog(books));
    const stored = yield* groupBySubject(readBooks(books));
    for (const subject of new Set([...log.keys(), ...stored.keys()])) {
      if (log.get(subject) !== stored.get(subject))
        problems.push(`Damaged or tampered with: ${describe(subject)}, which differs from the audit log.`);
    }
  }
  return problems;
}

/** Returns the contents of each subject's records in order, joined. */
function* groupBySubject(records: Iterable<DecisionRecord>): WorkSteps<Map<string, string>> {
  const contents = new Map<string, string>();
  for (const { subject, content } of records) {
    contents.set(subject, `${contents.get(subject) ?? ''}${content}\n`);
    yield;
  }
  return contents;
}
