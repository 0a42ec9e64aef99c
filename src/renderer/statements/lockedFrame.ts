/**
 * Statement HTML comes from outside and is not to be trusted. It is shown in a frame with an empty sandbox, behind a policy
 * of its own that stands before anything it brings: no scripts, no loading, no forms. That is what protects.
 */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

/** How the page looks where the statement does not say. It is paper: black on white in both themes. */
const LOOK =
  'html{background:#fff;color:#1a1a1a;font:13px/1.5 -apple-system,"Segoe UI",Roboto,sans-serif}body{margin:20px}img{max-width:100%}';

/** The whole document for `srcdoc`. */
export function lockedDocument(html: string): string {
  return `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="referrer" content="no-referrer"><style>${LOOK}</style></head><body>${presentable(html)}</body></html>`;
}

const INERT = 'script, link, meta, base, iframe, frame, object, embed, audio, video, source, track';

/**
 * Leaves out what the frame would refuse, so that no broken pictures and no refusals in the console remain of it.
 * It is for the eye alone: what gets past it meets the sandbox and the policy.
 */
function presentable(html: string): string {
  const { body } = parsed(html);
  for (const element of body.querySelectorAll(INERT)) element.remove();
  for (const picture of body.querySelectorAll('img')) {
    picture.removeAttribute('srcset');
    if (!picture.src.startsWith('data:')) picture.replaceWith(picture.alt);
  }
  return body.innerHTML;
}

/** The addresses a document's links lead to. */
export function linksOf(html: string): string[] {
  const links = [...parsed(html).querySelectorAll('a[href]')].map(
    (link) => link.getAttribute('href')?.trim() ?? '',
  );
  return [...new Set(links.filter((link) => link !== '' && !link.startsWith('#')))];
}

/** Read as a document of its own, in which nothing runs and nothing is loaded. */
function parsed(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html');
}
