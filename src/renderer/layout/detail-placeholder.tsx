import type { ReactNode } from 'react';
import type { ErrorValue } from '../../contract/index.ts';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { DetailPane } from './screen-layout.tsx';

interface DetailPlaceholderProps {
  readonly title: string;
  readonly actions: ReactNode;
  /** Error that prevents the detail from being shown, or null while it is loading. */
  readonly error: ErrorValue | null;
  readonly notFoundText: string;
}

/** Detail pane without content, because the record is loading, does not exist, or could not be read. */
export function DetailPlaceholder({ title, actions, error, notFoundText }: DetailPlaceholderProps) {
  return (
    <DetailPane label={title} head={<h2>{title}</h2>} actions={actions}>
      <div className="detail-body">
        {error === null ? (
          <Skeleton lines={10} />
        ) : error.code === 'not_found' ? (
          <p>{notFoundText}</p>
        ) : (
          <ErrorMessage error={error} />
        )}
      </div>
    </DetailPane>
  );
}
