import { useState } from 'react';
import type { ExceptionDetail, ExceptionEntry } from '../../contract/index.ts';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { Panel } from '../controls/panel.tsx';
import { DateTime } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.exceptions;

/** Shows the history of an exception, with a field for adding a comment. */
export function ExceptionHistory({
  site,
  exception,
}: {
  readonly site: string;
  readonly exception: ExceptionDetail;
}) {
  return (
    <Panel title={text.history}>
      <ol className="history">
        {exception.history.map((entry) => (
          <Entry key={entry.seq} entry={entry} />
        ))}
      </ol>
      <Comment site={site} id={exception.id} />
    </Panel>
  );
}

function Entry({ entry }: { readonly entry: ExceptionEntry }) {
  return (
    <li className={`history-${entry.action}`}>
      <p>
        <b>{text.historyActions[entry.action]}</b> {entry.user !== null && text.byPerson(entry.user)}
        <span className="fineprint">
          <DateTime at={entry.at} />
        </span>
      </p>
      {entry.text && <p className="history-text">{entry.text}</p>}
    </li>
  );
}

function Comment({ site, id }: { readonly site: string; readonly id: number }) {
  const client = useContractClient();
  const [typed, setTyped] = useState('');
  const commenting = useAction((comment: string) =>
    client.exceptions.comment({ site, ids: [id], text: comment }),
  );
  const send = async () => {
    if (typed.trim() === '') return;
    if (await commenting.run(typed)) setTyped('');
  };
  return (
    <div className="history-comment">
      <MultilineField
        label={text.dialogs.comment.label}
        hideLabel
        placeholder={text.dialogs.comment.placeholder}
        rows={2}
        maxLength={10_000}
        value={typed}
        onChange={setTyped}
        onSubmit={() => void send()}
      />
      {typed.trim() !== '' && (
        <Button size="small" kind="primary" isPending={commenting.running} onPress={() => void send()}>
          {text.dialogs.comment.submit(1)}
        </Button>
      )}
      {commenting.error && <ErrorMessage error={commenting.error} site={site} />}
    </div>
  );
}
