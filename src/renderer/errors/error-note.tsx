import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ErrorValue } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { useNow } from '../controls/values.tsx';
import { go, openDialog, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { errorLine, errorTitle, remedyOf } from './error-words.ts';
import './errors.css';

interface ErrorNoteProps {
  readonly error: ErrorValue;
  readonly onRetry?: (() => void) | undefined;
  /** The site it is about, where it is not the one in front; null where there is none yet. */
  readonly site?: string | null;
}

/** An error where it happened: what, in a sentence, what to do, and the button that does it. */
export function ErrorNote({ error, onRetry, site }: ErrorNoteProps) {
  const detail = Object.entries(error.detail ?? {});
  const note = useRef<HTMLDivElement>(null);
  // In a dialog that scrolls it may come where nobody looks.
  useEffect(() => {
    if (error.code !== 'cancelled') note.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error.code === 'cancelled') return null;
  return (
    <div ref={note} className="error-note" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="error-words">
        <strong>{errorTitle(error)}</strong>
        <span>{errorLine(error)}</span>
        {error.errors && error.errors.length > 0 && (
          <ul>
            {error.errors.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {detail.length > 0 && (
          <details>
            <summary>{words.errors.details}</summary>
            {detail.map(([name, value]) => `${name}: ${String(value)}`).join(' · ')}
          </details>
        )}
      </div>
      <RemedyButton error={error} onRetry={onRetry} site={site} />
    </div>
  );
}

interface RemedyProps {
  readonly error: ErrorValue;
  readonly onRetry: (() => void) | undefined;
  readonly site: string | null | undefined;
}

function RemedyButton({ error, onRetry, site }: RemedyProps) {
  const here = useView((view) => view.route.site);
  const about = site === undefined ? here : site;
  switch (remedyOf(error)) {
    case 'replaceKey':
      return about ? (
        <Button onPress={() => openDialog({ kind: 'replaceKey', site: about })}>
          {words.sites.replaceKey}
        </Button>
      ) : null;
    case 'doctor':
      return <Button onPress={() => go({ screen: 'settings' })}>{words.errors.openChecks}</Button>;
    case 'retry':
      return onRetry ? <RetryButton after={error.retry_after_ms ?? 0} onRetry={onRetry} /> : null;
    case null:
      return null;
  }
}

/** Counts down where the service asked to wait. */
function RetryButton({ after, onRetry }: { readonly after: number; readonly onRetry: () => void }) {
  const [from] = useState(Date.now);
  const left = Math.ceil((from + after - useNow(1_000)) / 1_000);
  return (
    <Button onPress={onRetry} reason={left > 0 ? words.errors.waiting(left) : null}>
      {left > 0 ? words.errors.retryIn(left) : words.errors.retry}
    </Button>
  );
}
