import { useState } from 'react';
import type { ExceptionDetail, ExceptionEntry } from '../../contract/index.ts';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Panel } from '../controls/pieces.tsx';
import { Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { words } from '../words/words.ts';

const text = words.exceptions;

/** What happened to an exception, and a place to say more. */
export function History({ site, exception }: { readonly site: string; readonly exception: ExceptionDetail }) {
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
    <li className={`history-${entry.what}`}>
      <p>
        <b>{text.happened[entry.what]}</b> {entry.who !== null && text.byHand(entry.who)}
        <span className="fineprint">
          <Moment at={entry.at} />
        </span>
      </p>
      {entry.text && <p className="history-text">{entry.text}</p>}
    </li>
  );
}

function Comment({ site, id }: { readonly site: string; readonly id: number }) {
  const client = useClient();
  const [typed, setTyped] = useState('');
  const commenting = useAction((words: string) =>
    client.exceptions.comment({ site, ids: [id], text: words }),
  );
  const send = async () => {
    if (typed.trim() === '') return;
    if (await commenting.run(typed)) setTyped('');
  };
  return (
    <div className="history-comment">
      <LongField
        label={text.dialogs.comment.label}
        labelUnseen
        placeholder={text.dialogs.comment.placeholder}
        rows={2}
        maxLength={10_000}
        value={typed}
        onChange={setTyped}
        onSubmit={() => void send()}
      />
      {typed.trim() !== '' && (
        <Button size="small" kind="primary" pending={commenting.running} onPress={() => void send()}>
          {text.dialogs.comment.run(1)}
        </Button>
      )}
      {commenting.error && <ErrorNote error={commenting.error} site={site} />}
    </div>
  );
}
