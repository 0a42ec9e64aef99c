/**
 * Statement HTML comes from outside and is not to be trusted. It is shown in a frame with an empty sandbox, behind a policy
 * of its own that stands before anything it brings: no scripts, no loading, no forms. Nothing here cleans the HTML.
 */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

/** How the page looks where the statement does not say. It is paper: black on white in both themes. */
const LOOK =
  'html{background:#fff;color:#1a1a1a;font:13px/1.5 -apple-system,"Segoe UI",Roboto,sans-serif}body{margin:20px}img{max-width:100%}';

/** The whole document for `srcdoc`. */
export function lockedDocument(html: string): string {
  return `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="referrer" content="no-referrer"><style>${LOOK}</style></head><body>${html}</body></html>`;
}

/** The addresses a document's links lead to, read without running or loading anything of it. */
export function linksOf(html: string): string[] {
  const inert = new DOMParser().parseFromString(html, 'text/html');
  const links = [...inert.querySelectorAll('a[href]')].map((link) => link.getAttribute('href')?.trim() ?? '');
  return [...new Set(links.filter((link) => link !== '' && !link.startsWith('#')))];
}
