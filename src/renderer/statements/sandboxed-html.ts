import { stripBlockedContent } from './strip-html.ts';

/**
 * Statement HTML comes from outside and is not to be trusted. It is shown in a frame with an empty sandbox, behind a policy
 * of its own that stands before anything it brings: no scripts, no loading, no forms. That is what protects.
 */
const POLICY = "default-src 'none'; img-src data:; form-action 'none'; base-uri 'none'";

/** The one way to choose a letter without a style. */
const FONT_TAG = '<font face="Segoe UI, Roboto, Helvetica Neue, Liberation Sans, sans-serif" size="2">';

/** The whole document for `srcdoc`. The app's own policy applies in it too, and refuses it styles: it is shown as plain paper. */
export function createSandboxedDocument(html: string): string {
  return `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="referrer" content="no-referrer"></head><body marginwidth="20" marginheight="20">${FONT_TAG}${stripBlockedContent(html)}</font></body></html>`;
}
