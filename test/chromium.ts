import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './tools.ts';

/**
 * Features that Chromium runs without. Chromium obeys only the last list of a command line, so the list repeats what
 * Playwright disables. The last two are the popups of the address bar. Chromium loads both for each window, which takes
 * 0.6 of the 0.8 CPU seconds of an empty window.
 */
const DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/** Starts the installed Chromium without services and window parts that no test uses. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium: run `node test/tools.ts`.');
  const switches = ['disable-quic', 'disable-component-update', 'disable-sync'].map((name) => `--${name}`);
  return chromium.launch({
    executablePath,
    args: [...switches, `--disable-features=${DISABLED_FEATURES.join()}`, ...args],
  });
}
