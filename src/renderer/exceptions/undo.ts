import type { Client, ExceptionDetail } from '../../contract/index.ts';
import { type ExceptionAct, notify, type Undo } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.exceptions;
/** Of more than these it is not asked how each one was; accepting, which needs no asking, can be taken back of any number. */
const MOST = 100;
/** The most that one call takes. */
const AT_ONCE = 1000;

/**
 * What takes a decision back, to be asked for before it is made; undefined where nothing can. Both stay in the history and
 * in the audit log: a comment, which is nothing else, cannot be taken back.
 */
export async function undoOf(
  client: Client,
  site: string,
  act: ExceptionAct,
  ids: readonly number[],
): Promise<Undo | undefined> {
  if (act === 'comment') return undefined;
  if (act === 'accept') {
    return async () => {
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE);
        await client.exceptions.reopen({ site, ids: some, reason: text.undone });
      }
      notify(text.dialogs.reopen.done(ids.length), 'good');
    };
  }
  if (ids.length > MOST) return undefined;
  const before = await Promise.all(ids.map((id) => client.exceptions.get({ site, id })));
  const wasBy = act === 'assign' ? ({ assigned }: ExceptionDetail) => assigned : acceptedWith;
  const groups = [...Map.groupBy(before, wasBy)].map(
    ([was, rows]) => [was, rows.map(({ id }) => id)] as const,
  );
  return async () => {
    for (const [was, some] of groups) {
      if (act === 'assign') await client.exceptions.assign({ site, ids: some, assigned: was });
      else await client.exceptions.accept({ site, ids: some, reason: was ?? text.undone });
    }
    notify(text.dialogs[act === 'assign' ? 'assign' : 'accept'].done(ids.length), 'good');
  };
}

/** The reason it was accepted with last. */
function acceptedWith({ history }: ExceptionDetail): string | null {
  return history.findLast(({ what }) => what === 'accepted')?.text ?? null;
}
