import { useState } from 'react';
import type { Client } from '../../contract/index.ts';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, notify, type PeriodMove } from '../view/view.ts';
import { monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { Remarks } from './remarks.tsx';

const text = words.periods;

interface MoveProps {
  readonly site: string;
  readonly period: string;
  readonly move: PeriodMove;
}

interface Said {
  readonly by?: string;
  readonly comment?: string;
  readonly self_review?: string;
}

/** One step of a sign-off: who takes it, with what words, after what there is to know. */
export function MoveDialog({ site, period, move }: MoveProps) {
  const client = useClient();
  const { data: detail } = useQuery('periods.get', { site, period });
  const { data: about } = useQuery('app.about', {});
  const [name, setName] = useState('');
  const [comment, setComment] = useState('');
  const [self, setSelf] = useState('');
  const acting = useAction(async (said: Said) => {
    await perform(client, site, period, move, said);
    return true;
  });
  const say = text.moves[move];
  const remarks = move === 'submit' || move === 'close' || move === 'approve' ? (detail?.remarks ?? []) : [];
  const blocking = remarks.find(({ asks }) => asks === 'mending');
  const needsComment =
    move === 'reject' || move === 'reopen' || remarks.some(({ asks }) => asks === 'comment');
  const reason =
    blocking !== undefined && move !== 'approve'
      ? text.move.blocked(blocking.message)
      : needsComment && comment.trim() === ''
        ? text.move.commentNeeded
        : null;
  const run = async () => {
    if (
      reason !== null ||
      !(await acting.run({
        ...given('by', name),
        ...given('comment', comment),
        ...given('self_review', self),
      }))
    )
      return;
    closeDialog();
    notify(say.done, 'good');
  };
  return (
    <Dialog
      title={say.title(monthText(period))}
      onClose={closeDialog}
      dismissable={name === '' && comment === ''}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind={move === 'reject' || move === 'reopen' ? 'danger' : 'primary'}
            pending={acting.running}
            reason={reason}
            onPress={() => void run()}
          >
            {say.run}
          </Button>
        </>
      }
    >
      <p>{say.text}</p>
      {remarks.length > 0 && <Remarks remarks={remarks} />}
      <Field
        label={say.name}
        hint={about && text.move.nameHint(about.user)}
        placeholder={about?.user ?? ''}
        value={name}
        onChange={setName}
        maxLength={100}
        autoFocus
      />
      <LongField
        label={move === 'reopen' ? text.move.reason : text.move.comment}
        value={comment}
        onChange={setComment}
        onSubmit={() => void run()}
        maxLength={2000}
      />
      {move === 'approve' && (
        <Field
          label={text.move.selfReview}
          hint={text.move.selfReviewHint}
          value={self}
          onChange={setSelf}
          maxLength={2000}
        />
      )}
      <p className="fineprint">{text.sign.assertion}</p>
      {acting.error && <ErrorNote error={acting.error} site={site} />}
    </Dialog>
  );
}

function given<Name extends keyof Said>(name: Name, typed: string): Partial<Record<Name, string>> {
  return typed.trim() === '' ? {} : ({ [name]: typed.trim() } as Partial<Record<Name, string>>);
}

function perform(
  client: Client,
  site: string,
  period: string,
  move: PeriodMove,
  said: Said,
): Promise<unknown> {
  const { by, comment, self_review } = said;
  const who = { site, period, ...(by === undefined ? {} : { by }) };
  const commented = comment === undefined ? {} : { comment };
  switch (move) {
    case 'submit':
      return client.periods.submit({ ...who, ...commented });
    case 'approve':
      return client.periods.review({
        ...who,
        ...commented,
        verdict: 'approve',
        ...(self_review === undefined ? {} : { self_review }),
      });
    case 'reject':
      return client.periods.review({ ...who, ...commented, verdict: 'reject' });
    case 'close':
      return client.periods.close({ ...who, ...commented });
    case 'reopen':
      return client.periods.reopen({ ...who, reason: comment ?? '' });
  }
}
