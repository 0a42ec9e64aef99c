/** Matches a site's short name: at most 40 lower-case letters, digits and dashes. */
export const siteNamePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;
