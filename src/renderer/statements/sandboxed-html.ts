import { stripBlockedContent } from './strip-html.ts';

/**
 * Statement HTML is untrusted. It is shown in a frame with an empty sandbox and a content security policy placed before
 * the content.
 * The policy blocks scripts, loading and forms.
 */
const POLICY = "default-src 'none'; img-src data:; form-action 'none'; base-uri 'none'";

/** The policy blocks styles, so only a font element can set the font. */
const FONT_TAG = '<font face="Segoe UI, Roboto, Helvetica Neue, Liberation Sans, sans-serif" size="2">';

/** Returns the document for `srcdoc`. The app's own policy also applies there and blocks styles. */
export function createSandboxedDocument(html: string): string {
  return `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="referrer" content="no-referrer"></head><body marginwidth="20" marginheight="20">${FONT_TAG}${stripBlockedContent(html)}</font></body></html>`;
}
