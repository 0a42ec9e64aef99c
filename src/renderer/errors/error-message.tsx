import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ErrorValue } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { useCurrentTime } from '../controls/formatted-values.tsx';
import { navigate, openDialog, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { formatError, getErrorRemedy, getErrorTitle } from './error-texts.ts';
import './errors.css';

interface ErrorMessageProps {
  readonly error: ErrorValue;
  /** Title to show instead of the error code's title. */
  readonly title?: string;
  readonly onRetry?: (() => void) | undefined;
  /** Site that the error concerns, if it is not the selected one. Null if that site does not exist yet. */
  readonly site?: string | null;
}

/** Error message with a title, an explanation, details, and a button that offers a remedy. */
export function ErrorMessage({ error, title, onRetry, site }: ErrorMessageProps) {
  const detail = Object.entries(error.detail ?? {});
  const element = useRef<HTMLDivElement>(null);
  // Scrolls the message into view, because a scrolled dialog may otherwise hide it.
  useEffect(() => {
    if (error.code !== 'canceled') element.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error.code === 'canceled') return null;
  return (
    <div ref={element} className="error-message" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="error-text">
        <strong>{title ?? getErrorTitle(error)}</strong>
        <span>{formatError(error)}</span>
        {error.errors && error.errors.length > 0 && (
          <ul>
            {error.errors.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {detail.length > 0 && (
          <details>
            <summary>{texts.errors.details}</summary>
            {detail.map(([name, value]) => `${name}: ${String(value)}`).join(' · ')}
          </details>
        )}
      </div>
      <RemedyButton error={error} onRetry={onRetry} site={site} />
    </div>
  );
}

interface RemedyButtonProps {
  readonly error: ErrorValue;
  readonly onRetry: (() => void) | undefined;
  readonly site: string | null | undefined;
}

function RemedyButton({ error, onRetry, site }: RemedyButtonProps) {
  const selectedSite = useWindowState((state) => state.route.site);
  const errorSite = site === undefined ? selectedSite : site;
  switch (getErrorRemedy(error)) {
    case 'replaceKey':
      return errorSite ? (
        <Button onPress={() => openDialog({ kind: 'replaceKey', site: errorSite })}>
          {texts.sites.replaceKey}
        </Button>
      ) : null;
    case 'doctor':
      return <Button onPress={() => navigate({ screen: 'settings' })}>{texts.errors.openChecks}</Button>;
    case 'retry':
      return onRetry ? <RetryButton delayMs={error.retry_after_ms ?? 0} onRetry={onRetry} /> : null;
    case null:
      return null;
  }
}

/** Retry button that counts down if the service requires a delay. */
function RetryButton({ delayMs, onRetry }: { readonly delayMs: number; readonly onRetry: () => void }) {
  const [shownAt] = useState(Date.now);
  const secondsLeft = Math.ceil((shownAt + delayMs - useCurrentTime(1_000)) / 1_000);
  return (
    <Button onPress={onRetry} disabledReason={secondsLeft > 0 ? texts.errors.waiting(secondsLeft) : null}>
      {secondsLeft > 0 ? texts.errors.retryIn(secondsLeft) : texts.errors.retry}
    </Button>
  );
}
