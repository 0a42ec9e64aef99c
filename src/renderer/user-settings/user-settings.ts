import { z } from 'zod';
import { create } from 'zustand';
import { type BackendClient, toContractError } from '../../contract/index.ts';
import { filterableScreens } from '../navigation/list-filters.ts';
import { showNotice } from '../navigation/window-state.ts';
import {
  applyDisplayFormats,
  type DateFormat,
  dateFormatLocales,
  type NumberFormat,
  numberFormatLocales,
} from '../texts/display-formats.ts';
import { timeZoneChoices } from '../texts/display-zone.ts';
import { applyTheme } from '../theme/theme.ts';

const savedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  screen: z.enum(filterableScreens),
  filter: z.record(z.string(), z.json()),
});
export type SavedView = z.infer<typeof savedViewSchema>;

/** Number of frozen columns of a list whose layout was not changed: the column that names the row. */
export const DEFAULT_FROZEN_COLUMNS = 1;

const columnLayoutSchema = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  widths: z.record(z.string(), z.number()),
  /** Number of shown columns, from the left, that stay visible while the list scrolls sideways. */
  frozen: z.int().min(0).default(DEFAULT_FROZEN_COLUMNS),
});
export type ColumnLayout = z.infer<typeof columnLayoutSchema>;

const sortSchema = z.object({ by: z.string(), direction: z.enum(['asc', 'desc']) });

/** Last reading position in each PDF, identified by SHA-256, most recent first. */
const pdfPositionsSchema = z.array(
  z.tuple([
    z.string(),
    z.object({
      page: z.int().min(1),
      scale: z.union([z.number().positive(), z.enum(['page-width', 'page-fit'])]),
      rotation: z.int().multipleOf(90),
    }),
  ]),
);

/** Schema for each setting, including the default for missing or invalid values. */
const settingSchemas = {
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  density: z.enum(['regular', 'compact']).catch('regular'),
  /** Time zone in which times are shown. */
  'time.zone': z.enum(timeZoneChoices).catch('site'),
  'format.date': z.enum(Object.keys(dateFormatLocales) as [DateFormat]).catch('system'),
  'format.number': z.enum(Object.keys(numberFormatLocales) as [NumberFormat]).catch('system'),
  'site.last': z.string().nullable().catch(null),
  'updates.notify': z.boolean().catch(false),
  /** Working month of each site, or `all`. */
  months: z.record(z.string(), z.string()).catch({}),
  'sync.automatic': z.enum(['never', 'back', 'often']).catch('never'),
  views: z.array(savedViewSchema).catch([]),
  columns: z.record(z.string(), columnLayoutSchema).catch({}),
  sorts: z.record(z.string(), sortSchema).catch({}),
  'pdf.places': pdfPositionsSchema.catch([]),
  'pdf.layout': z.enum(['continuous', 'single']).catch('continuous'),
  /** Collapsed sections of the sidebar. */
  'sidebar.collapsed': z.array(z.string()).catch([]),
  panes: z.record(z.string(), z.number()).catch({}),
} as const;
type SettingSchemas = typeof settingSchemas;
export type UserSettings = { readonly [K in keyof SettingSchemas]: z.output<SettingSchemas[K]> };

/** Parses the stored settings. Invalid values are replaced with defaults. */
export function parseUserSettings(stored: Record<string, unknown>): UserSettings {
  return Object.fromEntries(
    Object.entries(settingSchemas).map(([key, kind]) => [key, kind.parse(stored[key])]),
  ) as unknown as UserSettings;
}

export const useUserSettings = create<UserSettings>(() => parseUserSettings({}));

let client: BackendClient | null = null;

/** Loads the settings and applies them. Called again after another window has changed them. */
export async function loadUserSettings(from: BackendClient): Promise<void> {
  client = from;
  useUserSettings.setState(parseUserSettings(await from.settings.all({})), true);
}

/** Changes a setting in the window immediately and stores it in the background. */
export function changeUserSetting<K extends keyof UserSettings>(key: K, value: UserSettings[K]): void {
  useUserSettings.setState({ [key]: value });
  client?.settings.set({ key, value: value as never }).catch((thrown: unknown) => {
    showNotice(`The setting could not be saved: ${toContractError(thrown).message}`, 'bad');
  });
}

useUserSettings.subscribe(({ theme, density, 'format.date': date, 'format.number': number }) => {
  applyTheme(theme, density);
  applyDisplayFormats({ date, number });
});
