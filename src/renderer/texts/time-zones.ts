export const timeZoneTexts = {
  label: 'Time zone',
  title: 'Show times in',
  choices: { site: 'Site time', mine: 'My time', utc: 'UTC' },
  hints: {
    site: 'Dates without a time are always the site’s.',
    mine: 'As set on this computer.',
  },
  use: (choice: string) => `Show times in ${choice.replace(/^[SM]/, (letter) => letter.toLowerCase())}`,
};
