import type { Site } from '../../contract/index.ts';

/** Shows the initials of a site, or the product logo if there is no site. */
export function SiteBadge({ site }: { readonly site: Site | null }) {
  if (!site) {
    return (
      <span className="site-badge site-badge-product" aria-hidden="true">
        <svg viewBox="0 0 24 24" width="16" height="16" role="presentation">
          <path d="M4 6h16M12 6v13M7.5 13.5 12 19l4.5-5.5" />
        </svg>
      </span>
    );
  }
  return (
    <span className={`site-badge site-badge-${colorIndex(site.site)}`} aria-hidden="true">
      {initials(site.title)}
    </span>
  );
}

function initials(title: string): string {
  const parts = title.split(/\s+/).filter(Boolean);
  const letters =
    parts.length > 1 ? parts.slice(0, 2).map((part) => part[0]) : [...(parts[0] ?? '?')].slice(0, 2);
  return letters.join('').toUpperCase();
}

/** Returns one of six color indexes for a site name. The same name always gets the same color. */
function colorIndex(name: string): number {
  return [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6;
}
