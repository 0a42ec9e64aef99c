import { useState } from 'react';
import type { ErrorValue } from '../../contract/index.ts';
import { ToggleSwitch } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';

export interface SessionKeyChoice {
  readonly isOffered: boolean;
  readonly isAllowed: boolean;
  readonly setAllowed: (isAllowed: boolean) => void;
}

/** Returns a form's choice to keep the API key for the session. Offered once a key could not be stored in a keychain. */
export function useSessionKeyChoice(error: ErrorValue | null): SessionKeyChoice {
  const [isOffered, setOffered] = useState(false);
  const [isAllowed, setAllowed] = useState(false);
  if (error?.code === 'keychain_unavailable' && !isOffered) setOffered(true);
  return { isOffered, isAllowed, setAllowed };
}

/** Switch that keeps the API key for the session only, with the consequence. Shows nothing until it is offered. */
export function SessionKeyOption({ choice }: { readonly choice: SessionKeyChoice }) {
  if (!choice.isOffered) return null;
  return (
    <div className="session-key">
      <ToggleSwitch on={choice.isAllowed} onChange={choice.setAllowed}>
        {texts.sites.sessionKey}
      </ToggleSwitch>
      <p className="fineprint">{texts.sites.sessionKeyHint}</p>
    </div>
  );
}
