import { useMemo } from 'react';
import type { StatementDetail } from '../../contract/index.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { selectTab, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { createSandboxedDocument } from './sandboxed-html.ts';
import { extractLinks } from './statement-html.ts';

const text = texts.statements;

/** Shows the service's statement HTML in a sandboxed frame. Links are listed separately as text that can be copied. */
export function StatementHtmlView({ statement }: { readonly statement: StatementDetail }) {
  const chosen = useWindowState((view) => (view.tabs['html'] === 'basic' ? 'basic' : 'fuller'));
  const { html_view: full, basic_html_view: basic } = statement;
  const shown = full && basic ? chosen : full ? 'fuller' : 'basic';
  const html = (shown === 'fuller' ? full : basic) ?? '';
  const links = useMemo(() => extractLinks(html), [html]);
  const document = useMemo(() => createSandboxedDocument(html), [html]);
  return (
    <div className="html-view">
      <div className="html-head">
        {full && basic && (
          <SegmentedControl
            label={text.rendering}
            labelUnseen
            value={shown}
            onChange={(chosen) => selectTab('html', chosen)}
            options={[
              { value: 'fuller', label: text.full },
              { value: 'basic', label: text.basic },
            ]}
          />
        )}
        <span className="fineprint">{text.htmlNote}</span>
      </div>
      <iframe
        className="html-frame"
        title={text.htmlFrame}
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={document}
      />
      {links.length > 0 && (
        <details className="html-links">
          <summary>{text.links(links.length)}</summary>
          <ul>
            {links.map((link) => (
              <li key={link}>
                <code>{link}</code>
                <CopyButton text={link} label={text.copyLink(link)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
