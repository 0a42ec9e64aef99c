import './controls.css';

/** Gray placeholder shown while content is loading. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => 90 - ((line * 13) % 47)).map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
