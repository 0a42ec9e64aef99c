import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import type { PeriodDetail, PeriodHistoryEntry } from '../../../contract/index.ts';
import { type FigureComment, listFigureComments } from '../../../domain/periods/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { removeSavedText } from '../../comments/remove-saved-text.ts';
import { Button } from '../../controls/button.tsx';
import { DateTime } from '../../controls/formatted-values.tsx';
import { MultilineField } from '../../controls/multiline-field.tsx';
import { StatusLabel } from '../../controls/status-label.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { texts } from '../../texts/texts.ts';

const text = texts.periods.comments;
const statusTones = { open: 'warn', answered: 'warn', cleared: 'good' } as const;

interface FigureCommentsProps {
  readonly site: string;
  readonly detail: PeriodDetail;
  readonly currency: string;
  readonly figure: string;
}

/** Shows the comments on a figure, with forms to add, answer and clear comments while the period is not closed. */
export function FigureComments({ site, detail, currency, figure }: FigureCommentsProps) {
  const client = useContractClient();
  const period = { site, period: detail.period };
  const isClosed = detail.state === 'closed' || detail.closing !== null;
  const comments = listFigureComments(detail.history).filter(
    (each) => each.currency === currency && each.figure === figure,
  );
  if (isClosed && comments.length === 0) return null;
  return (
    <section className="figure-comments" aria-label={text.title}>
      {comments.map((comment) => (
        <Comment key={comment.comment} comment={comment} period={period} isClosed={isClosed} />
      ))}
      {!isClosed && (
        <CommentForm
          site={site}
          label={text.add}
          actions={[
            [text.add, (typed) => client.periods.comment({ ...period, currency, figure, text: typed })],
          ]}
        />
      )}
    </section>
  );
}

interface CommentProps {
  readonly comment: FigureComment<PeriodHistoryEntry>;
  readonly period: { readonly site: string; readonly period: string };
  readonly isClosed: boolean;
}

function Comment({ comment: { comment, status, events }, period, isClosed }: CommentProps) {
  const client = useContractClient();
  const clear = (reason: string) =>
    client.periods.clearComment({ ...period, comment, ...(reason === '' ? {} : { self_review: reason }) });
  return (
    <article>
      <StatusLabel tone={statusTones[status]} icon={MessageSquare} text={text.status[status]} />
      <ol className="period-history">
        {events.map(({ seq, action, name, at, text: content }) => (
          <li key={seq}>
            <span>
              <b>{texts.periods.signOff.historyActions[action]}</b> {texts.periods.signOff.byPerson(name)}
            </span>
            <small>
              <DateTime at={at} />
            </small>
            {content !== null && <p>{content}</p>}
          </li>
        ))}
      </ol>
      {!isClosed && status !== 'cleared' && (
        <CommentForm
          site={period.site}
          label={status === 'open' ? text.answer : text.answerOrReason}
          actions={[
            [text.answer, (typed) => client.periods.answerComment({ ...period, comment, text: typed })],
            ...(status === 'answered' ? [[text.clear, clear, true] as const] : []),
          ]}
        />
      )}
    </article>
  );
}

interface CommentFormProps {
  readonly site: string;
  readonly label: string;
  /** Buttons of the form: label, effect, and true if no text is required. Enter triggers the first one. */
  readonly actions: readonly (readonly [
    label: string,
    run: (typed: string) => Promise<unknown>,
    isTextOptional?: boolean,
  ])[];
}

/** Form with one text field and a button per action. */
export function CommentForm({ site, label, actions }: CommentFormProps) {
  const [typed, setTyped] = useState('');
  const saving = useAction(async (run: (text: string) => Promise<unknown>, saved: string) => {
    await run(saved.trim());
    return true;
  });
  const isEmpty = typed.trim() === '';
  const apply = async ([, run, isTextOptional]: CommentFormProps['actions'][number]) => {
    if ((isEmpty && isTextOptional !== true) || !(await saving.run(run, typed))) return;
    setTyped((latest) => removeSavedText(latest, typed));
  };
  return (
    <form
      className="figure-comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        void apply(actions[0]!);
      }}
    >
      <MultilineField
        label={label}
        value={typed}
        onChange={setTyped}
        onSubmit={() => void apply(actions[0]!)}
        rows={2}
        maxLength={2000}
      />
      <div className="figure-comment-actions">
        {actions.map((action) => (
          <Button
            key={action[0]}
            isPending={saving.running}
            disabledReason={isEmpty && action[2] !== true ? text.hint : null}
            onPress={() => void apply(action)}
          >
            {action[0]}
          </Button>
        ))}
      </div>
      {saving.error && <ErrorMessage error={saving.error} site={site} />}
    </form>
  );
}
