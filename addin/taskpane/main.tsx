import './pane.css';
import { createRoot } from 'react-dom/client';
import { showWithWorkbook } from '../excel/startup.ts';
import { registerFormulas } from './ledgerFormulas/registerFormulas.ts';
import { excelLanguage, languageChoice } from './locales/language.ts';
import { messagesOf } from './locales/messages.ts';
import { NoExcel } from './NoExcel.tsx';
import { Pane } from './Pane.tsx';
import { registerRibbonActions } from './ribbonActions.ts';
import { viewNamed } from './viewNames.ts';

/** The set of Excel's API that the pane requires; the manifest requires the same. */
const REQUIRED_API = { set: 'ExcelApi', version: '1.13' } as const;

/** Starts the pane when Excel is ready. */
async function start(place: HTMLElement): Promise<void> {
  const root = createRoot(place);
  const host = globalThis.Office === undefined ? null : (await Office.onReady()).host;
  // Excel's language is not known before.
  const ofExcel = excelLanguage();
  const messages = messagesOf[ofExcel];
  document.documentElement.lang = ofExcel;
  document.title = messages.title;

  if (host === null || host !== Office.HostType.Excel) {
    root.render(
      <NoExcel title={messages.noExcel.title} lines={[messages.noExcel.explanation, messages.noExcel.todo]} />,
    );
  } else if (!Office.context.requirements.isSetSupported(REQUIRED_API.set, REQUIRED_API.version)) {
    root.render(<NoExcel title={messages.oldExcel.title} lines={[messages.oldExcel.todo]} />);
  } else {
    const { partitionKey } = Office.context as { partitionKey?: string };
    const choice = languageChoice(() => localStorage, partitionKey);
    const view = viewNamed(new URLSearchParams(location.search).get('view'));
    registerRibbonActions();
    root.render(<Pane ofExcel={ofExcel} choice={choice} firstView={view} />);
    void showWithWorkbook();
  }
}

// Excel may call them before the pane is shown.
registerFormulas();
const place = document.getElementById('pane');
if (place === null) throw new Error('The page has no element with the id "pane".');
await start(place);
