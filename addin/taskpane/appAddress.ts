/** The address of the app that served this page: the origin, and the path before the pages, if any. */
export const appAddress = ({ origin, pathname }: Pick<Location, 'origin' | 'pathname'> = location): string =>
  origin + pathname.split('/taskpane/')[0]!.replace(/\/+$/, '');
