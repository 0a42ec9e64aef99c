import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { SystemCheck } from '../../contract/index.ts';
import { AlertsPanel } from '../alerts/alerts-panel.tsx';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { SegmentedControl, SelectField, ToggleSwitch } from '../controls/form-fields.tsx';
import { LabeledValueList } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { useWindowState } from '../navigation/window-state.ts';
import { formatDateTime } from '../texts/date-times.ts';
import {
  type DateFormat,
  dateFormatLocales,
  type NumberFormat,
  numberFormatLocales,
} from '../texts/display-formats.ts';
import { formatAmount } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { changeUserSetting, useUserSettings } from '../user-settings/user-settings.ts';
import { useWindowShell } from '../window-shell/window-shell.ts';
import { PeoplePanel } from './people-panel.tsx';
import './settings.css';

const text = texts.settings;
const dateFormats = Object.keys(dateFormatLocales) as DateFormat[];
const numberFormats = Object.keys(numberFormatLocales) as NumberFormat[];

/** Settings screen with the appearance, self-checks, and information about the program. */
export function SettingsScreen() {
  return (
    <ScreenLayout title={text.title} actions={<CommandButton id="help.open" kind="quiet" />}>
      <div className="page">
        <div className="page-inner settings">
          <Appearance />
          <Formats />
          <SiteAlerts />
          <PeoplePanel />
          <Updates />
          <Checks />
          <About />
        </div>
      </div>
    </ScreenLayout>
  );
}

/** Alerts of the selected site. */
function SiteAlerts() {
  const name = useWindowState((state) => state.route.site);
  const { data: sites } = useQuery('sites.list', {});
  const site = sites?.find((known) => known.site === name);
  return site ? <AlertsPanel key={site.site} site={site} /> : null;
}

function Appearance() {
  const theme = useUserSettings((settings) => settings.theme);
  const density = useUserSettings((settings) => settings.density);
  return (
    <Panel level={2} title={text.appearance}>
      <div className="settings-rows">
        <SegmentedControl
          label={text.theme}
          value={theme}
          onChange={(value) => changeUserSetting('theme', value)}
          options={(['system', 'light', 'dark'] as const).map((value) => ({
            value,
            label: text.themes[value],
          }))}
        />
        <SegmentedControl
          label={text.density}
          value={density}
          onChange={(value) => changeUserSetting('density', value)}
          options={(['regular', 'compact'] as const).map((value) => ({
            value,
            label: text.densities[value],
          }))}
        />
      </div>
    </Panel>
  );
}

const SAMPLE_TIME = '2026-10-07T14:02:00Z';
const SAMPLE_CENTS = -123_456_789;

/** Settings for the formats of dates and numbers, each shown with an example. */
function Formats() {
  const date = useUserSettings((settings) => settings['format.date']);
  const number = useUserSettings((settings) => settings['format.number']);
  return (
    <Panel level={2} title={text.formats}>
      <div className="settings-rows">
        <SelectField
          label={text.dateFormat}
          value={date}
          onChange={(value) => changeUserSetting('format.date', value)}
          options={dateFormats.map((value) => ({ value, label: text.dateFormats[value] }))}
          hint={text.example(formatDateTime(SAMPLE_TIME))}
        />
        <SelectField
          label={text.numberFormat}
          value={number}
          onChange={(value) => changeUserSetting('format.number', value)}
          options={numberFormats.map((value) => ({ value, label: text.numberFormats[value] }))}
          hint={text.example(formatAmount(SAMPLE_CENTS))}
        />
      </div>
    </Panel>
  );
}

/** Setting for update notices, which only the app in Electron shows. */
function Updates() {
  const isElectron = useWindowShell(({ shell }) => shell !== null);
  const notify = useUserSettings((settings) => settings['updates.notify']);
  if (!isElectron) return null;
  return (
    <Panel level={2} title={text.updates}>
      <ToggleSwitch on={notify} onChange={(on) => changeUserSetting('updates.notify', on)}>
        {text.notifyUpdates}
      </ToggleSwitch>
      <p className="fineprint">{text.notifyUpdatesHint}</p>
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
      {error && <ErrorMessage error={error} />}
      {!checks && !error && <Skeleton lines={4} />}
      <ul className="checks">
        {checks?.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
    </Panel>
  );
}

function CheckRow({ check }: { readonly check: SystemCheck }) {
  return (
    <li>
      <span className="check-name">{check.name}</span>
      <span className="check-found">
        {check.message}
        {check.advice && <strong>{check.advice}</strong>}
      </span>
      <StatusLabel
        tone={check.ok ? 'good' : 'bad'}
        icon={check.ok ? CircleCheck : CircleAlert}
        text={check.ok ? text.ok : text.notOk}
      />
    </li>
  );
}

function About() {
  const shell = useWindowShell((state) => (state.shell ? 'electron' : 'browser'));
  const { data: about } = useQuery('app.about', {});
  if (!about) return null;
  return (
    <Panel level={2} title={text.about}>
      <LabeledValueList
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
          [text.shell, text.shells[shell]],
        ]}
      />
    </Panel>
  );
}
