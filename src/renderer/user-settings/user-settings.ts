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

/** Number of changes of this window that are not stored yet. */
let unsaved = 0;
/** True if the stored settings changed while changes of this window were being stored. */
let isOutdated = false;

/**
 * Loads the settings and applies those that differ. Called again after each change, also of another window. While
 * changes of this window are being stored, waits for their end.
 */
export async function loadUserSettings(from: BackendClient): Promise<void> {
  client = from;
  if (unsaved === 0) {
    isOutdated = false;
    const stored = parseUserSettings(await from.settings.all({}));
    if (unsaved === 0) return useUserSettings.setState(selectChanged(stored, useUserSettings.getState()));
  }
  isOutdated = true;
}

/** Returns the settings that differ from the present ones. The others keep their objects, so that nothing renders again. */
function selectChanged(stored: UserSettings, present: UserSettings): Partial<UserSettings> {
  const keys = Object.keys(stored) as (keyof UserSettings)[];
  const changed = keys.filter((key) => JSON.stringify(stored[key]) !== JSON.stringify(present[key]));
  return Object.fromEntries(changed.map((key) => [key, stored[key]]));
}

/** Changes a setting in the window immediately and stores it in the background. */
export function changeUserSetting<K extends keyof UserSettings>(key: K, value: UserSettings[K]): void {
  useUserSettings.setState({ [key]: value });
  if (client !== null) void saveUserSetting(client, key, value);
}

async function saveUserSetting(to: BackendClient, key: string, value: unknown): Promise<void> {
  unsaved += 1;
  try {
    await to.settings.set({ key, value: value as never });
  } catch (error) {
    showNotice(`The setting could not be saved: ${toContractError(error).message}`, 'bad');
  } finally {
    unsaved -= 1;
  }
  if (isOutdated && unsaved === 0) await loadUserSettings(to).catch(() => undefined);
}

useUserSettings.subscribe(({ theme, density, 'format.date': date, 'format.number': number }) => {
  applyTheme(theme, density);
  applyDisplayFormats({ date, number });
});
