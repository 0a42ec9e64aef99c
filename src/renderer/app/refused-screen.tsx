import type { ErrorValue } from '../../contract/index.ts';
import { ErrorMessage } from '../errors/error-message.tsx';
import { texts } from '../texts/texts.ts';

/** Screen shown if the host refuses this page, for example because its token is missing or another tab replaced it. */
export function RefusedScreen({ error }: { readonly error: ErrorValue }) {
  return (
    <div className="starting">
      <ErrorMessage error={error} title={texts.frame.tabRefused} />
    </div>
  );
}
