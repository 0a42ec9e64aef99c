import { alertChannelLabels, alertDeliveryLabels, alertKindLabels } from '../../domain/labels/alerts.ts';

export const alertTexts = {
  title: (site: string) => `Alerts for ${site}`,
  about:
    'Each sync checks for endpoints that start to fail, are about to be paused, have been paused or disabled, or work again. To check continuously without the window, run: tieout watch',
  kinds: alertKindLabels,
  channels: alertChannelLabels,
  deliveryStates: alertDeliveryLabels,
  desktop: 'Show desktop notifications',
  desktopDenied:
    'This browser does not allow notifications for Tieout. Allow them in the browser’s site settings.',
  command: 'Run a program',
  noCommand: 'None',
  commandHint: (folder: string) =>
    `Lists the executable programs in ${folder}. The program receives the alert as JSON on its standard input.`,
  address: 'Post to an address',
  addressHint: 'https only, except on this computer. The alert is posted as a small JSON document.',
  addressOf: (host: string) => `Alerts are posted to ${host}. Enter another address to replace it.`,
  saveAddress: 'Save address',
  removeAddress: 'Remove address',
  enterAddress: 'Enter an address first.',
  quietFrom: 'Quiet hours from',
  quietTo: 'Quiet hours to',
  quietHint: 'Local time, for example 22:00. Alerts that still apply are sent afterwards.',
  saveQuiet: 'Save quiet hours',
  removeQuiet: 'Remove quiet hours',
  enterTimes: 'Enter two different times, for example 22:00 and 07:00.',
  saved: 'Alert settings saved.',
  test: 'Send test alert',
  noChannel: 'Choose a channel first.',
  tested: 'Test alert sent.',
  testFailed: (problems: string) => `The test alert failed. ${problems}`,
  recent: 'Recent alerts',
  none: 'There are no alerts.',
  columns: { at: 'Time', kind: 'Alert', text: 'Details', channels: 'Sent through' },
};
