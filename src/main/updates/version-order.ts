/** A version by semver.org 2.0: three numbers, an optional pre-release, and optional build metadata that has no order. */
const VERSION = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Maximum length of a version in characters. Longer texts are not versions. */
const MAX_LENGTH = 100;

/** Returns true if a version is later by the precedence of semver.org 2.0. False if either version is invalid. */
export function isLaterVersion(version: string, other: string): boolean {
  const [left, right] = [parseVersion(version), parseVersion(other)];
  return left !== null && right !== null && compareVersions(left, right) > 0;
}

/** Parsed parts of a version, most significant first. */
interface Version {
  readonly release: readonly string[];
  /** Identifiers of the pre-release. Empty for a normal release. */
  readonly prerelease: readonly string[];
}

function parseVersion(text: string): Version | null {
  const parts = text.length <= MAX_LENGTH ? VERSION.exec(text) : null;
  if (!parts) return null;
  const [, major = '', minor = '', patch = '', prerelease] = parts;
  const identifiers = prerelease?.split('.') ?? [];
  if (identifiers.some((identifier) => identifier === '' || /^0\d+$/.test(identifier))) return null;
  return { release: [major, minor, patch], prerelease: identifiers };
}

function compareVersions(left: Version, right: Version): number {
  const order = compareIdentifiers(left.release, right.release);
  if (order !== 0) return order;
  const [isRelease, isOtherRelease] = [left.prerelease.length === 0, right.prerelease.length === 0];
  if (isRelease || isOtherRelease) return Number(isRelease) - Number(isOtherRelease);
  return compareIdentifiers(left.prerelease, right.prerelease);
}

/** Compares lists of pre-release identifiers. If one list continues the other, the longer one is later. */
function compareIdentifiers(left: readonly string[], right: readonly string[]): number {
  for (const [at, identifier] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = compareIdentifier(identifier, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Compares numbers by value and texts by ASCII order. A number is earlier than a text. */
function compareIdentifier(left: string, right: string): number {
  if (left === right) return 0;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  // Numbers without leading zeros: the longer one is greater.
  if (isNumber && left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : 1;
}
