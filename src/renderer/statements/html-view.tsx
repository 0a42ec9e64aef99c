import { useMemo } from 'react';
import type { StatementDetail } from '../../contract/index.ts';
import { Segments } from '../controls/field.tsx';
import { CopyButton } from '../controls/pieces.tsx';
import { setTab, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { lockedDocument } from './locked-frame.ts';
import { linksOf } from './plain-html.ts';

const text = words.statements;

/** The service's own HTML, locked down; its links are texts to copy. */
export function HtmlView({ statement }: { readonly statement: StatementDetail }) {
  const wanted = useView((view) => (view.tabs['html'] === 'basic' ? 'basic' : 'fuller'));
  const { html_view: fuller, basic_html_view: basic } = statement;
  const shown = fuller && basic ? wanted : fuller ? 'fuller' : 'basic';
  const html = (shown === 'fuller' ? fuller : basic) ?? '';
  const links = useMemo(() => linksOf(html), [html]);
  const document = useMemo(() => lockedDocument(html), [html]);
  return (
    <div className="html-view">
      <div className="html-head">
        {fuller && basic && (
          <Segments
            label={text.rendering}
            labelUnseen
            value={shown}
            onChange={(chosen) => setTab('html', chosen)}
            options={[
              { value: 'fuller', label: text.fuller },
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
