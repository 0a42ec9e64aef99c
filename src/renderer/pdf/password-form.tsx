import { LockKeyhole } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.pdf;

interface PasswordFormProps {
  /** True if the previous password was wrong. */
  readonly wrong: boolean;
  readonly onGive: (password: string) => void;
  readonly saving: ReactNode;
}

/** Form that asks for the password of a protected PDF. The password is not stored. */
export function PdfPasswordForm({ wrong, onGive, saving }: PasswordFormProps) {
  const [typed, setTyped] = useState('');
  return (
    <EmptyState
      icon={LockKeyhole}
      title={text.protectedTitle}
      action={
        <form
          className="pdf-password"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed !== '') onGive(typed);
          }}
        >
          <TextInput
            label={text.password}
            type="password"
            value={typed}
            onChange={setTyped}
            error={wrong ? text.wrongPassword : null}
            autoFocus
          />
          <div className="pdf-password-foot">
            {saving}
            <Button kind="primary" type="submit">
              {text.openProtected}
            </Button>
          </div>
        </form>
      }
      text={text.protectedText}
    />
  );
}
