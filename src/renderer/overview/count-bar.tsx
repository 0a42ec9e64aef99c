import type { Severity } from '../../contract/index.ts';

/** Shows a count as a bar, relative to the largest count, next to the number. */
export function CountBar(props: {
  readonly count: number;
  readonly maxCount: number;
  readonly tone?: Severity;
}) {
  const { count, maxCount, tone } = props;
  return (
    <span className="bar">
      {count > 0 && (
        <span
          className={tone ? `bar-fill bar-${tone}` : 'bar-fill'}
          style={{ width: `${(count * 100) / maxCount}%` }}
        />
      )}
    </span>
  );
}
