/** The style of a cell: only differences from Excel's defaults. */
export type Style = Readonly<{
  numberFormat?: string;
  bold?: boolean;
  italic?: boolean;
  underline?: string;
  strikethrough?: boolean;
  fontName?: string;
  fontSize?: number;
  fontColor?: string;
  fillColor?: string;
  horizontalAlignment?: string;
  verticalAlignment?: string;
  wrapText?: boolean;
  indentLevel?: number;
  unlocked?: boolean;
  formulaHidden?: boolean;
  borders?: string;
}>;

export const plainStyle: Style = {};

const variants = new WeakMap<Style, Map<string, Style>>();

/** The latest change: that of the next cell is mostly the same. */
let latest: { before: Style; name: string; value: unknown; after: Style } | undefined;

/**
 * The style with one property changed. The same change of the same style returns the same object, so that all cells of
 * a formatted column share one.
 */
export const withProperty = <Name extends keyof Style>(style: Style, name: Name, value: Style[Name]): Style => {
  if (style[name] === value) return style;
  if (latest?.before === style && latest.name === name && latest.value === value) return latest.after;
  const known = variants.get(style) ?? new Map<string, Style>();
  variants.set(style, known);
  const key = `${name}=${String(value)}`;
  const { [name]: _before, ...others } = style;
  const changed = known.get(key) ?? (value === undefined ? others : { ...others, [name]: value });
  known.set(key, changed);
  latest = { before: style, name, value, after: changed };
  return changed;
};
