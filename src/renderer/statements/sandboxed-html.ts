import { stripBlockedContent } from './statement-html.ts';

/**
 * Content security policy for statement HTML, which is untrusted. The HTML is shown in a frame with an empty sandbox.
 * The policy precedes the content and blocks scripts, loading of resources, and forms.
 */
const POLICY = "default-src 'none'; img-src data:; form-action 'none'; base-uri 'none'";

/** Font element that sets the font, because the content security policy blocks styles. */
const FONT_TAG = '<font face="Segoe UI, Roboto, Helvetica Neue, Liberation Sans, sans-serif" size="2">';

/** Returns the document for the frame's `srcdoc`, where the app's own content security policy also blocks styles. */
export function createSandboxedDocument(html: string): string {
  return `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="referrer" content="no-referrer"></head><body marginwidth="20" marginheight="20">${FONT_TAG}${stripBlockedContent(html)}</font></body></html>`;
}
