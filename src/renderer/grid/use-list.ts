import { useMemo } from 'react';
import type { Marks } from '../../contract/index.ts';
import { useClient } from '../backend/hooks.ts';
import { call, type InputOf, type Name, type OutputOf } from '../backend/procedures.ts';
import type { Grid, Page, Source } from './controller.ts';
import type { Id } from './selection.ts';
import { useGrid } from './use-grid.ts';

/** The procedures that answer so. */
type Answering<Output> = { [P in Name]: OutputOf<P> extends Output ? P : never }[Name];
type ListName = Answering<Page<unknown>>;

type RowOf<P extends ListName> = OutputOf<P>['rows'][number];
type PageOf<P extends ListName> = Extract<OutputOf<P>, Page<RowOf<P>>>;

interface UseList<P extends ListName> {
  /** Names the grid for commands and settings. */
  readonly name: string;
  /** The procedure that gives its pages. */
  readonly list: P;
  /** The procedure that gives its page marks, where the list can be long. */
  readonly marks?: Answering<Marks>;
  /** What of it is shown, in which order: the input of the list; the marks take of it what is theirs. */
  readonly selection: Omit<InputOf<P>, 'after' | 'limit'> & { readonly site: string };
  readonly idOf: (row: RowOf<P>) => Id;
  /** What was picked stays picked in another list: rows are gathered over several searches. */
  readonly gathers?: boolean;
}

/** The grid of a list that the backend pages. */
export function useList<P extends ListName>(of: UseList<P>): Grid<RowOf<P>, PageOf<P>> {
  const client = useClient();
  const { name, list, marks, selection, idOf, gathers } = of;
  const key = JSON.stringify(selection);
  const source = useMemo((): Source<RowOf<P>, PageOf<P>> => {
    const shown = JSON.parse(key) as UseList<P>['selection'];
    return {
      key,
      page: (after, limit, signal) =>
        call(client, list, { ...shown, limit, after } as never, { signal }) as Promise<PageOf<P>>,
      ...(marks && {
        marks: (every, signal) => call(client, marks, { ...shown, every } as never, { signal }),
      }),
    };
  }, [client, key, list, marks]);
  return useGrid({ name, source, idOf, list, asked: selection, gathers });
}
