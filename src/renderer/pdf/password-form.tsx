import { LockKeyhole } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { Empty } from '../controls/pieces.tsx';
import { words } from '../words/words.ts';

const text = words.pdf;

interface PasswordFormProps {
  /** Whether the last one was not it. */
  readonly wrong: boolean;
  readonly onGive: (password: string) => void;
  readonly saving: ReactNode;
}

/** A protected PDF asks for its password, which is kept nowhere. */
export function PasswordForm({ wrong, onGive, saving }: PasswordFormProps) {
  const [typed, setTyped] = useState('');
  return (
    <Empty
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
          <Field
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
    >
      {text.protectedText}
    </Empty>
  );
}
