import type { ReactNode } from 'react';
import type { QueryResult } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { DetailPlaceholder } from '../layout/detail-placeholder.tsx';
import { DetailPane } from '../layout/screen-layout.tsx';

interface RecordPaneProps<T> {
  readonly title: string;
  /** Returns the pane's accessible name, if it must change with the content. The default is the title. */
  readonly labelOf?: (record: T) => string;
  readonly query: Pick<QueryResult<T>, 'data' | 'error' | 'loading'>;
  readonly notFoundText: string;
  /** Commands shown to the left of the close button, which every pane has. */
  readonly commands?: readonly string[];
  readonly head: (record: T) => ReactNode;
  readonly children: (record: T) => ReactNode;
}

/** Detail pane of one record. Shows a placeholder until the record has loaded and if it cannot be read. */
export function RecordPane<T>(props: RecordPaneProps<T>) {
  const { title, query, notFoundText, commands = [] } = props;
  const { data: record, error, loading } = query;
  const actions = [...commands, 'view.closeDetail'].map((id) => (
    <CommandButton key={id} id={id} kind="quiet" iconOnly />
  ));
  if (record === undefined || (error && !loading))
    return <DetailPlaceholder {...{ title, actions, error, notFoundText }} />;
  return (
    <DetailPane label={props.labelOf?.(record) ?? title} actions={actions} head={props.head(record)}>
      {props.children(record)}
    </DetailPane>
  );
}
