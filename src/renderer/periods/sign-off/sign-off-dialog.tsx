import { useState } from 'react';
import type { BackendClient, Certification, SigningRemark } from '../../../contract/index.ts';
import { listStatementTexts } from '../../../domain/periods/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { bindFormField, TextInput } from '../../controls/form-fields.tsx';
import { MultilineField } from '../../controls/multiline-field.tsx';
import { FormDialog } from '../../layout/form-dialog.tsx';
import { closeDialog, type SignOffStep, showNotice } from '../../navigation/window-state.ts';
import { formatMonth } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { SignOffRemarks } from './sign-off-remarks.tsx';
import { StatementChecklist } from './statement-checklist.tsx';

const text = texts.periods;

interface SignOffDialogProps {
  readonly site: string;
  readonly period: string;
  readonly step: SignOffStep;
}

/** Texts that the user has entered for a sign-off step. */
interface SignOffInput {
  readonly name: string;
  readonly comment: string;
  readonly selfReview: string;
  /** Texts of the confirmed statements. */
  readonly confirmed: readonly string[];
}

/** Dialog for one step of a period's sign-off. It shows the remarks and asks for the user's name and a comment. */
export function SignOffDialog({ site, period, step }: SignOffDialogProps) {
  const client = useContractClient();
  const { data: detail } = useQuery('periods.get', { site, period });
  const { data: about } = useQuery('app.about', {});
  const { data: people } = useQuery('people.list', {});
  const { data: settings } = useQuery('workpapers.settings', { site });
  const signer = people?.find(({ is_default }) => is_default)?.name ?? about?.user ?? '';
  const [input, setInput] = useState<SignOffInput>({
    ...{ name: '', comment: '', selfReview: '', confirmed: [] },
  });
  const bind = (name: Exclude<keyof SignOffInput, 'confirmed'>) => bindFormField(input, setInput, name);
  const signing = useAction(async () => {
    await applySignOffStep(client, { site, period }, step, input);
    return true;
  });
  const stepTexts = text.steps[step];
  const remarks = step === 'reject' || step === 'reopen' ? [] : (detail?.remarks ?? []);
  const statements = listStatementsOfStep(step, settings?.certification);
  const isMissing = settings?.certification.required === true && statements.length > input.confirmed.length;
  const disabledReason =
    blockedReason(step, remarks, input.comment) ?? (isMissing ? text.step.statementsNeeded : null);
  const run = async () => {
    if (disabledReason !== null || !(await signing.run())) return;
    closeDialog();
    showNotice(stepTexts.done, 'good');
  };
  return (
    <FormDialog
      title={stepTexts.title(formatMonth(period))}
      dismissable={input.name === '' && input.comment === ''}
      submitLabel={stepTexts.run}
      danger={step === 'reject' || step === 'reopen'}
      action={signing}
      disabledReason={disabledReason}
      onSubmit={run}
      site={site}
    >
      <p>{stepTexts.text}</p>
      {remarks.length > 0 && <SignOffRemarks remarks={remarks} />}
      <TextInput
        label={stepTexts.name}
        hint={signer === '' ? undefined : text.step.nameHint(signer)}
        placeholder={signer}
        {...bind('name')}
        maxLength={100}
        autoFocus
      />
      <MultilineField
        label={step === 'reopen' ? text.step.reason : text.step.comment}
        {...bind('comment')}
        onSubmit={() => void run()}
        maxLength={2000}
      />
      {step === 'approve' && (
        <TextInput
          label={text.step.selfReview}
          hint={text.step.selfReviewHint}
          {...bind('selfReview')}
          maxLength={2000}
        />
      )}
      <StatementChecklist
        statements={statements}
        confirmed={input.confirmed}
        onChange={(confirmed) => setInput({ ...input, confirmed })}
      />
      <p className="fineprint">{text.signOff.signingKeys}</p>
    </FormDialog>
  );
}

/** Returns the statements that the signer of a step confirms. */
const listStatementsOfStep = (step: SignOffStep, certification: Certification | undefined): string[] =>
  step === 'submit' || step === 'approve'
    ? listStatementTexts(certification?.statements ?? [], step === 'submit' ? 'prepared' : 'reviewed')
    : [];

/** Returns the reason why the sign-off step cannot be taken, or null if it can. */
function blockedReason(step: SignOffStep, remarks: readonly SigningRemark[], comment: string): string | null {
  const blocking = remarks.find(({ requires }) => requires === 'fix');
  if (blocking !== undefined && step !== 'approve') return text.step.blocked(blocking.message);
  const isCommentRequired =
    step === 'reject' || step === 'reopen' || remarks.some(({ requires }) => requires === 'comment');
  return isCommentRequired && comment.trim() === '' ? text.step.commentNeeded : null;
}

/** Returns an object with the named field set to the trimmed text, or an empty object if the text is empty. */
function optionalField<Name extends string>(name: Name, typed: string): Partial<Record<Name, string>> {
  return typed.trim() === '' ? {} : ({ [name]: typed.trim() } as Partial<Record<Name, string>>);
}

function applySignOffStep(
  client: BackendClient,
  period: { readonly site: string; readonly period: string },
  step: SignOffStep,
  { name, comment, selfReview, confirmed }: SignOffInput,
): Promise<unknown> {
  const signed = { ...period, ...optionalField('by', name) };
  const commented = { ...signed, ...optionalField('comment', comment) };
  switch (step) {
    case 'submit':
      return client.periods.submit({ ...commented, confirmed: [...confirmed] });
    case 'approve':
      return client.periods.review({
        ...commented,
        verdict: 'approve',
        confirmed: [...confirmed],
        ...optionalField('self_review', selfReview),
      });
    case 'reject':
      return client.periods.review({ ...commented, verdict: 'reject' });
    case 'close':
      return client.periods.close(commented);
    case 'reopen':
      return client.periods.reopen({ ...signed, reason: comment.trim() });
  }
}
