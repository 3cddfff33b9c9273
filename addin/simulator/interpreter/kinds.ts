import { chartKinds } from '../sheetCharts/chartKinds.ts';
import { formatKinds } from './formatKinds.ts';
import type { Kinds } from './hostObject.ts';
import { nameKinds } from './nameKinds.ts';
import { propertyKinds } from './propertyKinds.ts';
import { rangeKind } from './rangeKind.ts';
import { rangeViewKinds } from './rangeViewKinds.ts';
import { ruleKinds } from './ruleKinds.ts';
import { tableKinds } from './tableKinds.ts';
import { workbookKinds } from './workbookKinds.ts';
import { worksheetKinds } from './worksheetKinds.ts';

/** The supported classes of Excel's API by their names. */
export const kinds: Kinds = {
  ...chartKinds,
  ...formatKinds,
  ...nameKinds,
  ...propertyKinds,
  ...rangeViewKinds,
  ...ruleKinds,
  ...tableKinds,
  ...workbookKinds,
  ...worksheetKinds,
  Range: rangeKind,
};
