import type { BackendClient, ExceptionDetail } from '../../contract/index.ts';
import { type ExceptionAction, showNotice, type UndoAction } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.exceptions;
/** Maximum number of exceptions fetched for an undo, chosen by judgment. Undoing an acceptance fetches none. */
const MAX_LOOKUPS = 100;
/** Maximum number of ids that the backend accepts per call. */
const MAX_IDS_PER_CALL = 1000;

/** Yields the ids in batches that do not exceed the backend's limit per call. */
export function* splitIntoBatches(ids: readonly number[]): Iterable<number[]> {
  for (let from = 0; from < ids.length; from += MAX_IDS_PER_CALL) {
    yield ids.slice(from, from + MAX_IDS_PER_CALL);
  }
}

/**
 * Returns a function that undoes an action, or undefined for a permanent one, for example a comment.
 * Call this before the action, because it reads the previous state.
 */
export async function prepareExceptionUndo(
  client: BackendClient,
  site: string,
  act: ExceptionAction,
  ids: readonly number[],
): Promise<UndoAction | undefined> {
  if (act === 'comment') return undefined;
  if (act === 'accept') {
    return async () => {
      for (const batch of splitIntoBatches(ids)) {
        await client.exceptions.reopen({ site, ids: batch, reason: text.undoReason });
      }
      showNotice(text.dialogs.reopen.done(ids.length), 'good');
    };
  }
  if (ids.length > MAX_LOOKUPS) return undefined;
  const before = await Promise.all(ids.map((id) => client.exceptions.get({ site, id })));
  const earlierValue = act === 'assign' ? ({ assigned }: ExceptionDetail) => assigned : lastAcceptanceReason;
  const groups = [...Map.groupBy(before, earlierValue)].map(
    ([value, rows]) => [value, rows.map(({ id }) => id)] as const,
  );
  return async () => {
    for (const [value, group] of groups) {
      if (act === 'assign') await client.exceptions.assign({ site, ids: group, assigned: value });
      else await client.exceptions.accept({ site, ids: group, reason: value ?? text.undoReason });
    }
    showNotice(text.dialogs[act === 'assign' ? 'assign' : 'accept'].done(ids.length), 'good');
  };
}

/** Returns the reason given for the latest acceptance. */
function lastAcceptanceReason({ history }: ExceptionDetail): string | null {
  return history.findLast(({ action: what }) => what === 'accepted')?.text ?? null;
}
