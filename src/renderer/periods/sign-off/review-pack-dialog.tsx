import { useState } from 'react';
import type { Certification, PackReview } from '../../../contract/index.ts';
import { listStatementTexts } from '../../../domain/periods/index.ts';
import { PathField } from '../../archive/path-field.tsx';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { bindFormField, SegmentedControl, TextInput } from '../../controls/form-fields.tsx';
import { LabeledValueList } from '../../controls/formatted-values.tsx';
import { MultilineField } from '../../controls/multiline-field.tsx';
import { ReceiptCode } from '../../controls/receipt-code.tsx';
import { FormDialog } from '../../layout/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { StatementChecklist } from './statement-checklist.tsx';

const text = texts.periods.review;
const stepTexts = texts.periods.step;

interface ReviewInput {
  readonly output: string;
  readonly name: string;
  readonly comment: string;
  readonly selfReview: string;
  /** Texts of the confirmed statements. */
  readonly confirmed: readonly string[];
}

interface ReviewPackDialogProps {
  readonly path: string;
  /** Statements in the pack. */
  readonly certification: Certification;
}

/** Dialog in which a reviewer approves or sends back the period of an evidence pack on a computer without its site. */
export function ReviewPackDialog({ path, certification }: ReviewPackDialogProps) {
  const client = useContractClient();
  const [verdict, setVerdict] = useState<'approve' | 'reject'>('approve');
  const [input, setInput] = useState<ReviewInput>({
    ...{ output: '', name: '', comment: '', selfReview: '', confirmed: [] },
  });
  const statements = verdict === 'approve' ? listStatementTexts(certification.statements, 'reviewed') : [];
  const isMissing = certification.required && statements.length > input.confirmed.length;
  const bind = (name: Exclude<keyof ReviewInput, 'confirmed'>) => bindFormField(input, setInput, name);
  const reviewing = useAction(() => client.packs.review(toReview(path, verdict, input)));
  const done = reviewing.done;
  return (
    <FormDialog
      title={text.title}
      {...(done !== null && { cancelLabel: text.close })}
      submitLabel={text.run}
      danger={verdict === 'reject'}
      action={reviewing}
      disabledReason={
        done === null
          ? (findMissingInput(verdict, input) ?? (isMissing ? stepTexts.statementsNeeded : null))
          : text.written
      }
      onSubmit={reviewing.run}
    >
      <p>{text.text}</p>
      <SegmentedControl
        label={text.verdict}
        value={verdict}
        onChange={setVerdict}
        options={[
          { value: 'approve', label: text.approve },
          { value: 'reject', label: text.reject },
        ]}
      />
      <TextInput label={texts.periods.steps.approve.name} {...bind('name')} maxLength={100} autoFocus />
      <MultilineField
        label={stepTexts.comment}
        {...bind('comment')}
        onSubmit={() => void reviewing.run()}
        maxLength={2000}
      />
      <TextInput
        label={stepTexts.selfReview}
        hint={stepTexts.selfReviewHint}
        {...bind('selfReview')}
        maxLength={2000}
      />
      <StatementChecklist
        statements={statements}
        confirmed={input.confirmed}
        onChange={(confirmed) => setInput({ ...input, confirmed })}
      />
      <PathField label={text.output} hint={text.outputHint} {...bind('output')} name="review.json" />
      {done && <WrittenReview review={done} />}
    </FormDialog>
  );
}

function findMissingInput(verdict: 'approve' | 'reject', { output, comment }: ReviewInput): string | null {
  if (output.trim() === '') return text.outputMissing;
  return verdict === 'reject' && comment.trim() === '' ? stepTexts.commentNeeded : null;
}

function toReview(path: string, verdict: 'approve' | 'reject', input: ReviewInput) {
  const { output, name, comment, selfReview, confirmed } = input;
  return {
    ...{ path, verdict, output: output.trim() },
    ...(verdict === 'approve' ? { confirmed: [...confirmed] } : {}),
    ...(name.trim() === '' ? {} : { by: name.trim() }),
    ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
    ...(selfReview.trim() === '' ? {} : { self_review: selfReview.trim() }),
  };
}

/** Shows the review file and key for the preparer, and the receipt for the reviewer to store. */
function WrittenReview({ review }: { readonly review: PackReview }) {
  return (
    <section role="status">
      <p>{text.send}</p>
      <LabeledValueList
        rows={[
          [text.output, <code key="path">{review.path}</code>],
          [text.keyLabel, texts.periods.signOff.key(review.key)],
        ]}
      />
      <ReceiptCode receipt={review.receipt.hash} />
    </section>
  );
}
