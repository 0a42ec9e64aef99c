import type { Site } from '../../contract/index.ts';

/** The site's initials; the product's own mark where there is no site. */
export function Mark({ of }: { readonly of: Site | null }) {
  if (!of) {
    return (
      <span className="mark mark-product" aria-hidden="true">
        <svg viewBox="0 0 24 24" width="16" height="16" role="presentation">
          <path d="M4 6h16M12 6v13M7.5 13.5 12 19l4.5-5.5" />
        </svg>
      </span>
    );
  }
  return (
    <span className={`mark mark-${hue(of.site)}`} aria-hidden="true">
      {initials(of.title)}
    </span>
  );
}

function initials(title: string): string {
  const parts = title.split(/\s+/).filter(Boolean);
  const letters =
    parts.length > 1 ? parts.slice(0, 2).map((part) => part[0]) : [...(parts[0] ?? '?')].slice(0, 2);
  return letters.join('').toUpperCase();
}

/** One of six, the same for a site every time. */
function hue(name: string): number {
  return [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6;
}
