/** A value as JSON has it; both formats are turned into these before anything is read from them. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Nesting allowed in an answer of the service, in either format. */
export const DEPTH_CAP = 64;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value nests no deeper than `levels`. */
export function nestsWithin(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => nestsWithin(inner, levels - 1));
}

/** Sets a key that came from outside: `__proto__` becomes a plain property, never the prototype. */
export function put(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** JSON text for people and problem lists; what is nested too deep to be printed says so. */
export function print(value: JsonValue | undefined): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deep to be printed)';
  }
}
