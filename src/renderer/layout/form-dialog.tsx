import type { ReactNode } from 'react';
import type { ActionHandle } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog, type DialogProps } from '../controls/dialog.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

interface FormDialogProps extends Pick<DialogProps, 'title' | 'size' | 'dismissable' | 'children'> {
  readonly submitLabel: string;
  readonly cancelLabel?: string;
  readonly danger?: boolean;
  /** Reason why the form cannot be submitted, or null if it can. */
  readonly disabledReason?: string | null;
  /** Action that the submit button starts. Its error is shown below the form. */
  readonly action?: Pick<ActionHandle<never, unknown>, 'running' | 'error'>;
  /** Site that an error concerns, if it is not the selected one. */
  readonly site?: string | null;
  /** Additional buttons at the left side of the footer. */
  readonly tools?: ReactNode;
  readonly onSubmit: () => unknown;
}

/** Dialog with a cancel button, a submit button, and the error of the submit action. */
export function FormDialog(props: FormDialogProps) {
  const {
    submitLabel,
    cancelLabel = texts.controls.cancel,
    danger,
    action,
    tools,
    children,
    onSubmit,
  } = props;
  return (
    <Dialog
      title={props.title}
      size={props.size ?? 'regular'}
      dismissable={props.dismissable ?? true}
      onClose={closeDialog}
      footer={
        <>
          {tools && <span className="push">{tools}</span>}
          <Button onPress={closeDialog}>{cancelLabel}</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            isPending={action?.running ?? false}
            disabledReason={props.disabledReason}
            onPress={() => void onSubmit()}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      {children}
      {action?.error && (
        <ErrorMessage error={action.error} {...(props.site !== undefined && { site: props.site })} />
      )}
    </Dialog>
  );
}

interface SubmitFormProps {
  readonly className?: string;
  readonly onSubmit: () => unknown;
  readonly children: ReactNode;
}

/** Form that the Enter key submits, even if it has no visible submit button. */
export function EnterKeyForm({ className, onSubmit, children }: SubmitFormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
      <button type="submit" hidden />
    </form>
  );
}
