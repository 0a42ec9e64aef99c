import { TextInput, type TextInputProps } from '../controls/form-fields.tsx';
import { ApiKeySteps } from '../help/api-key-steps.tsx';
import { texts } from '../texts/texts.ts';
import { type SessionKeyChoice, SessionKeyOption } from './session-key-option.tsx';

interface ApiKeyFieldProps extends Omit<TextInputProps, 'type' | 'maxLength' | 'hint'> {
  readonly sessionKey: SessionKeyChoice;
}

/** Field for an API key, with the steps to find it and, without a keychain, the choice to keep it for the session. */
export function ApiKeyField({ sessionKey, ...field }: ApiKeyFieldProps) {
  return (
    <div className="api-key-field">
      <TextInput
        {...field}
        {...(!sessionKey.isOffered && { hint: texts.sites.keyHint })}
        type="password"
        maxLength={500}
      />
      <SessionKeyOption choice={sessionKey} />
      <details>
        <summary>{texts.help.apiKey.title}</summary>
        <ApiKeySteps />
      </details>
    </div>
  );
}
