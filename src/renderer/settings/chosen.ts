import { z } from 'zod';
import { create } from 'zustand';
import { type Client, errorOf } from '../../contract/index.ts';
import { showTheme } from '../theme/theme.ts';
import { filteredScreens, notify } from '../view/view.ts';

/** What the user chose for the window, by key, with what holds until something is chosen. */
const savedView = z.object({
  id: z.string(),
  name: z.string(),
  screen: z.enum(filteredScreens),
  filter: z.record(z.string(), z.json()),
});
export type SavedView = z.infer<typeof savedView>;

const columnLayout = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  widths: z.record(z.string(), z.number()),
});
export type ColumnLayout = z.infer<typeof columnLayout>;

const sort = z.object({ by: z.string(), direction: z.enum(['asc', 'desc']) });

/** Where PDFs were left, by their SHA-256, the newest first. */
const pdfPlaces = z.array(
  z.tuple([
    z.string(),
    z.object({
      page: z.int().min(1),
      scale: z.union([z.number().positive(), z.enum(['page-width', 'page-fit'])]),
      rotation: z.int().multipleOf(90),
    }),
  ]),
);

const kinds = {
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  density: z.enum(['regular', 'compact']).catch('regular'),
  'site.last': z.string().nullable().catch(null),
  'sync.automatic': z.enum(['never', 'back', 'often']).catch('never'),
  views: z.array(savedView).catch([]),
  columns: z.record(z.string(), columnLayout).catch({}),
  sorts: z.record(z.string(), sort).catch({}),
  'pdf.places': pdfPlaces.catch([]),
  'pdf.layout': z.enum(['continuous', 'single']).catch('continuous'),
  panes: z.record(z.string(), z.number()).catch({}),
} as const;
type Kinds = typeof kinds;
export type Chosen = { readonly [K in keyof Kinds]: z.output<Kinds[K]> };

/** Reads what is stored; what cannot be read counts as not chosen. */
export function readChosen(stored: Record<string, unknown>): Chosen {
  return Object.fromEntries(
    Object.entries(kinds).map(([key, kind]) => [key, kind.parse(stored[key])]),
  ) as unknown as Chosen;
}

export const useChosen = create<Chosen>(() => readChosen({}));

let client: Client | null = null;

/** Reads the settings and keeps the window's look to them; call it again when they changed elsewhere. */
export async function loadChosen(from: Client): Promise<void> {
  client = from;
  useChosen.setState(readChosen(await from.settings.all({})), true);
}

/** Chooses at once on the screen, and stores it behind. */
export function choose<K extends keyof Chosen>(key: K, value: Chosen[K]): void {
  useChosen.setState({ [key]: value });
  client?.settings.set({ key, value: value as never }).catch((thrown: unknown) => {
    notify(`The setting was not stored: ${errorOf(thrown).message}`, 'bad');
  });
}

useChosen.subscribe((chosen) => showTheme(chosen.theme, chosen.density));
