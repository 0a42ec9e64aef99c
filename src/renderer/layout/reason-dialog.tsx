import { type ReactNode, useState } from 'react';
import { useAction } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.reason;

interface ReasonDialogProps<T> {
  readonly site: string;
  readonly title: string;
  /** Label of the confirm button. */
  readonly submitLabel: string;
  readonly placeholder: string;
  readonly size?: 'small' | 'regular' | 'wide';
  readonly danger?: boolean;
  /** Explains why the action cannot be confirmed yet, apart from a missing reason. Null if it can be confirmed. */
  readonly blockedReason?: string | null;
  /** True if the reason field receives the focus when the dialog opens. */
  readonly focusReason?: boolean;
  readonly children: ReactNode;
  readonly onSubmit: (reason: string) => Promise<T>;
  readonly successText: (result: T) => string;
}

/** Dialog that confirms a decision. It requires a reason, which is recorded. */
export function ReasonDialog<T>(props: ReasonDialogProps<T>) {
  const {
    site,
    title,
    submitLabel,
    placeholder,
    danger = false,
    blockedReason = null,
    focusReason = false,
  } = props;
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
    <Dialog
      title={title}
      size={props.size ?? 'regular'}
      onClose={closeDialog}
      dismissable={reason === ''}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            isPending={acting.running}
            disabledReason={missing}
            onPress={() => void submit()}
          >
            {submitLabel}
          </Button>
        </>
      }
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
      {acting.error && <ErrorMessage error={acting.error} site={site} />}
    </Dialog>
  );
}
