import 'virtual:themes.css';
import './pane.css';
import { createRoot } from 'react-dom/client';
import { showWithWorkbook } from '../excel/startup.ts';
import { partitionKey } from './connections/partitionKey.ts';
import { registerFormulas } from './ledgerFormulas/registerFormulas.ts';
import { NotLoaded, reloadIfPossible } from './loadPart.ts';
import { excelLanguage, languageChoice, paneLanguage } from './locales/language.ts';
import { loadMessages } from './locales/loadMessages.ts';
import { wordsIn } from './locales/words.ts';
import { Pane } from './Pane.tsx';
import { registerRibbonActions } from './ribbonActions.ts';
import { viewNamed } from './viewNames.ts';
import { NoPane } from './views/NoPane.tsx';

/** The set of Excel's API that the pane requires; the manifest requires the same. */
const REQUIRED_API = { set: 'ExcelApi', version: '1.13' } as const;

/** Starts the pane when Excel is ready. @throws NotLoaded */
async function start(): Promise<void> {
  const host = globalThis.Office === undefined ? null : (await Office.onReady()).host;
  // Excel's language is not known before.
  const ofExcel = excelLanguage();
  document.documentElement.lang = ofExcel;

  if (host === null || host !== Office.HostType.Excel) {
    const { noExcel, title } = await loadMessages(ofExcel);
    document.title = title;
    root.render(<NoPane title={noExcel.title} lines={[noExcel.explanation, noExcel.todo]} />);
  } else if (!Office.context.requirements.isSetSupported(REQUIRED_API.set, REQUIRED_API.version)) {
    const { oldExcel, title } = await loadMessages(ofExcel);
    document.title = title;
    root.render(<NoPane title={oldExcel.title} lines={[oldExcel.todo]} />);
  } else {
    const choice = languageChoice(() => localStorage, partitionKey());
    const view = viewNamed(new URLSearchParams(location.search).get('view'));
    const language = paneLanguage();
    registerRibbonActions();
    const messages = await loadMessages(language);
    document.title = messages.title;
    root.render(<Pane ofExcel={ofExcel} choice={choice} first={{ language, messages }} firstView={view} />);
    void showWithWorkbook();
  }
}

/** The texts have not arrived: says so, in those that are always there. */
function showNotLoaded(error: unknown): void {
  if (!(error instanceof NotLoaded)) throw error;
  const { notLoaded, tryAgain } = wordsIn[paneLanguage()];
  const again = () =>
    start().catch(async (error: unknown) => {
      await reloadIfPossible();
      showNotLoaded(error);
    });
  root.render(<NoPane title={notLoaded.title} lines={[notLoaded.explanation]} action={[tryAgain, again]} />);
}

// Excel may call them before the pane is shown.
registerFormulas();
const place = document.getElementById('pane');
if (place === null) throw new Error('The page has no element with the id "pane".');
const root = createRoot(place);
await start().catch(showNotLoaded);
