import { ProgressBar } from 'react-aria-components';
import './controls.css';

/** Progress bar. If the total is unknown, the bar is indeterminate. */
export function ProgressIndicator(props: {
  readonly label: string;
  readonly done: number;
  readonly total: number | null;
}) {
  const { label, done, total } = props;
  const share = total === null ? null : total === 0 ? 100 : Math.min(100, Math.floor((done * 100) / total));
  return (
    <ProgressBar className="progress" aria-label={label} value={share ?? 0} isIndeterminate={share === null}>
      <span className="progress-track">
        <span
          className={share === null ? 'progress-fill progress-moving' : 'progress-fill'}
          style={{ width: share === null ? '30%' : `${share}%` }}
        />
      </span>
    </ProgressBar>
  );
}
