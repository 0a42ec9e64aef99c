/** A site's short name: lower-case letters, digits and dashes, at most 40. */
export const siteNamePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;
