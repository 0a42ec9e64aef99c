import { type ReactNode, useState } from 'react';
import { useAction } from '../backend-client/backend-hooks.ts';
import { MultilineField } from '../controls/multiline-field.tsx';
import { closeDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { FormDialog } from './form-dialog.tsx';

const text = texts.reason;

interface ReasonDialogProps<T> {
  readonly site: string;
  readonly title: string;
  readonly submitLabel: string;
  readonly placeholder: string;
  readonly size?: 'small' | 'regular' | 'wide';
  readonly danger?: boolean;
  /** Explains why the action cannot be confirmed yet, apart from a missing reason. Null if confirmation is possible. */
  readonly blockedReason?: string | null;
  readonly focusReason?: boolean;
  readonly children: ReactNode;
  readonly onSubmit: (reason: string) => Promise<T>;
  readonly successText: (result: T) => string;
}

/** Dialog that confirms a decision. It requires a reason, which is recorded. */
export function ReasonDialog<T>(props: ReasonDialogProps<T>) {
  const { site, title, submitLabel, placeholder, blockedReason = null, focusReason = false } = props;
  const [reason, setReason] = useState('');
  const acting = useAction(async (why: string) => ({ result: await props.onSubmit(why) }));
  const missing = blockedReason ?? (reason.trim() === '' ? text.missing : null);
  const submit = async () => {
    if (missing !== null) return;
    const done = await acting.run(reason.trim());
    if (!done) return;
    closeDialog();
    showNotice(props.successText(done.result), 'good');
  };
  return (
    <FormDialog
      {...{ site, title, submitLabel }}
      size={props.size ?? 'regular'}
      danger={props.danger ?? false}
      dismissable={reason === ''}
      disabledReason={missing}
      action={acting}
      onSubmit={submit}
    >
      {props.children}
      <MultilineField
        label={text.label}
        placeholder={placeholder}
        value={reason}
        onChange={setReason}
        onSubmit={() => void submit()}
        maxLength={2000}
        autoFocus={focusReason}
      />
    </FormDialog>
  );
}
