import type { ErrorValue } from '../../contract/index.ts';
import { ErrorMessage } from '../errors/error-message.tsx';
import { texts } from '../texts/texts.ts';

/** Screen of a page that may not connect, for example because its token is missing or another tab has replaced it. */
export function RefusedScreen({ error }: { readonly error: ErrorValue }) {
  return (
    <div className="starting">
      <ErrorMessage error={error} title={texts.frame.tabRefused} />
    </div>
  );
}
