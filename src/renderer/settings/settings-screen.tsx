import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { Check } from '../../contract/index.ts';
import { useBackend, useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Segments } from '../controls/field.tsx';
import { CopyButton, Panel, Skeleton } from '../controls/pieces.tsx';
import { Status } from '../controls/status.tsx';
import { Facts } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Screen } from '../frame/screen.tsx';
import { words } from '../words/words.ts';
import { choose, useChosen } from './chosen.ts';
import './settings.css';

const text = words.settings;

/** How the window looks, whether everything works, and what it is. */
export function SettingsScreen() {
  return (
    <Screen title={text.title} actions={<CommandButton id="help.keys" kind="quiet" />}>
      <div className="page">
        <div className="page-inner settings">
          <Appearance />
          <Checks />
          <About />
        </div>
      </div>
    </Screen>
  );
}

function Appearance() {
  const theme = useChosen((chosen) => chosen.theme);
  const density = useChosen((chosen) => chosen.density);
  return (
    <Panel level={2} title={text.appearance}>
      <div className="settings-rows">
        <Segments
          label={text.theme}
          value={theme}
          onChange={(value) => choose('theme', value)}
          options={(['system', 'light', 'dark'] as const).map((value) => ({
            value,
            label: text.themes[value],
          }))}
        />
        <Segments
          label={text.density}
          value={density}
          onChange={(value) => choose('density', value)}
          options={(['regular', 'compact'] as const).map((value) => ({
            value,
            label: text.densities[value],
          }))}
        />
      </div>
    </Panel>
  );
}

function Checks() {
  const [quick, setQuick] = useState(true);
  const { data: checks, error, loading } = useQuery('app.doctor', { quick });
  return (
    <Panel
      level={2}
      title={text.checks}
      aside={
        quick ? (
          <Button size="small" onPress={() => setQuick(false)}>
            {text.runFull}
          </Button>
        ) : (
          <span className="fineprint">{loading && text.fullHint}</span>
        )
      }
    >
      {error && <ErrorNote error={error} />}
      {!checks && !error && <Skeleton lines={4} />}
      <ul className="checks">
        {checks?.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
    </Panel>
  );
}

function CheckRow({ check }: { readonly check: Check }) {
  return (
    <li>
      <span className="check-name">{check.name}</span>
      <span className="check-found">
        {check.found}
        {check.todo && <strong>{check.todo}</strong>}
      </span>
      <Status tone={check.ok ? 'good' : 'bad'} icon={check.ok ? CircleCheck : CircleAlert}>
        {check.ok ? text.ok : text.notOk}
      </Status>
    </li>
  );
}

function About() {
  const { connection } = useBackend();
  const { data: about } = useQuery('app.about', {});
  const shell = connection.shell();
  if (!about) return null;
  return (
    <Panel level={2} title={text.about}>
      <Facts
        rows={[
          [text.version, about.version],
          [
            text.home,
            <span key="home" className="settings-home">
              <code>{about.home}</code>
              <CopyButton text={about.home} label={text.copyHome} />
            </span>,
          ],
          [text.node, about.node],
          [text.sqlite, about.sqlite],
          shell ? [text.shell, text.shells[shell]] : null,
        ]}
      />
    </Panel>
  );
}
