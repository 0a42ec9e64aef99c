import { useState } from 'react';
import type { Alert, AlertSettings, ContractInputs, Site } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { SelectField, TextInput, ToggleSwitch } from '../controls/form-fields.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useWindowShell } from '../window-shell/window-shell.ts';
import { requestNotifications } from './use-browser-notifications.ts';
import './alerts.css';

const text = texts.alerts;
/** Number of alerts shown. Chosen by judgment. */
const SHOWN_ALERTS = 10;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

type SettingsChange = Omit<ContractInputs['alerts']['saveSettings'], 'site'>;

interface SettingsProps {
  readonly settings: AlertSettings;
  readonly save: (change: SettingsChange) => Promise<boolean>;
}

/** Panel with the channels of a site's alerts, its quiet hours and its latest alerts. */
export function AlertsPanel({ site: { site, title } }: { readonly site: Site }) {
  const client = useContractClient();
  const { data: settings, error } = useQuery('alerts.settings', { site });
  const saving = useAction((change: SettingsChange) => client.alerts.saveSettings({ site, ...change }));
  const testing = useAction(() => client.alerts.test({ site }));
  const save = async (change: SettingsChange) => {
    const isSaved = Boolean(await saving.run(change));
    if (isSaved) showNotice(text.saved, 'good');
    return isSaved;
  };
  const test = async () => {
    const alert = await testing.run();
    if (!alert) return;
    const problem = describeProblems(alert);
    showNotice(problem === '' ? text.tested : text.testFailed(problem), problem === '' ? 'good' : 'bad');
  };
  const hasChannel =
    settings && (settings.desktop || settings.command !== null || settings.address_host !== null);
  return (
    <Panel
      level={2}
      title={text.title(title)}
      aside={
        <Button
          size="small"
          onPress={() => void test()}
          isPending={testing.running}
          disabledReason={hasChannel ? null : text.noChannel}
        >
          {text.test}
        </Button>
      }
    >
      <p className="prose">{text.about}</p>
      {error && <ErrorMessage error={error} />}
      {!settings && !error && <Skeleton lines={4} />}
      {settings && (
        <>
          <DesktopSetting {...{ settings, save }} />
          <CommandSetting {...{ settings, save }} />
          <AddressSetting {...{ settings, save }} />
          <QuietHoursSetting {...{ settings, save }} key={JSON.stringify(settings.quiet_hours)} />
        </>
      )}
      {saving.error && <ErrorMessage error={saving.error} />}
      {testing.error && <ErrorMessage error={testing.error} />}
      <RecentAlerts site={site} />
    </Panel>
  );
}

const describeProblems = ({ deliveries }: Alert): string =>
  deliveries
    .filter(({ error }) => error !== null)
    .map(({ channel, error }) => `${text.channels[channel]}: ${error}.`)
    .join(' ');

function DesktopSetting({ settings, save }: SettingsProps) {
  const isElectron = useWindowShell(({ shell }) => shell !== null);
  const [isDenied, setDenied] = useState(false);
  const change = async (desktop: boolean) => {
    if (desktop && !isElectron) setDenied(!(await requestNotifications()));
    await save({ desktop });
  };
  return (
    <>
      <ToggleSwitch on={settings.desktop} onChange={(on) => void change(on)}>
        {text.desktop}
      </ToggleSwitch>
      {isDenied && settings.desktop && <p className="fineprint">{text.desktopDenied}</p>}
    </>
  );
}

/** Key of the option without a program. File names of programs are never empty. */
const NO_COMMAND = '';

function CommandSetting({ settings, save }: SettingsProps) {
  const { command, available_commands, commands_folder } = settings;
  const names = [...new Set([...available_commands, ...(command === null ? [] : [command])])].sort();
  return (
    <SelectField
      label={text.command}
      value={command ?? NO_COMMAND}
      onChange={(name) => void save({ command: name === NO_COMMAND ? null : name })}
      options={[
        { value: NO_COMMAND, label: text.noCommand },
        ...names.map((value) => ({ value, label: value })),
      ]}
      hint={text.commandHint(commands_folder)}
    />
  );
}

function AddressSetting({ settings: { address_host }, save }: SettingsProps) {
  const [address, setAddress] = useState('');
  const isEmpty = address.trim() === '';
  return (
    <form
      className="alert-fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) void save({ address: address.trim() }).then((isSaved) => isSaved && setAddress(''));
      }}
    >
      <TextInput type="url" label={text.address} value={address} onChange={setAddress} maxLength={2000} />
      <Button type="submit" disabledReason={isEmpty ? text.enterAddress : null}>
        {text.saveAddress}
      </Button>
      {address_host !== null && (
        <Button kind="quiet" onPress={() => void save({ address: null })}>
          {text.removeAddress}
        </Button>
      )}
      <p className="fineprint">{address_host === null ? text.addressHint : text.addressOf(address_host)}</p>
    </form>
  );
}

function QuietHoursSetting({ settings: { quiet_hours }, save }: SettingsProps) {
  const [from, setFrom] = useState(quiet_hours?.from ?? '');
  const [to, setTo] = useState(quiet_hours?.to ?? '');
  const isValid = TIME_OF_DAY.test(from) && TIME_OF_DAY.test(to) && from !== to;
  return (
    <form
      className="alert-fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) void save({ quiet_hours: { from, to } });
      }}
    >
      <TextInput label={text.quietFrom} value={from} onChange={setFrom} maxLength={5} />
      <TextInput label={text.quietTo} value={to} onChange={setTo} maxLength={5} />
      <Button type="submit" disabledReason={isValid ? null : text.enterTimes}>
        {text.saveQuiet}
      </Button>
      {quiet_hours !== null && (
        <Button kind="quiet" onPress={() => void save({ quiet_hours: null })}>
          {text.removeQuiet}
        </Button>
      )}
      <p className="fineprint">{text.quietHint}</p>
    </form>
  );
}

function RecentAlerts({ site }: { readonly site: string }) {
  const { data: alerts } = useQuery('alerts.list', { site, limit: SHOWN_ALERTS });
  if (!alerts) return null;
  if (alerts.length === 0) return <p className="fineprint">{text.none}</p>;
  const { at, kind, text: details, channels } = text.columns;
  return (
    <DataTable
      label={text.recent}
      titles={[at, kind, details, channels]}
      rows={alerts.map((alert) => ({
        key: String(alert.id),
        cells: [
          <DateTime key="at" at={alert.at} />,
          text.kinds[alert.kind],
          alert.text,
          formatChannels(alert),
        ],
      }))}
    />
  );
}

const formatChannels = ({ deliveries }: Alert): string =>
  deliveries
    .map(({ channel, state }) => `${text.channels[channel]}: ${text.deliveryStates[state]}`)
    .join(', ');
