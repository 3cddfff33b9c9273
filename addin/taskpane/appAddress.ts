/** Where the app answers that a page of its pane came from: the site, and the path it stands below, if any. */
export const appAddress = ({ origin, pathname }: Pick<Location, 'origin' | 'pathname'> = location): string =>
  origin + pathname.split('/taskpane/')[0]!.replace(/\/+$/, '');
