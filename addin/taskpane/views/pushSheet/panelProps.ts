import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import type { Administration, TableHandle } from '../../../excel/tables/tableMemory.ts';
import type { Connected } from '../../paneContext.ts';
import type { SheetPushing } from './useSheetPush.ts';

/** The properties of the part of the view that checks the rows of a kind of sheet, and asks before they are pushed. */
export type PanelProps = Connected & {
  handle: TableHandle;
  administration: Administration;
  pushing: SheetPushing;
  /** Whether no push of the sheet runs. */
  isPaused: boolean;
  canPush: boolean;
  pushes: PushClient;
  /** Whether a push was begun elsewhere. */
  isOther: (push: Push) => boolean;
};
