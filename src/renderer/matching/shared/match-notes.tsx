import { useState } from 'react';
import type { ContractInputs, MatchNote } from '../../../contract/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { DateTime } from '../../controls/formatted-values.tsx';
import { MultilineField } from '../../controls/multiline-field.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { texts } from '../../texts/texts.ts';

const text = texts.matching.notes;

interface NotesProps {
  readonly site: string;
  /** Match, bank line, or payment that the notes belong to. */
  readonly on: ContractInputs['match']['note']['on'];
  readonly notes: readonly MatchNote[];
}

/** Shows the notes on a match, bank line, or payment, with a field for adding a note. */
export function MatchNotes({ site, on, notes }: NotesProps) {
  const client = useContractClient();
  const [typed, setTyped] = useState('');
  const adding = useAction((note: string) => client.match.note({ site, on, text: note }));
  const add = async () => {
    if (typed.trim() !== '' && (await adding.run(typed.trim()))) setTyped('');
  };
  return (
    <Panel title={text.title}>
      {notes.map(({ at, user, text: note }) => (
        <p key={`${at}${note}`}>
          <span className="fineprint">
            {user} · <DateTime at={at} />
          </span>
          <br />
          {note}
        </p>
      ))}
      <MultilineField
        label={text.label}
        hideLabel
        placeholder={text.placeholder}
        rows={2}
        value={typed}
        onChange={setTyped}
        onSubmit={() => void add()}
        maxLength={10_000}
      />
      {typed.trim() !== '' && (
        <Button size="small" isPending={adding.running} onPress={() => void add()}>
          {text.add}
        </Button>
      )}
      {adding.error && <ErrorMessage error={adding.error} site={site} />}
    </Panel>
  );
}
