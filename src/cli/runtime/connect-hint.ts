/** What to do if no site is connected. */
export const connectHint =
  'Connect one with: tieout site add --name "My company" --url https://… , or try the demo: tieout demo';
