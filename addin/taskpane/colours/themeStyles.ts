import { createDarkTheme, createLightTheme, type Theme } from '@fluentui/react-theme';
import { brand } from './brand.ts';

/*
 * Fluent's themes, in the accent of the project. The build makes a stylesheet of them: as objects in the scripts they
 * would be twice as large, and be turned into the same styles whenever the pane opens.
 */

const light = createLightTheme(brand);
const dark = createDarkTheme(brand);

const properties = (names: readonly (keyof Theme)[], theme: Theme): string =>
  names.map((name) => `--${name}: ${theme[name]};`).join('\n');

const names = Object.keys(light) as (keyof Theme)[];

/** The custom properties that Fluent's controls use, and the colours of those of the browser; dark in a class of its own. */
export const themeStyles = `
:root { color-scheme: light; ${properties(names, light)} }
.dark { color-scheme: dark; ${properties(
  names.filter((name) => dark[name] !== light[name]),
  dark,
)} }
`;
