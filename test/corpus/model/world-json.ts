import type { World } from './world.ts';

const FORMAT = 'tieout-corpus/1';

/** Returns a world as JSON with one row per line. The README describes the format. */
export function writeWorld(world: World): string {
  const members = Object.entries({ format: FORMAT, ...world }).map(([key, value]) =>
    Array.isArray(value) && value.length > 0
      ? `${JSON.stringify(key)}: [\n${value.map((row) => JSON.stringify(row)).join(',\n')}\n]`
      : `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}

/** Reads a world. Throws RangeError for another format or if a line has no label. */
export function readWorld(text: string): World {
  const { format, ...world } = JSON.parse(text) as World & { format: unknown };
  if (format !== FORMAT) throw new RangeError(`The format of a world must be ${FORMAT}.`);
  const labelled = new Set(world.labels.map(({ line }) => line));
  const unlabelled = world.lines.find(({ id }) => !labelled.has(id));
  if (unlabelled !== undefined) throw new RangeError(`Line ${unlabelled.id} has no label.`);
  return world;
}
