/** Hint for commands that require a site if none is connected. */
export const connectSiteHint =
  'Connect one with: tieout site add --name "My company" --url https://… , or try the demo: tieout demo';
