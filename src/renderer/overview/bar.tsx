import type { Severity } from '../../contract/index.ts';

/** How many of the most there are; the number stands beside it. */
export function Bar(props: { readonly of: number; readonly most: number; readonly tone?: Severity }) {
  const { of, most, tone } = props;
  return (
    <span className="bar">
      {of > 0 && (
        <span
          className={tone ? `bar-fill bar-${tone}` : 'bar-fill'}
          style={{ width: `${(of * 100) / most}%` }}
        />
      )}
    </span>
  );
}
