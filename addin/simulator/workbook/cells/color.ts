import { ExcelError } from './error.ts';

/** The HTML colour names that add-ins are likely to use. Other colours must be #RRGGBB. */
const colorNames: Record<string, string> = {
  black: '#000000',
  blue: '#0000FF',
  brown: '#A52A2A',
  coral: '#FF7F50',
  crimson: '#DC143C',
  cyan: '#00FFFF',
  darkblue: '#00008B',
  darkgreen: '#006400',
  darkmagenta: '#8B008B',
  darkred: '#8B0000',
  gold: '#FFD700',
  gray: '#808080',
  green: '#008000',
  grey: '#808080',
  lightblue: '#ADD8E6',
  lightgray: '#D3D3D3',
  lightgreen: '#90EE90',
  lightyellow: '#FFFFE0',
  magenta: '#FF00FF',
  navy: '#000080',
  orange: '#FFA500',
  pink: '#FFC0CB',
  purple: '#800080',
  red: '#FF0000',
  silver: '#C0C0C0',
  teal: '#008080',
  white: '#FFFFFF',
  yellow: '#FFFF00',
};

/** A colour as #RRGGBB; InvalidArgument for anything else. */
export const color = (value: unknown): string => {
  const written = typeof value === 'string' ? value.trim() : '';
  const named = colorNames[written.toLowerCase()];
  if (named) return named;
  const hex = /^#?([0-9a-f]{6})$/i.exec(written);
  if (!hex) throw new ExcelError('InvalidArgument');
  return `#${hex[1]!.toUpperCase()}`;
};
