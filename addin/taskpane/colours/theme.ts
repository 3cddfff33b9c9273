import { createDarkTheme, createLightTheme } from '@fluentui/react-components';
import { brand } from './brand.ts';

/* Fluent's themes, in the accent of the project. */

export const lightTheme = createLightTheme(brand);
export const darkTheme = createDarkTheme(brand);
