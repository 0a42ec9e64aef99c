import { useState } from 'react';
import changelogMarkdown from '../../../CHANGELOG.md?raw';
import { Dialog } from '../controls/dialog.tsx';
import { Tabs } from '../controls/tabs.tsx';
import type { HelpTopic } from '../navigation/dialog-state.ts';
import { closeDialog, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ApiKeySteps } from './api-key-steps.tsx';
import { parseChangelog } from './changelog.ts';
import { CodeText } from './code-text.tsx';
import { ShortcutList } from './shortcut-list.tsx';
import './help.css';

const text = texts.help;
const changelog = parseChangelog(changelogMarkdown);

const topicContents: Record<HelpTopic, () => React.ReactNode> = {
  screen: ScreenHelp,
  apiKey: ApiKeySteps,
  news: News,
};

/** Dialog that explains the current screen, where to find the API key, and what is new. F1 opens it. */
export function HelpDialog({ topic }: { readonly topic: HelpTopic }) {
  const [chosen, setChosen] = useState(topic);
  return (
    <Dialog
      title={text.title}
      size="wide"
      onClose={closeDialog}
      footer={
        <p className="help-documentation">
          <CodeText>{text.documentation}</CodeText>
        </p>
      }
    >
      <div className="help">
        <Tabs
          label={text.topic}
          chosen={chosen}
          onChoose={setChosen}
          tabs={(Object.keys(topicContents) as HelpTopic[]).map((id) => {
            const Content = topicContents[id];
            return { id, title: text.topics[id], body: () => <Content /> };
          })}
        />
      </div>
    </Dialog>
  );
}

function ScreenHelp() {
  const screen = useWindowState((state) => state.route.screen);
  return (
    <>
      <h3>{texts.frame.screens[screen]}</h3>
      <p>{text.screens[screen]}</p>
      <h3>{texts.palette.keys}</h3>
      <ShortcutList screen={screen} />
    </>
  );
}

function News() {
  return changelog.map(({ title, changes }) => (
    <section key={title}>
      <h3>{title === 'Unreleased' ? text.thisVersion : title}</h3>
      <ul>
        {changes.map((change) => (
          <li key={change}>
            <CodeText>{change}</CodeText>
          </li>
        ))}
      </ul>
    </section>
  ));
}
