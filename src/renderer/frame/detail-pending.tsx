import type { ReactNode } from 'react';
import type { ErrorValue } from '../../contract/index.ts';
import { Skeleton } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Detail } from './screen.tsx';

interface DetailPendingProps {
  readonly title: string;
  readonly actions: ReactNode;
  /** Why there is nothing to show; null while it is asked for. */
  readonly error: ErrorValue | null;
  /** What is said where there is no such thing. */
  readonly notHeld: string;
}

/** A detail that has nothing to show: it is asked for still, is not held, or could not be read. */
export function DetailPending({ title, actions, error, notHeld }: DetailPendingProps) {
  return (
    <Detail label={title} head={<h2>{title}</h2>} actions={actions}>
      <div className="detail-body">
        {error === null ? (
          <Skeleton lines={10} />
        ) : error.code === 'not_found' ? (
          <p>{notHeld}</p>
        ) : (
          <ErrorNote error={error} />
        )}
      </div>
    </Detail>
  );
}
