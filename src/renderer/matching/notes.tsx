import { useState } from 'react';
import type { Inputs, MatchNote } from '../../contract/index.ts';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Panel } from '../controls/pieces.tsx';
import { Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { words } from '../words/words.ts';

const text = words.matching.notes;

interface NotesProps {
  readonly site: string;
  /** What they are about. */
  readonly on: Inputs['match']['note']['on'];
  readonly noted: readonly MatchNote[];
}

/** What people wrote about a match, a line or a payment, and a place to write more. */
export function Notes({ site, on, noted }: NotesProps) {
  const client = useClient();
  const [typed, setTyped] = useState('');
  const noting = useAction((said: string) => client.match.note({ site, on, text: said }));
  const add = async () => {
    if (typed.trim() !== '' && (await noting.run(typed.trim()))) setTyped('');
  };
  return (
    <Panel title={text.title}>
      {noted.map(({ at, who, text: said }) => (
        <p key={`${at}${said}`}>
          <span className="fineprint">
            {who} · <Moment at={at} />
          </span>
          <br />
          {said}
        </p>
      ))}
      <LongField
        label={text.label}
        labelUnseen
        placeholder={text.placeholder}
        rows={2}
        value={typed}
        onChange={setTyped}
        onSubmit={() => void add()}
        maxLength={10_000}
      />
      {typed.trim() !== '' && (
        <Button size="small" pending={noting.running} onPress={() => void add()}>
          {text.add}
        </Button>
      )}
      {noting.error && <ErrorNote error={noting.error} site={site} />}
    </Panel>
  );
}
